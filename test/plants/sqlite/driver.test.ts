import { bound, openDatabase, sqliteCode } from '../../../src/plants/sqlite/driver';

it.each<[what: string, error: unknown, code: number | undefined]>([
  ['an extended code (SQLITE_BUSY_SNAPSHOT)', Object.assign(new Error(), { errcode: 517 }), 5],
  ['what is no Error', { errcode: 11 }, 11],
  ['an error of something else', new Error(), undefined],
  ['a code that is no number', { errcode: 'SQLITE_BUSY' }, undefined],
  ['null', null, undefined],
  ['text', 'errcode', undefined],
])('the primary result code of %s', (_what, error, code) => {
  expect(sqliteCode(error)).toBe(code);
});

it.each([3.698175052371584e-187, -1e-16, 5e-324, Number.EPSILON, 0.1, 0])('a column keeps %d exactly', (value) => {
  const database = openDatabase(':memory:');
  database.exec('CREATE TABLE heights (height REAL)');
  database.prepare('INSERT INTO heights VALUES (?)').run(bound(value));
  expect(database.prepare('SELECT height FROM heights').get()).toEqual({ height: value });
  database.close();
});

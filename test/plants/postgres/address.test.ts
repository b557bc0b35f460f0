import { nameOf, refuseMisread } from '../../../src/plants/postgres/address';

it.each([
  ['postgres://user:secret@db.example:6543/plants?sslmode=verify-full', 'postgres://db.example:6543/plants'],
  ['postgres:///?host=/run/postgresql&user=me&password=secret', 'postgres:///run/postgresql/app'],
  ['postgres://', 'postgres://pg.example/app'],
])('the store of %s is called %s', (url, name) => {
  Object.assign(process.env, { PGHOST: 'pg.example', PGDATABASE: 'app' });
  expect(nameOf(url)).toBe(name);
  expect(() => refuseMisread(url)).not.toThrow();
});

const ONE =
  'DATABASE_URL names several hosts. Name one: an address that follows the primary server, or a pooler that does';

it.each([
  ['postgres://a.example,b.example/plants', ONE],
  ['postgres:///plants?host=a.example,b.example', ONE],
  [
    'postgres://a.example/plants?sslmod=require',
    /^DATABASE_URL has the parameter sslmod, which would be ignored\. Take it/,
  ],
  ['postgres://a.example/plants?connect_timeout=3', /the parameter connect_timeout, .*; known are host, port, /],
])('%s is refused', (url, message) => {
  expect(() => refuseMisread(url)).toThrow(message);
});

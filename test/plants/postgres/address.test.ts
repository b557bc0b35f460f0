import { nameOf, refuseMisread, searchPathOf } from '../../../src/plants/postgres/address';

it.each([
  ['postgres://user:secret@db.example:6543/plants?sslmode=verify-full', 'postgres://db.example:6543/plants'],
  ['postgres:///?host=/run/postgresql&user=me&password=secret', 'postgres:///run/postgresql/app'],
  ['postgres://me:secret@/plants?host=/run/postgresql', 'postgres:///run/postgresql/plants'],
  ['postgres://', 'postgres://pg.example/app'],
])('the store of %s is called %s', (url, name) => {
  Object.assign(process.env, { PGHOST: 'pg.example', PGDATABASE: 'app' });
  expect(nameOf(url)).toBe(name);
  expect(() => refuseMisread(url)).not.toThrow();
});

it.each<[options: string, path: string | undefined]>([
  ['', undefined],
  ['-c work_mem=4MB', undefined],
  ['-c search_path=garden', 'garden'],
  ['-csearch_path=shed  --search-path=garden,public -c work_mem=4MB', 'garden,public'],
  ['-c search_path=my\\ garden', 'my garden'],
  ['-c search_path=my\u{a0}garden', 'my\u{a0}garden'],
])('the options %s ask for the search path %s', (options, path) => {
  expect(searchPathOf(`postgres://a.example/plants?options=${encodeURIComponent(options)}`)).toBe(path);
  process.env.PGOPTIONS = options;
  expect(searchPathOf('postgres://a.example/plants')).toBe(path);
  delete process.env.PGOPTIONS;
});

const ONE =
  'DATABASE_URL or PGHOST names several hosts. Name one: an address that follows the primary server, or a pooler that does';

const MODES = 'disable, prefer, require, verify-ca, verify-full, no-verify';

it.each<[url: string, message: string | RegExp]>([
  ['postgres://a.example,b.example/plants', ONE],
  ['postgres:///plants?host=a.example,b.example', ONE],
  [
    'postgres://a.example/plants?sslmod=require',
    /^DATABASE_URL has the parameter sslmod, which would be ignored\. Take it/,
  ],
  ['postgres://a.example/plants?connect_timeout=3', /the parameter connect_timeout, .*; known are host, port, /],
  [
    'postgres://a.example/plants?ssl=no',
    'DATABASE_URL has ssl = "no", which would be misread. Expected true, 1, 0, no-verify',
  ],
  ['postgres://a.example/plants?sslmode=', `DATABASE_URL has sslmode = "", which would be misread. Expected ${MODES}`],
  ['postgres://a.example/plants?sslmode=verify_full', /^DATABASE_URL has sslmode = "verify_full", which/],
  ...['5s', '0', '-1', '1e3'].map((value): [string, string] => [
    `postgres://a.example/plants?statement_timeout=${value}`,
    `DATABASE_URL has statement_timeout = "${value}", which would be misread. Expected milliseconds from 1 on`,
  ]),
])('%s is refused', (url, message) => {
  expect(() => refuseMisread(url)).toThrow(message);
});

it('several hosts in PGHOST are refused', () => {
  process.env.PGHOST = 'a.example,b.example';
  expect(() => refuseMisread('postgres://')).toThrow(ONE);
  delete process.env.PGHOST;
});

it.each(['verify_full', 'Require'])('PGSSLMODE=%s is refused', (mode) => {
  process.env.PGSSLMODE = mode;
  expect(() => refuseMisread('postgres://a.example/plants')).toThrow(
    `PGSSLMODE is "${mode}", which would be misread. Expected ${MODES}`,
  );
  delete process.env.PGSSLMODE;
});

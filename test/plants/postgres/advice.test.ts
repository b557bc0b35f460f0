import { explain, StandBy } from '../../../src/plants/postgres/advice';

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}

it.each<[what: string, error: unknown, advice: string]>([
  [
    'a user',
    failure('no entry', '28000'),
    'no entry. Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf',
  ],
  [
    'no connection left',
    failure('too many clients', '53300'),
    'too many clients. Raise max_connections, or run fewer instances or lower DATABASE_CONNECTIONS',
  ],
  ['no room', failure('No space left', '53100'), 'No space left. Make room on its disk'],
  [
    'a table of another name',
    failure('no relation', '42P01'),
    'it has a table "plants" of something else (no relation). Name another database in DATABASE_URL',
  ],
  [
    'a migration that waits',
    failure('canceling', '57014'),
    'it is too slow (canceling). See its load, and pg_stat_activity for what is waited for',
  ],
  [
    'a certificate',
    failure('self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    'self-signed. Correct sslmode and sslrootcert in DATABASE_URL',
  ],
  [
    'a server that is not there',
    failure('refused', 'ECONNREFUSED'),
    'refused. See that the server runs and that DATABASE_URL names it',
  ],
  [
    'a host with several addresses',
    new AggregateError([failure('refused by ::1'), failure('refused by 127.0.0.1')], 'all refused'),
    'refused by ::1, refused by 127.0.0.1. See that the server runs and that DATABASE_URL names it',
  ],
  ['what there is no advice for, as it is', failure('internal', 'XX000'), 'internal'],
  [
    'a standby',
    new StandBy(),
    'it is read-only: it is a standby, or default_transaction_read_only is on. Name the primary server in DATABASE_URL',
  ],
])('a database that could not be opened for %s', (_what, error, advice) => {
  expect(explain(error)).toBe(advice);
});

import { explain, StandBy } from '../../../src/plants/postgres/advice';
import { table } from '../../support/table';

it.each(table`
  a user | 28000 no entry | no entry. Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf
  a server that asks for GSSAPI | - Unknown authenticationOk message type 7
    | Unknown authenticationOk message type 7. Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf
  a search_path of schemas that are not there | 3F000 no schema has been selected
    | no schema has been selected. Name a schema that is there, and that this user may use: ?options=-c%20search_path%3DSCHEMA in DATABASE_URL
  no connection left | 53300 too many clients
    | too many clients. Raise max_connections, or run fewer instances or lower DATABASE_CONNECTIONS
  no room | 53100 No space left | No space left. Make room on its disk
  a table of another name | 42P01 no relation
    | it has a table "plants" of something else (no relation). Name another database in DATABASE_URL
  a migration that waits | 57014 canceling
    | it is too slow (canceling). See its load, and pg_stat_activity for what is waited for
  a server that is frozen | - Query read timeout
    | it does not answer (Query read timeout). See its load, pg_stat_activity for what is waited for, and that no pooler in front of it is full
  a certificate | DEPTH_ZERO_SELF_SIGNED_CERT self-signed | self-signed. Correct sslmode and sslrootcert in DATABASE_URL
  a server that is not there | ECONNREFUSED refused | refused. See that the server runs and that DATABASE_URL names it
  what there is no advice for, as it is | XX000 internal | internal
`)('a database that could not be opened for %s', (_what, failure, advice) => {
  const [code = '', ...message] = failure.split(' ');
  expect(explain(Object.assign(new Error(message.join(' ')), { code }))).toBe(advice);
});

it('a database that could not be opened at any of its addresses', () => {
  const errors = [new Error('refused by ::1'), new Error('refused by 127.0.0.1')];
  expect(explain(new AggregateError(errors, 'all refused'))).toBe(
    'refused by ::1, refused by 127.0.0.1. See that the server runs and that DATABASE_URL names it',
  );
});

it('a database that is a standby', () => {
  expect(explain(new StandBy())).toBe(
    'it is read-only: it is a standby, or default_transaction_read_only is on. Name the primary server in DATABASE_URL',
  );
});

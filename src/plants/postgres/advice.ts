/** Advice on PostgreSQL databases that cannot be opened. */
import { messageOf } from '../../engine';
import { isNotAuthenticated, isStartupParameter, isTls, isUnanswered, PostgresCode, sqlState } from './driver';

/** Thrown for a database that answers, but cannot be the store; the message says why, and what to do. */
export class Unsuitable extends Error {}

/** Thrown for a table that changes plants or takes none: repeating the batch would not help. */
export class UnsuitableTable extends Unsuitable {}

/** Thrown for a server that takes no writes. A statement fails with the same code, and may succeed after a failover. */
export class StandBy extends Unsuitable {
  readonly code = PostgresCode.READ_ONLY;

  constructor() {
    super(
      'it is read-only: it is a standby, or default_transaction_read_only is on. Name the primary server in DATABASE_URL',
    );
  }
}

export const IN_PLACE_OF_OPTIONS =
  'Take them out of DATABASE_URL, and set what they say for the role (ALTER ROLE ... SET search_path = SCHEMA, src/plants/postgres/README.md)';

const AUTHENTICATION = 'Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf';

/** Explains why a database could not be opened, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof Unsuitable) return error.message;
  const message = plainMessage(error);
  if (isStartupParameter(error)) {
    // Those are the time limits, or where the tables are.
    if (/\boptions\b/.test(message)) return `${message}. ${IN_PLACE_OF_OPTIONS}`;
    return `${message}. Have PgBouncer ignore it (ignore_startup_parameters, src/plants/postgres/README.md)`;
  }
  switch (sqlState(error)) {
    case PostgresCode.INVALID_AUTHORIZATION:
    case PostgresCode.INVALID_PASSWORD:
      return `${message}. ${AUTHENTICATION}`;
    case PostgresCode.UNKNOWN_DATABASE:
      return `${message}. Create the database, or name another one in DATABASE_URL`;
    case PostgresCode.UNKNOWN_SCHEMA:
      return `${message}. Name a schema that is there, and that this user may use: ?options=-c%20search_path%3DSCHEMA in DATABASE_URL`;
    case PostgresCode.PRIVILEGE:
      return `${message}. Grant this user CREATE on the schema for the first start, then SELECT and INSERT on the tables`;
    case PostgresCode.UNKNOWN_COLUMN:
    case PostgresCode.UNKNOWN_TABLE:
    case PostgresCode.DUPLICATE_TABLE:
      return `it has a table "plants" of something else (${message}). Name another database in DATABASE_URL`;
    case PostgresCode.TOO_MANY_CONNECTIONS:
      return `${message}. Raise max_connections, or run fewer instances or lower DATABASE_CONNECTIONS`;
    case PostgresCode.DISK_FULL:
      return `${message}. Make room on its disk`;
    case PostgresCode.LOCKED:
      return `others hold its tables locked (${message}). See pg_stat_activity for long transactions, and migrate without them`;
    case PostgresCode.QUERY_CANCELED:
      return `it is too slow (${message}). See its load, and pg_stat_activity for what is waited for`;
    case undefined:
      if (isNotAuthenticated(error)) return `${message}. ${AUTHENTICATION}`;
      if (isUnanswered(error))
        return `it does not answer (${message}). See its load, pg_stat_activity for what is waited for, and that no pooler in front of it is full`;
      return isTls(error)
        ? `${message}. Correct sslmode and sslrootcert in DATABASE_URL`
        : `${message}. See that the server runs and that DATABASE_URL names it`;
    default:
      return message;
  }
}

/** The message of an error; a host with several addresses has one for each of them. */
function plainMessage(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);
}

/** Advice on SQLite files that cannot be opened. */
import { messageOf } from '../../engine';
import { SqliteCode, sqliteCode } from './driver';

/** Explains why a file could not be opened, and what to do. */
export function explain(error: unknown): string {
  const message = messageOf(error);
  switch (sqliteCode(error)) {
    case SqliteCode.CORRUPT:
    case SqliteCode.NOTADB:
      return `it is no sound SQLite database (${message}). Restore it from a backup, without its -wal and -shm files; or move all three away to begin with an empty store`;
    case SqliteCode.ERROR:
      return `it is a database of something else (${message}). Name another file in DATABASE_URL`;
    case SqliteCode.BUSY:
      return `another process holds it locked (${message}). Stop that process, or name another file in DATABASE_URL`;
    case SqliteCode.FULL:
    case SqliteCode.IOERR:
      return `${message}. See that its disk works and has room`;
    case SqliteCode.READONLY:
    case SqliteCode.CANTOPEN:
      return notWritable(message);
    default:
      return isSystemError(error) ? notWritable(message) : message;
  }
}

function notWritable(message: string): string {
  return `${message}. Make the file and its folder writable for this process, or name another file in DATABASE_URL`;
}

function isSystemError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

/** SQLite as Node has it: built in from Node 24 on, as a backport with the same interface before. */

export type SqlValue = string | number | bigint | null;

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  get(...values: SqlValue[]): Record<string, SqlValue> | undefined;
  all(...values: SqlValue[]): Record<string, SqlValue>[];
  /** Whether integers are read as `bigint`. */
  setReadBigInts(enabled: boolean): void;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  readonly isTransaction: boolean;
  close(): void;
}

/** Opens or makes the file. */
export function openDatabase(file: string): Database {
  return new (sqlite().DatabaseSync)(file);
}

/**
 * A value as a statement is to be given it. The backport takes a fraction of less than 2^-52 for 0; a text is what a column of REAL
 * makes the same number of.
 */
export function bound(value: SqlValue): SqlValue {
  return typeof value === 'number' && value !== 0 && Math.abs(value) < Number.EPSILON ? String(value) : value;
}

/** The primary result codes that are told apart (https://www.sqlite.org/rescode.html). */
export const SqliteCode = {
  ERROR: 1,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const;

/** The disk has not taken what was written: the one extended code that is told apart. */
export const SQLITE_IOERR_FSYNC = 1_034;

/** The primary result code of an error that SQLite gave, or undefined. */
export function sqliteCode(error: unknown): number | undefined {
  // What native code throws need not be of this realm's Error.
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

function sqlite(): { DatabaseSync: new (file: string) => Database } {
  const name = Number.parseInt(process.versions.node) >= 24 ? 'node:sqlite' : '@photostructure/sqlite';
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only one of the two is there to be loaded
  return require(name) as ReturnType<typeof sqlite>;
}

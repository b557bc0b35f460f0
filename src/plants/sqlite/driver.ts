/** SQLite as Node has it: built in from Node 24 on, as a backport with the same interface before. */

export type SqlValue = string | number | bigint | Uint8Array | null;

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  get(...values: SqlValue[]): Record<string, SqlValue> | undefined;
  all(...values: SqlValue[]): Record<string, SqlValue>[];
  /** Makes the statement return integers as `bigint`. */
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

/** A value as a parameter of a statement. The backport binds fractions below 2^-52 as 0; as text they become the same number in a REAL column. */
export function bound(value: SqlValue): SqlValue {
  return typeof value === 'number' && value !== 0 && Math.abs(value) < Number.EPSILON ? String(value) : value;
}

/** The primary result codes that are handled (https://www.sqlite.org/rescode.html). */
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

/** A failed fsync: the one extended result code that is handled. */
export const SQLITE_IOERR_FSYNC = 1_034;

/** The primary result code of an error that SQLite gave, or undefined. */
export function sqliteCode(error: unknown): number | undefined {
  // Errors of native code may be of another realm.
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

function sqlite(): { DatabaseSync: new (file: string) => Database } {
  const name = Number.parseInt(process.versions.node) >= 24 ? 'node:sqlite' : '@photostructure/sqlite';
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only one of the two is there to be loaded
  return require(name) as ReturnType<typeof sqlite>;
}

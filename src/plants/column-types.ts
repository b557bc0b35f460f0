/** The kinds of columns, and each store's name for them. */

/** A kind of column, which every store has a type for. */
export type ColumnKind = 'int64' | 'text' | 'number' | 'boolean' | 'json';

/** A type for each kind, as STRICT tables have them, so that the start sees a column of another kind: ANY keeps a text as it is, INT is INTEGER. */
export const sqlite: Readonly<Record<ColumnKind, string>> = {
  int64: 'INTEGER',
  text: 'TEXT',
  number: 'REAL',
  boolean: 'INT',
  json: 'ANY',
};

/** PostgreSQL's `json` keeps a text as it is; `jsonb` would write its numbers anew. */
export const postgres: Readonly<Record<ColumnKind, string>> = {
  int64: 'int8',
  text: 'text',
  number: 'float8',
  boolean: 'bool',
  json: 'json',
};

/** The kinds of columns, and each store's name for them. */

/** A kind of column, which every store has a type for. */
export type ColumnKind = 'int64' | 'text' | 'number' | 'boolean' | 'json';

export const sqlite: Readonly<Record<ColumnKind, string>> = {
  int64: 'INTEGER',
  text: 'TEXT',
  number: 'REAL',
  boolean: 'INTEGER',
  json: 'TEXT',
};

/** PostgreSQL's `json` keeps a text as it is; `jsonb` would write its numbers anew. */
export const postgres: Readonly<Record<ColumnKind, string>> = {
  int64: 'int8',
  text: 'text',
  number: 'float8',
  boolean: 'bool',
  json: 'json',
};

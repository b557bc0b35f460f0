/** The kinds of columns, and each store's name for them. */

/** A kind of column, which every store has a type for. */
export type ColumnKind = 'int64' | 'text' | 'number' | 'boolean' | JsonKind;

/** A kind of column of JSON: without an int64 in it, so that each number is one for handlers too, however it is written, or with. */
export type JsonKind = 'json' | 'json64';

export function isJson(kind: ColumnKind): kind is JsonKind {
  return kind === 'json' || kind === 'json64';
}

/** A type for each kind, as STRICT tables have them, so that the start sees a column of another kind: ANY keeps a text as it is, INT is INTEGER. */
export const sqlite: Readonly<Record<ColumnKind, string>> = {
  int64: 'INTEGER',
  text: 'TEXT',
  number: 'REAL',
  boolean: 'INT',
  json: 'ANY',
  json64: 'ANY',
};

/** PostgreSQL's `json` keeps a text as it is; `jsonb` would write its numbers anew. */
export const postgres: Readonly<Record<ColumnKind, string>> = {
  int64: 'int8',
  text: 'text',
  number: 'float8',
  boolean: 'bool',
  json: 'json',
  json64: 'json',
};

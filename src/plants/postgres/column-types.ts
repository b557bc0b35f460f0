/** The types of columns in PostgreSQL. `json` keeps a text as it is; `jsonb` would write its numbers anew. */
import type { ColumnKind } from '../columns';

export const SQL_TYPES: Readonly<Record<ColumnKind, string>> = {
  int64: 'int8',
  text: 'text',
  number: 'float8',
  boolean: 'bool',
  json: 'json',
};

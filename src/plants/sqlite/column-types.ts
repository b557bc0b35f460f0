/** What SQLite calls the kinds of columns. */
import type { ColumnKind } from '../columns';

export const SQL_TYPES: Readonly<Record<ColumnKind, string>> = {
  int64: 'INTEGER',
  text: 'TEXT',
  number: 'REAL',
  boolean: 'INTEGER',
  json: 'TEXT',
};

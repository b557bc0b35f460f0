/**
 * The columns of the table `plants`, in one list: every store makes its insert, its select and its comparison from it. A
 * property that the contract's NewPlant gains, or one of another type, is a compile error here.
 */
import { canonicalText } from '../engine';
import { type ColumnKind, postgres, sqlite } from './column-types';
import { jsonText, parseJsonText } from './json-text';
import type { NewPlant } from './repository';

/** What a column is to be for a property of a type. A list, an object, or what may be null is `json`: its text. */
type ColumnType<T> = [T] extends [bigint]
  ? 'int64'
  : [T] extends [string]
    ? 'text'
    : [T] extends [number]
      ? 'number'
      : [T] extends [boolean]
        ? 'boolean'
        : 'json';

export const columnTypes = {
  id: 'int64',
  name: 'text',
  tag: 'text',
} as const satisfies { [Name in keyof Required<NewPlant>]: ColumnType<Required<NewPlant>[Name]> };

export type Column = keyof typeof columnTypes;

const kinds: Readonly<Record<Column, ColumnKind>> = columnTypes;

/** What a statement is given, and what a row holds; a boolean is given as 1 or 0. */
export type SqlValue = bigint | number | string | null;

/** All columns, the primary key `id` first. */
export const columns = Object.keys(columnTypes) as readonly Column[];

/** All columns as SQL names them; PostgreSQL folds a name that is not in quotes to lower case. */
export const columnList = columns.map(quoted).join(', ');

/** The columns that make the content of a plant: all but its id. */
export const contentColumns = columns.filter((column) => column !== 'id');

/** The columns of text. */
export const textColumns = columns.filter((column): column is TextColumn => columnTypes[column] === 'text');
type TextColumn = { [Name in Column]: (typeof columnTypes)[Name] extends 'text' ? Name : never }[Column];

/** What a column holds of a plant; NULL stands for a property that is absent. */
export function valueOf(plant: NewPlant, column: Column): SqlValue {
  const value: unknown = plant[column];
  if (value === undefined) return null;
  if (kinds[column] === 'json') return jsonText(value);
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string') return value;
  return value === true ? 1n : 0n;
}

/** Whether two plants have the same content. */
export function hasContentOf(plant: NewPlant, other: NewPlant): boolean {
  return contentColumns.every((column) => {
    const [one, another]: unknown[] = [plant[column], other[column]];
    if (typeof one !== 'object' || typeof another !== 'object') return one === another;
    return canonicalText(one) === canonicalText(another);
  });
}

/**
 * What to do about columns that a table lacks, whose names are `found`, in both stores; undefined if it has them all, or is no
 * table of plants.
 */
export function missingColumns(found: readonly unknown[]): string | undefined {
  const missing = columns.filter((column) => !found.includes(column));
  if (missing.length === 0 || !found.includes('id')) return undefined;
  const migrations = Object.entries({ sqlite, postgres }).map(([store, types]) => {
    const add = (column: Column): string =>
      `'ALTER TABLE plants ADD COLUMN ${quoted(column)} ${types[columnTypes[column]]}'`;
    return `in src/plants/${store}/open.ts: ${missing.map(add).join(', ')}`;
  });
  return `its table plants has no column ${missing.join(', ')}. Append to MIGRATIONS ${migrations.join('; ')}`;
}

/**
 * Why a program cannot work with a newer one's table, of which `required` are the columns that an insert has to fill; undefined
 * if it can, because the newer program has only added what may be left out.
 */
export function unknownColumns(required: readonly unknown[]): string | undefined {
  const unknown = required.filter((name) => !columns.some((column) => column === name));
  if (unknown.length === 0) return undefined;
  return `its table plants has a column ${unknown.join(', ')} that must be filled, and this program does not know it: expected a newer program`;
}

/**
 * Why a table cannot keep every plant as it is sent, whose columns' types are `found` and are to be those of `types`: `char(n)` pads a text, a
 * number of fewer digits is rounded. Undefined if it can.
 */
export function otherTypes(
  found: ReadonlyMap<unknown, string>,
  types: Readonly<Record<ColumnKind, string>>,
): string | undefined {
  for (const column of columns) {
    const [type, expected] = [found.get(column), types[kinds[column]]];
    if (type === undefined || type === expected) continue;
    return `its table plants has a column ${column} of the type ${type}, which may store another value than it is given: expected ${expected}`;
  }
  return undefined;
}

/** The plant that a row holds, as handlers have it, without what is NULL. */
export function plantOfRow(row: Readonly<Partial<Record<Column, unknown>>>): NewPlant {
  const present = columns.filter((column) => (row[column] ?? null) !== null);
  // The table's own types are those of the columns.
  return Object.fromEntries(present.map((column) => [column, propertyOf(kinds[column], row[column])])) as NewPlant;
}

/** Drivers give an integer as a `bigint` or as text, a boolean as itself or as 1 or 0. */
function propertyOf(kind: ColumnKind, value: unknown): unknown {
  if (kind === 'int64') return BigInt(String(value));
  if (kind === 'boolean') return value === true || value === 1n;
  return kind === 'json' ? parseJsonText(String(value)) : value;
}

function quoted(column: string): string {
  return `"${column}"`;
}

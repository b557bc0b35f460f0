/**
 * The columns of the table `plants`, in one list: every store makes its insert, its select and its comparison from it. A
 * property that the contract's NewPlant gains, or one of another type, is a compile error here.
 */
import type { NewPlant } from './repository';

type ColumnType<T> = T extends bigint ? 'int64' : T extends string ? 'text' : never;

export const columnTypes = {
  id: 'int64',
  name: 'text',
  tag: 'text',
} as const satisfies { [Name in keyof Required<NewPlant>]: ColumnType<Required<NewPlant>[Name]> };

export type Column = keyof typeof columnTypes;

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
export function valueOf(plant: NewPlant, column: Column): bigint | string | null {
  return plant[column] ?? null;
}

/** Whether a plant has the content of a row: of what was read back, or of another plant. */
export function hasContentOf(plant: NewPlant, row: Readonly<Partial<Record<Column, unknown>>>): boolean {
  return contentColumns.every((column) => valueOf(plant, column) === (row[column] ?? null));
}

/**
 * What to do about columns that a table lacks, whose names are `found`, in a store whose migrations are in `file`; undefined
 * where it has them all, or is no table of plants.
 */
export function missingColumns(
  found: readonly unknown[],
  types: Readonly<Record<(typeof columnTypes)[Column], string>>,
  file: string,
): string | undefined {
  const missing = columns.filter((column) => !found.includes(column));
  if (missing.length === 0 || !found.includes('id')) return undefined;
  const statements = missing.map(
    (column) => `'ALTER TABLE plants ADD COLUMN ${quoted(column)} ${types[columnTypes[column]]}'`,
  );
  return `its table plants has no column ${missing.join(', ')}. Append to MIGRATIONS in ${file}: ${statements.join(', ')}`;
}

/** The plant that a row holds, with its id as a bigint and without what is NULL. */
export function plantOfRow(row: Readonly<Partial<Record<Column, unknown>>>): NewPlant {
  const present = columns.filter((column) => (row[column] ?? null) !== null);
  // The table's own types are those of the columns.
  return Object.fromEntries(
    present.map((column) => [column, columnTypes[column] === 'int64' ? BigInt(String(row[column])) : row[column]]),
  ) as NewPlant;
}

function quoted(column: string): string {
  return `"${column}"`;
}

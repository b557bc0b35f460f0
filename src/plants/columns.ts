/**
 * The columns of the table `plants`, in one list: every store makes its insert, its select and its comparison from it. A
 * property that the contract's NewPlant gains, or one of another type, is a compile error here.
 */
import { canonicalText, parseJson } from '../engine';
import { type ColumnKind, isJson } from './column-types';
import { isAlike, jsonText, parseJsonText } from './json-text';
import type { NewPlant, PropertyOf } from './repository';
import { DamagedText } from './store';

/** The kind of column for a property of a type. Lists, objects and what may be null are JSON, stored as text. */
type ColumnType<T> = [T] extends [bigint]
  ? 'int64'
  : [T] extends [string]
    ? 'text'
    : [T] extends [number]
      ? 'number'
      : [T] extends [boolean]
        ? 'boolean'
        : true extends HasInt64<T>
          ? 'json64'
          : 'json';

/** True if there is an int64 within a value, as far as ten levels down: a type may contain itself. */
type HasInt64<T, Depth extends readonly unknown[] = []> = Depth['length'] extends 10
  ? false
  : T extends bigint
    ? true
    : T extends readonly (infer Item)[]
      ? HasInt64<Item, [...Depth, unknown]>
      : T extends object
        ? HasInt64<T[NameOf<T>], [...Depth, unknown]> | HasInt64<T[keyof T], [...Depth, unknown]>
        : false;

/** The names of an object's properties: beside `[name: string]: unknown` they would be any string, of unknown values. */
type NameOf<T> = keyof { [Name in keyof T as string extends Name ? never : number extends Name ? never : Name]: Name };

export const columnTypes = {
  id: 'int64',
  name: 'text',
  tag: 'text',
} as const satisfies { [Name in PropertyOf<NewPlant>]: ColumnType<ValueOf<NewPlant, Name>> };
type ValueOf<T, Name> = T extends unknown ? (Name extends keyof T ? Exclude<T[Name], undefined> : never) : never;

export type Column = keyof typeof columnTypes;

/**
 * The properties that have a `default` in the contract, with its value. Plants that were stored before have it too: the migration gives it to
 * those in the store, and an import to those of an earlier export.
 */
export const columnDefaults: Partial<NewPlant> = {};

const kinds: Readonly<Record<Column, ColumnKind>> = columnTypes;

/** A parameter of a statement, or a value of a row; a boolean is a parameter of 1 or 0. */
export type SqlValue = bigint | number | string | null;

/** All columns, the primary key `id` first. */
export const columns = Object.keys(columnTypes) as readonly Column[];

/** All columns as SQL names them; PostgreSQL folds a name that is not in quotes to lower case. */
export const columnList = columns.map(quoted).join(', ');

/** The columns that may be NOT NULL, because every plant fills them. One that is added later may be NULL all the same, see README.md. */
const filledColumns: readonly Column[] = ['id', 'name'] as const satisfies readonly RequiredProperty[];
type RequiredProperty = { [Name in keyof NewPlant]-?: undefined extends NewPlant[Name] ? never : Name }[keyof NewPlant];

/** The columns of a plant's content: all but its id. */
export const contentColumns = columns.filter((column) => column !== 'id');

/** The columns of text. */
export const textColumns = columns.filter((column): column is TextColumn => columnTypes[column] === 'text');
type TextColumn = { [Name in Column]: (typeof columnTypes)[Name] extends 'text' ? Name : never }[Column];

/** True if there are lists, objects or what may be null, which are parsed to be read and compared. */
export const hasJson = Object.values(kinds).some(isJson);

/** The columns that SQL has as text. */
export const writtenColumns = columns.filter((column) => kinds[column] === 'text' || isJson(kinds[column]));

/** The property of a plant that is in a column; undefined where it has none, as plants of another kind. */
export function propertyOf(plant: NewPlant, column: Column): unknown {
  const properties: Readonly<Partial<Record<Column, unknown>>> = plant;
  return properties[column];
}

/** The characters of a plant as it is written, JSON included. */
export function textLength(plant: NewPlant): number {
  let length = 0;
  for (const column of writtenColumns) {
    const value = propertyOf(plant, column);
    if (value !== undefined) length += typeof value === 'string' ? value.length : jsonText(value).length;
  }
  return length;
}

/** The value of a column for a plant; NULL for an absent property. */
export function valueOf(plant: NewPlant, column: Column): SqlValue {
  const value = propertyOf(plant, column);
  if (value === undefined) return null;
  if (isJson(kinds[column])) return jsonText(value);
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string') return value;
  return value === true ? 1n : 0n;
}

/** A row as a driver gives it. */
export type Row = Readonly<Partial<Record<Column, unknown>>>;

/** The row of a plant as it is inserted. */
export function rowOf(plant: NewPlant): Row {
  return Object.fromEntries(columns.map((column) => [column, valueOf(plant, column)]));
}

/**
 * Compares the content of a plant, which is all but its id, with that of a row. JSON that is written in the same way is not parsed, and what
 * is alike only is parsed exactly: a row may have much more text than the plant.
 */
export function hasContentOf(plant: NewPlant, row: Row): boolean {
  return contentColumns.every((column) => {
    const [sent, stored] = [valueOf(plant, column), row[column] ?? null];
    if (sent === stored || sent === null || stored === null) return sent === stored;
    const property = propertyOf(plant, column);
    if (!isJson(kinds[column])) return property === readColumn(column, row);
    if (!isAlike(property, jsonOf(column, row, JSON.parse))) return false;
    return canonicalText(property) === canonicalText(jsonOf(column, row, parseToCompare));
  });
}

/** Parses JSON in a fraction of the time, but for numbers with all digits, as versions before have written large doubles. */
function parseToCompare(text: string): unknown {
  return /\d{16}\.0/.test(text) ? parseJsonText(text, 'json64') : parseJson(text).value;
}

/** Why a store cannot be read as a whole as it is, of whose schema `version` counts the migrations; undefined if it can. */
export function otherSchema(version: number, newest: number): string | undefined {
  if (version === newest) return undefined;
  if (version > newest)
    return `its schema is of version ${version}, and this program knows ${newest}: what is newer would be left out. Read it with the newer program`;
  return version === 0
    ? 'it has no table of plants. Name another store in DATABASE_URL'
    : `its schema is of version ${version}, not ${newest}. Bring it up to date with npm run migrate`;
}

/**
 * The advice on missing columns in a table that has those of `found`, with the types of its store; undefined if none is missing, or it is
 * no table of plants.
 */
export function missingColumns(
  found: readonly unknown[],
  types: Readonly<Record<ColumnKind, string>>,
): string | undefined {
  const missing = columns.filter((column) => !found.includes(column));
  if (missing.length === 0 || !found.includes('id')) return undefined;
  const add = missing.map((column) => `ALTER TABLE plants ADD COLUMN ${quoted(column)} ${types[columnTypes[column]]}`);
  return (
    `its table plants has no column ${missing.join(', ')}. If it was dropped, restore a backup, or add it empty: ${add.join('; ')}. ` +
    'If Plant has gained it, this belongs to the migrations of the program (src/plants/README.md)'
  );
}

/**
 * The reason why this program cannot use the table of a newer one, given the columns that an insert has to fill (`required`); undefined if
 * the newer program has added optional columns only.
 */
export function unknownColumns(required: readonly unknown[]): string | undefined {
  const unknown = unknownAmong(required);
  if (unknown.length === 0) return undefined;
  return `its table plants has a column ${unknown.join(', ')} that must be filled, and this program does not know it: expected a newer program`;
}

function unknownAmong(names: readonly unknown[]): readonly unknown[] {
  return names.filter((name) => !columns.some((column) => column === name));
}

/** The reason why an export does not have all of a table that has these columns; undefined if it has. */
export function leftOut(found: readonly unknown[]): string | undefined {
  const others = unknownAmong(found);
  if (others.length === 0) return undefined;
  return `its table plants has a column ${others.join(', ')} that this program does not know: what is in it is left out`;
}

/** The reason why plants without a property cannot be stored, given the columns that are NOT NULL; undefined if they can. */
export function notNullColumn(notNull: readonly unknown[]): string | undefined {
  const column = columns.find((each) => notNull.includes(each) && !filledColumns.includes(each));
  return (
    column &&
    `its table plants has a column ${column} that is NOT NULL, so that it takes no plants without: expected one that may be NULL`
  );
}

/**
 * The reason why a table with columns of the types `found`, rather than those of `types`, would change plants: `char(n)` pads a text, a
 * number of fewer digits is rounded. Undefined if the types are the same.
 */
export function otherTypes(
  found: ReadonlyMap<unknown, string>,
  types: Readonly<Record<ColumnKind, string>>,
): string | undefined {
  for (const column of columns) {
    const [type, expected] = [found.get(column), types[kinds[column]]];
    if (type === undefined || type === expected) continue;
    return `its table plants has a column ${column} of the type ${type}, which may store another value than it is given: expected ${expected}. If its property is of another type than before, see src/plants/README.md`;
  }
  return undefined;
}

/** The plant of a row, as handlers have it; NULL becomes an absent property. */
export function plantOfRow(row: Row): NewPlant {
  const present = columns.filter((column) => (row[column] ?? null) !== null);
  // checkTable has compared the types of the table with those of the columns.
  return Object.fromEntries(present.map((column) => [column, readColumn(column, row)])) as NewPlant;
}

/** Drivers give an integer as a `bigint` or as text, a boolean as itself or as 1 or 0. */
function readColumn(column: Column, row: Row): unknown {
  const [kind, value] = [kinds[column], row[column]];
  if (kind === 'int64') return BigInt(String(value));
  if (kind === 'boolean') return value === true || value === 1n;
  return isJson(kind) ? jsonOf(column, row, (text) => parseJsonText(text, kind)) : value;
}

function jsonOf(column: Column, { id, [column]: value }: Row, parse: (text: string) => unknown): unknown {
  try {
    return parse(String(value));
  } catch (cause) {
    throw new DamagedText(`expected JSON as the ${column} of plant ${String(id)}`, { cause });
  }
}

function quoted(column: string): string {
  return `"${column}"`;
}

/** The statements of the store, the same for PostgreSQL and Citus: both run them fast. */
import type { QueryConfig } from 'pg';
import { columnList, columns, columnTypes, type SqlValue, valueOf, writtenColumns } from '../columns';
import type { NewPlant } from '../repository';
import { isJson, postgres } from '../column-types';
import { UNSAFE, UNSAFE_ONCE_FLUSHED } from './durable';
import { shapeOf, type Table } from './table';

/** A row as `pg` returns it: an int8 is text. */
export type TextRow = Record<string, unknown>;

/** Selects JSON as text: `pg` would parse it, and round its numbers. */
const selectList = columns
  .map((column) => (isJson(columnTypes[column]) ? `"${column}"::text` : `"${column}"`))
  .join(', ');

export function selectPage(table: Table, first: bigint, count: number): QueryConfig {
  const text = `SELECT ${selectList} FROM ${table.name} WHERE id >= $1::int8 ORDER BY id LIMIT $2::int8`;
  return { name: 'page', text, values: [first, count] };
}

/** The bytes of text of a plant. */
const bytes = ['0', ...writtenColumns.map((column) => `coalesce(octet_length("${column}"::text), 0)`)].join(' + ');

/** The bytes of text of each plant of a page, so that the page can be cut. */
export function selectLengths(table: Table, first: bigint, count: number): QueryConfig {
  const text = `SELECT ${bytes} AS bytes FROM ${table.name} WHERE id >= $1::int8 ORDER BY id LIMIT $2::int8`;
  return { name: 'lengths', text, values: [first, count] };
}

/** The ids of those that are there, with their bytes of text. */
export function selectTexts(table: Table, ids: readonly bigint[]): QueryConfig {
  const text = `SELECT id, ${bytes} AS bytes FROM ${table.name} WHERE id = ANY($1::int8[])`;
  return { name: 'texts', text, values: [ids] };
}

export function selectPlants(table: Table, ids: readonly bigint[]): QueryConfig {
  return { name: 'select', text: `SELECT ${selectList} FROM ${table.name} WHERE id = ANY($1::int8[])`, values: [ids] };
}

/** The names of what is asked beside the columns, which no property of a plant is to have. */
export const UNSAFE_SETTINGS = 'unsafe settings';
export const SHAPE = 'shape of the table';

/**
 * The ids of those that are there, with their bytes of text, the unsafe settings of the server that has the row, which may be a worker of
 * Citus, and without Citus the shape of the table; see `assertSafe` and `isPlain`.
 */
export function selectDurable(table: Table, ids: readonly bigint[]): QueryConfig {
  const asked = `${UNSAFE_ONCE_FLUSHED} AS "${UNSAFE_SETTINGS}"${table.citus ? '' : `, ${shapeOf(table)} AS "${SHAPE}"`}`;
  const text = `SELECT id, ${bytes} AS bytes, ${asked} FROM ${table.name} WHERE id = ANY($1::int8[])`;
  return { name: 'replay', text, values: [ids] };
}

/**
 * The sizes of inserts, so that few statements are prepared; a batch is padded to the next size with repetitions of its shortest plant, which
 * conflicts with itself and is inserted once.
 */
const SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024];

/** The most plants of an insert: the protocol counts the parameters of a statement in 16 bits. */
export const INSERT_MAX = Math.min(1_024, Math.floor(65_535 / columns.length));

/**
 * Inserts the plants whose ids are not stored yet; returns them as they were inserted, without Citus also with the columns that
 * `selectDurable` adds.
 */
export function insertPlants(table: Table, plants: readonly NewPlant[]): QueryConfig {
  const size = Math.min(SIZES.find((each) => each >= plants.length) ?? INSERT_MAX, INSERT_MAX);
  const rows = plants.map((plant) => columns.map((column) => valueOf(plant, column)));
  const shortest = rows.reduce((least, row) => (textLength(row) < textLength(least) ? row : least));
  const padding = Array<SqlValue[]>(size - rows.length).fill(shortest);
  return { name: `insert-${size}`, text: insertText(table, size), values: [...rows, ...padding].flat() };
}

function textLength(row: readonly SqlValue[]): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

const texts = new Map<string, string>();

/** Parameters in rows: Citus turns arrays into a COPY for each shard. It does not allow functions that read settings in an insert either. */
function insertText(table: Table, size: number): string {
  const asked = table.citus ? '' : `, (SELECT ${UNSAFE}) AS "${UNSAFE_SETTINGS}", ${shapeOf(table)} AS "${SHAPE}"`;
  const key = `${size} ${table.name} ${asked}`;
  let text = texts.get(key);
  if (text === undefined) {
    const row = (first: number): string =>
      `(${columns.map((column, index) => `$${first + index}::${postgres[columnTypes[column]]}`).join(', ')})`;
    const rows = Array.from({ length: size }, (_, index) => row(index * columns.length + 1));
    text = `INSERT INTO ${table.name} (${columnList}) VALUES ${rows.join(', ')} ON CONFLICT (id) DO NOTHING RETURNING ${selectList}${asked}`;
    texts.set(key, text);
  }
  return text;
}

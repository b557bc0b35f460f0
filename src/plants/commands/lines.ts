/** A plant as a line of JSON, its id exact: one form for each plant, so that equal stores have equal exports. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createHash } from 'node:crypto';
import { canonicalText, ExactNumber, parseJson, stringifyJson, toInt64 } from '../../engine';
import { type ColumnKind, isJson } from '../column-types';
import { type Column, columnDefaults, columns, columnTypes, propertyOf } from '../columns';
import { jsonText, parseJsonText } from '../json-text';
import type { NewPlant } from '../repository';

/** The line, without its end. */
export function lineOf(plant: NewPlant): string {
  const present = columns.filter((column) => propertyOf(plant, column) !== undefined);
  return `{${present.map((column) => `${JSON.stringify(column)}:${textOf(column, propertyOf(plant, column))}`).join()}}`;
}

/** The plant of a line; throws an Error that says what was expected. */
export function plantOf(line: Buffer): NewPlant {
  if (!isUtf8(line)) throw new Error('expected UTF-8');
  const text = line.toString();
  const { value } = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('expected an object');
  const given: Readonly<Record<string, unknown>> = { ...value };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(kinds, name));
  if (unknown !== undefined) throw new Error(`expected no property ${JSON.stringify(unknown)}, which would be lost`);
  const parsed = Object.fromEntries(JSON_KINDS.map((kind) => [kind, parseJsonText(text, kind) as typeof given]));
  const valueIn = (column: Column): unknown =>
    isJson(kinds[column]) ? parsed[kinds[column]]?.[column] : scalarOf(column, given[column]);
  const present = columns.filter((column) => REQUIRED.includes(column) || given[column] !== undefined);
  const own = Object.fromEntries(present.map((column) => [column, valueIn(column)])) as NewPlant;
  return { ...columnDefaults, ...own };
}

/** Counts plants, and computes the SHA-256 of their lines. */
export class Tally {
  count = 0;
  private readonly hash = createHash('sha256');

  add(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.count += lines.length;
    this.hash.update(`${lines.join('\n')}\n`);
  }

  sha256(): string {
    return this.hash.copy().digest('hex');
  }

  toString(): string {
    return `${this.count} plants, sha256 ${this.sha256()}`;
  }
}

/** The most bytes of a line. */
const LINE_BYTES_MAX = 2 ** 27;

const kinds: Readonly<Record<Column, ColumnKind>> = columnTypes;
const JSON_KINDS = [...new Set(Object.values(kinds).filter(isJson))];
/** The columns that every plant has. */
const REQUIRED: readonly Column[] = ['id', 'name'];

function textOf(column: Column, value: unknown): string {
  return isJson(kinds[column]) ? jsonText(value) : stringifyJson(value);
}

function scalarOf(column: Column, value: unknown): unknown {
  switch (kinds[column]) {
    case 'int64': {
      const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber;
      const exact = isNumber ? toInt64(value) : undefined;
      if (exact === undefined) throw new Error(`expected an int64 as ${column}`);
      return exact;
    }
    case 'text':
      if (typeof value !== 'string' || value.includes('\0'))
        throw new Error(`expected text without U+0000 as ${column}`);
      return value;
    case 'number': {
      const double = value instanceof ExactNumber ? value.double : value;
      if (!Number.isFinite(double) || canonicalText(double) !== canonicalText(value))
        throw new Error(`expected a number that a double has as ${column}`);
      return double;
    }
    default:
      if (typeof value !== kinds[column]) throw new Error(`expected a ${kinds[column]} as ${column}`);
      return value;
  }
}

/**
 * The lines of a file, or of stdin for `-`, as a stream. Only a line feed ends a line: from Node 24 on `readLines` also splits at U+2028
 * and U+2029, which JSON may have in a string. Throws at a line that is longer than any of a plant: a device has no end.
 */
export async function* readLines(name: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let length = 0;
  // /dev/stdin cannot be opened if it is a socket.
  const input: AsyncIterable<Buffer> = name === '-' ? process.stdin : createReadStream(name);
  for await (const chunk of input) {
    let start = 0;
    for (let end; (end = chunk.indexOf('\n', start)) >= 0; start = end + 1) {
      const last = chunk.subarray(start, end);
      yield begun.length === 0 ? last : Buffer.concat([...begun, last]);
      begun = [];
      length = 0;
    }
    length += chunk.length - start;
    if (length > LINE_BYTES_MAX) throw new Error(`expected lines of at most ${LINE_BYTES_MAX} bytes`);
    if (start < chunk.length) begun.push(chunk.subarray(start));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

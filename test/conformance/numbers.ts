/** Numbers, as far as doubles go: within, at and beyond their bounds. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../src/contract/document';
import type { Json } from './json';
import { drawn, type Kind, numberIn, type Sample, sample } from './samples';

export const numbers: Kind = {
  valid: (schema) => doubles(schema),
  edges: (schema) =>
    ['minimum', 'maximum'].flatMap((keyword) => {
      const bound = numberIn(schema, keyword);
      return bound === undefined ? [] : [sample(`the ${keyword}`, numberAsJson(bound))];
    }),
  wrongs: (schema) => [
    ...beyond(schema, 'below the least', ['minimum', 'exclusiveMinimum'], -1),
    ...beyond(schema, 'above the greatest', ['maximum', 'exclusiveMaximum'], 1),
    ...(schema.multipleOf === undefined ? [] : [drawn('no multiple', double({}))]),
  ],
};

function doubles(schema: Schema): Arbitrary<Json> | undefined {
  const [minimum, maximum] = [numberIn(schema, 'minimum'), numberIn(schema, 'maximum')];
  const [above, below] = [numberIn(schema, 'exclusiveMinimum'), numberIn(schema, 'exclusiveMaximum')];
  const min = Math.max(minimum ?? -Infinity, above ?? -Infinity);
  const max = Math.min(maximum ?? Infinity, below ?? Infinity);
  const multiple = numberIn(schema, 'multipleOf');
  if (min > max) return undefined;
  const among = double({
    ...(Number.isFinite(min) && { min, minExcluded: above === min && min < max }),
    ...(Number.isFinite(max) && { max, maxExcluded: below === max && min < max }),
  });
  return multiple === undefined ? among : multiplesOf(multiple, min, max);
}

function multiplesOf(multiple: number, min: number, max: number): Arbitrary<Json> {
  const [least, greatest] = [Math.max(min, -1e6 * multiple), Math.min(max, 1e6 * multiple)];
  return fc
    .integer({ min: Math.ceil(least / multiple), max: Math.floor(greatest / multiple) })
    .map((times) => numberAsJson(times * multiple));
}

function double(constraints: fc.DoubleConstraints): Arbitrary<Json> {
  return fc.double({ noNaN: true, noDefaultInfinity: true, ...constraints }).map(numberAsJson);
}

function numberAsJson(value: number): Json {
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

function beyond(schema: Schema, what: string, keywords: string[], direction: 1 | -1): Sample[] {
  return keywords.flatMap((keyword) => {
    const bound = numberIn(schema, keyword);
    if (bound === undefined) return [];
    const next = bound + direction * Math.max(Math.abs(bound), 1) * 2 ** -20;
    return [
      sample(`just ${what}`, numberAsJson(next), ...(keyword.startsWith('exclusive') ? [numberAsJson(bound)] : [])),
      sample(`far ${what}`, numberAsJson(bound + direction * 1e6)),
    ];
  });
}

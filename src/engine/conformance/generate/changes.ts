/**
 * Changes that put a notable value in some place of a value: at or beyond a bound, of another type, missing. Whether the
 * result still fits the schema is for the oracle to say, so that one list serves for both what must be accepted and what
 * must be refused.
 */
import fc from 'fast-check';
import { type Document, type Path, pointerOf, type Schema } from '../../contract/document';
import { isSchema } from '../../contract/walk';
import { isObject, type Json, JsonNumber, writeJson } from '../../samples/json';
import { itemsOf } from '../../samples/containers';
import { flatten } from '../../samples/flatten';
import { notableNumbers, numberIn } from '../../samples/numbers';
import { notableStrings } from '../../samples/strings';
import { listedIn, typesIn } from '../../samples/types';
import { valuesOf } from '../../samples/values';

export interface Change {
  path: Path;
  /** What stands there then; undefined removes it. */
  value: Json | undefined;
}

/** A value of every type, and texts that a lenient reader takes for another type. */
const OF_EACH_TYPE: readonly Json[] = [
  ...[null, true, new JsonNumber(7), new JsonNumber('1.5'), 'text', '', '5', 'true', 'null'],
  ...[[], ['text'], {}, { value: new JsonNumber(1) }],
];

/** Larger arrays and objects are not made. */
const SIZE_MAX = 200;
/** How often a schema is changed within itself, and how deep changes are made. */
const WITHIN_MAX = 2;
const DEPTH_MAX = 6;

export function changesOf(document: Document, schema: unknown, around: readonly Schema[] = []): Change[] {
  const changes = [
    ...OF_EACH_TYPE.map((value): Change => ({ path: [], value })),
    ...flatten(document, schema).flatMap((flat) => changesOfFlat(document, flat, around)),
  ];
  return [...new Map(changes.map((each) => [keyOf(each), each])).values()];
}

function keyOf({ path, value }: Change): string {
  return `${pointerOf(path)} ${value === undefined ? '' : writeJson(value)}`;
}

function changesOfFlat(document: Document, schema: Schema, around: readonly Schema[]): Change[] {
  if (around.length > DEPTH_MAX || around.filter((each) => each === schema).length >= WITHIN_MAX) return [];
  const within = (step: string | number, inner: unknown): Change[] =>
    changesOf(document, inner, [...around, schema]).map(({ path, value }) => ({ path: [step, ...path], value }));
  const types = typesIn(schema) ?? [];
  return [
    ...(listedIn(schema) ?? []).map((value) => ({ path: [], value })),
    ...(types.includes('string') ? notableStrings(schema) : []).map((value) => ({ path: [], value })),
    ...(types.includes('integer') || types.includes('number') ? notableNumbers(schema) : []).map((value) => ({
      path: [],
      value,
    })),
    ...(types.includes('array') ? [...arraySizes(document, schema), ...elements(schema, within)] : []),
    ...(types.includes('object') ? [...objectSizes(document, schema), ...properties(schema, within)] : []),
  ];
}

type Within = (step: string | number, schema: unknown) => Change[];

function properties({ properties: declared = {}, additionalProperties }: Schema, within: Within): Change[] {
  return [
    ...Object.entries(declared).flatMap(([name, property]) => [
      { path: [name], value: undefined },
      ...within(name, property),
    ]),
    { path: ['undeclared'], value: new JsonNumber(1) },
    ...(isSchema(additionalProperties) ? within('undeclared', additionalProperties) : []),
  ];
}

function elements(schema: Schema, within: Within): Change[] {
  return [...(schema.prefixItems ?? []), itemsOf(schema)].flatMap((each, index) => within(index, each));
}

/** Arrays of the lengths around the bounds, and one with an element twice. */
function arraySizes(document: Document, schema: Schema): Change[] {
  const lengths = [numberIn(schema, 'minItems'), numberIn(schema, 'maxItems')]
    .flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]))
    .filter((length) => length >= 0 && length <= SIZE_MAX);
  const sized = lengths.flatMap((length) => {
    const exact = { ...schema, minItems: length, maxItems: length };
    return sampleOf(document, exact).map((value) => ({ path: [], value }));
  });
  const twice = schema.uniqueItems === true ? sampleOf(document, schema) : [];
  return [
    ...sized,
    ...twice.map((value) => ({ path: [], value: Array.isArray(value) ? [...value, ...value] : value })),
  ];
}

/** An object with one property more than there may be. */
function objectSizes(document: Document, schema: Schema): Change[] {
  const greatest = numberIn(schema, 'maxProperties') ?? Infinity;
  if (greatest > SIZE_MAX) return [];
  const more = Array.from({ length: greatest + 1 }, (_, index) => [`undeclared${index}`, new JsonNumber(1)]);
  return sampleOf(document, schema).map((value) => ({
    path: [],
    value: isObject(value) ? { ...value, ...(Object.fromEntries(more) as Record<string, Json>) } : value,
  }));
}

function sampleOf(document: Document, schema: Schema): Json[] {
  const values = valuesOf(document, schema, 'full');
  return values ? fc.sample(values, { seed: 0, numRuns: 1 }) : [];
}

/** The value with the change made to it; undefined where it has no such place. */
export function applied(json: Json, { path: [step, ...rest], value }: Change): Json | undefined {
  if (step === undefined) return value;
  const isLast = rest.length === 0;
  if (Array.isArray(json) && typeof step === 'number' && step <= json.length) {
    const inner = isLast ? value : applied(json[step] ?? null, { path: rest, value });
    return inner === undefined ? undefined : json.toSpliced(step, 1, inner);
  }
  if (!isObject(json) || typeof step !== 'string') return undefined;
  const { [step]: member = null, ...others } = json;
  const inner = isLast ? value : applied(member, { path: rest, value });
  if (inner === undefined) return isLast ? others : undefined;
  return { ...others, [step]: inner };
}

/** Values that a reader takes for right ones if it does not look closely: each breaks one constraint, and is near to values that do not. */
import fc from 'fast-check';
import { type Document, isSchema, type Schema } from '../../../engine/reading';
import { flatten } from '../../samples/flatten';
import { type Json, JsonNumber, writeJson } from '../../samples/json';
import { inOtherCase, nearPatternOf } from '../../samples/strings';
import { typesIn, typesOf } from '../../samples/types';
import { valuesOf } from '../../samples/values';

/** A constraint, without the schema that has it. */
export interface Part {
  /** Its keyword, and its value if that is a text or a number: `maxLength 9`. */
  name: string;
  /** The schema without it. */
  rest: Schema;
  /** A schema whose values are likely to break it. */
  contrary: Schema;
}

/** Texts that a reader takes for ones of a format or a type if it does not look closely. */
const NEAR_MISSES: Readonly<Record<string, readonly string[]>> = {
  'format date': ['2024-02-30', '2024-02-29T12:00:00Z', '20240229', '2024-2-5'],
  'format date-time': [
    ...['2024-02-29', '2024-02-29T12:00:00', '2024-02-30T12:00:00Z'],
    ...['2024-02-29 12:00:00Z', '2024-02-29T12:00Z', '2024-02-29T12:00:00+0100', '2024-02-29T25:00:00Z'],
  ],
  'format email': ['@example.org', 'Ada <ada@example.org>', 'a da@example.org', 'ada@@example.org', 'ada@example..org'],
  'format ipv4': ['999.1.1.1', '::1', '127.1', '010.1.1.1'],
  'format ipv6': ['127.0.0.1', '1:2:3:4:5:6:7:8:9'],
  'format time': ['12:00:00', '12:00', '25:00:00Z', '12:60:00Z'],
  'format uri': ['http://example.org/a b'],
  'format uuid': [
    ...['123e4567-e89b-12d3-a456-42661417400', '123e4567-e89b-12d3-a456-42661417400g'],
    ...['123e4567e89b12d3a456426614174000', '{123e4567-e89b-12d3-a456-426614174000}', '1-1-1-1-1', '-'.repeat(36)],
  ],
  'type boolean': ['true', 'True', '1', 'yes'],
};

/** True for the name of a constraint that is broken by a near miss, as those here and others after a comma. */
export function isNearMiss(name: string): boolean {
  return /, (?:got|in another) /.test(name);
}

export function nearMisses(keyword: string, schema: Schema): Part[] {
  const name = nameOf(keyword, schema[keyword]);
  const rest = without(schema, keyword);
  const misses = Object.hasOwn(NEAR_MISSES, name) ? (NEAR_MISSES[name] ?? []) : [];
  return misses.map((miss) => ({ name: `${name}, got ${miss}`, rest, contrary: { ...rest, enum: [miss] } }));
}

/** Values that a reader takes for ones of a type if it does not look closely: null, a number for its digits, a list for an object. */
function nearTypes(
  schema: Schema,
  keyword: 'type' | 'enum',
  types: ReadonlySet<unknown>,
  samples: () => Json[],
): Part[] {
  if (types.size === 0) return [];
  const rest = without(schema, 'type', 'enum');
  const isNumeric = types.has('integer') || types.has('number');
  const [isText, isBoolean] = [types.has('string'), types.has('boolean')];
  const misses: Record<string, unknown[]> = {
    null: types.has('null') ? [] : [null],
    'a number in quotes': isNumeric && !isText ? samples().map(writeJson) : [],
    'a boolean': isNumeric && !isBoolean ? [true] : [],
    'a number': [
      ...(isText && !isNumeric ? [...samples(), digitsOf(schema)].flatMap(numberOf) : []),
      ...(isBoolean && !isNumeric ? [1] : []),
    ],
    'a list': types.has('object') && !types.has('array') ? [[]] : [],
  };
  return eachOf(`${nameOf(keyword, schema[keyword])}, got`, rest, misses);
}

/** A constraint for each kind of misses that there is one of. */
function eachOf(name: string, rest: Schema, misses: Readonly<Record<string, readonly unknown[]>>): Part[] {
  return Object.entries(misses).flatMap(([what, values]) =>
    values.length === 0 ? [] : [{ name: `${name} ${what}`, rest, contrary: { ...rest, enum: [...values] } }],
  );
}

function samplesOf(document: Document, schema: Schema): Json[] {
  const values = valuesOf(document, schema);
  return values ? fc.sample(values, { seed: 0, numRuns: SAMPLES }) : [];
}

/** As many digits as there have to be. */
function digitsOf({ minLength = 1 }: Schema): string {
  return '1'.repeat(Math.min(Math.max(Number(minLength), 1), DIGITS_MAX));
}

function numberOf(text: Json): number[] {
  return typeof text === 'string' && /^[1-9]\d*$/.test(text) && text.length <= DIGITS_MAX ? [Number(text)] : [];
}

const SAMPLES = 20;
/** As many as any double has. */
const DIGITS_MAX = 15;

/** The parts of a pattern that a careless expression leaves out: its beginning, its end, the letter case, and blanks. */
export function nearPattern(schema: Schema): Part[] {
  return eachOf(`${nameOf('pattern', schema.pattern)}, got`, without(schema, 'pattern'), nearPatternOf(schema));
}

export function ofType(document: Document, schema: Schema): Part[] {
  const types = new Set([schema.type ?? []].flat());
  return [
    ...nearMisses('type', schema),
    ...nearTypes(schema, 'type', types, () => samplesOf(document, schema)),
    ...(types.has('integer') && !types.has('number') ? nearIntegers(schema, samplesOf(document, schema)) : []),
    ...(types.size > 0 ? nearLists(document, schema, types) : []),
  ];
}

/** Fractions in the place of integers, as some readers cut them off. */
function nearIntegers(schema: Schema, samples: readonly Json[]): Part[] {
  const fractions = samples.flatMap((each) =>
    each instanceof JsonNumber && /^-?\d{1,9}$/.test(each.text) ? [Number(`${each.text}.5`)] : [],
  );
  const rest = without(schema, 'type', 'enum', 'format');
  return eachOf(`${nameOf('type', schema.type)}, got`, rest, { 'a fraction': fractions });
}

/** An item in the place of a list of one, and the reverse, as some readers take them for each other. */
function nearLists(document: Document, schema: Schema, types: ReadonlySet<string>): Part[] {
  const part = (what: string, contrary: Schema): Part[] => [
    { name: `${nameOf('type', schema.type)}, got ${what}`, rest: without(schema, 'type', 'enum'), contrary },
  ];
  if (!types.has('array')) return part('a list of one', { type: 'array', minItems: 1, maxItems: 1, items: schema });
  const { items } = schema;
  const isOther = (flat: Schema): boolean => typesIn(flat)?.every((each) => !types.has(each)) ?? true;
  return isSchema(items) && flatten(document, items).some(isOther) ? part('an item alone', items) : [];
}

/**
 * The constraints of a schema that lists its values: any other one breaks it, as does one in another letter case or with a
 * blank.
 */
export function ofList(schema: Schema, values: readonly Json[]): Part[] {
  const name = nameOf('enum', schema.enum);
  const rest = without(schema, 'enum');
  const texts = values.filter((each) => typeof each === 'string');
  const others = (changed: readonly string[]): string[] => changed.filter((each) => !values.includes(each));
  return [
    { name, rest, contrary: rest },
    ...eachOf(`${name},`, rest, {
      'in another letter case': others(texts.map(inOtherCase)),
      'with a blank beside it': others(texts.flatMap((each) => [` ${each}`, `${each} `])),
    }),
    ...nearTypes(schema, 'enum', new Set(values.flatMap(typesOf)), () => [...values]),
  ];
}

/** The properties by names in another letter case, which some readers take for the same. */
export function recased(schema: Schema, names: ReadonlySet<string>): Part {
  const { properties = {}, required = [] } = schema;
  const caseOf = (name: string): string => (names.has(name) ? inOtherCase(name) : name);
  const rest = {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [caseOf(name), each])),
    required: required.map(caseOf),
  };
  return { name: 'properties, in another letter case', rest, contrary: rest };
}

/** `maxLength 9`, or the keyword alone if its value is no text or number, nor a list of those. */
export function nameOf(keyword: string, value: unknown): string {
  const shown = [value].flat().filter((each) => typeof each === 'string' || typeof each === 'number');
  return [keyword, shown.join(' or ')].join(' ').trim().slice(0, NAME_LENGTH_MAX);
}

const NAME_LENGTH_MAX = 80;

export function without(schema: Schema, ...keywords: string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

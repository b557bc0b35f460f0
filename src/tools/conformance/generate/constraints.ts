/**
 * The constraints of a schema, one by one. A server that ignores one of them accepts all that is left without it, so that only a value which
 * breaks this one and nothing else tells that server from a right one.
 */
import fc from 'fast-check';
import { type Document, isSchema, type Schema } from '../../../engine/reading';
import { flatten } from '../../samples/flatten';
import { type Json, writeJson } from '../../samples/json';
import { isJudgedFormat } from '../../samples/oracle';
import { nearPatternOf } from '../../samples/strings';
import { listedIn, typesOf } from '../../samples/types';
import { valuesOf } from '../../samples/values';

export interface Constraint {
  /** Its keyword, and its value if that is a text or a number: `maxLength 9`. */
  name: string;
  schema: Schema;
  /** The schema without it. */
  rest: Schema;
  /** A schema whose values are likely to break it. */
  contrary: Schema;
}

/**
 * The constraints of an alternative of `flatten`, but those of its members, which are places of their own; of an inner one, as that of items,
 * without those of schemas within, which may be the same again.
 */
export function constraintsOf(document: Document, flat: Schema, isInner = false): Constraint[] {
  // An alternative has the keywords of one way of its condition.
  const schema = without(flat, 'if', 'then', 'else');
  const values = listedIn(schema);
  if (values) return ofList(schema, values).map((each) => ({ ...each, schema }));
  const { type } = schema;
  const types = [type ?? Object.keys(CONTRARIES)].flat().map((each) => (each === 'integer' ? 'number' : each));
  const all = ['any', ...new Set(types)].flatMap((each) => [
    ...Object.entries(CONTRARIES[each] ?? {}).flatMap(([keyword, contraryOf]) => {
      const contrary = schema[keyword] === undefined ? undefined : contraryOf(schema[keyword], schema);
      const rest = without(schema, keyword);
      return contrary ? [{ name: nameOf(keyword, schema[keyword]), rest, contrary: { ...rest, ...contrary } }] : [];
    }),
    ...(each === 'string' ? [...nearMisses('format', schema), ...nearPattern(schema)] : []),
    ...(each === 'object' ? ofObjects(schema) : []),
    ...(each === 'any' ? ofType(document, schema) : []),
    ...(each === 'object' && !isInner ? [...ofNames(document, schema), ...ofDependents(document, schema)] : []),
    ...(each === 'array' && !isInner ? [...ofContained(document, schema), ...ofLaterItems(document, schema)] : []),
  ]);
  return all.map((each) => ({ ...each, schema }));
}

type Part = Omit<Constraint, 'schema'>;

/** Keywords to put in the place of one so that values break it; undefined if nothing breaks it. */
type Contrary = (value: unknown, schema: Schema) => Schema | undefined;

const none: Contrary = () => ({});
const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'];

const fewer =
  (...bounds: string[]): Contrary =>
  (least) =>
    Number(least) > 0 ? sized(Number(least) - 1, ...bounds) : undefined;
const more =
  (...bounds: string[]): Contrary =>
  (most) =>
    sized(Number(most) + 1, ...bounds);

/** By the type that a keyword is about. */
const CONTRARIES: Readonly<Record<string, Readonly<Record<string, Contrary>>>> = {
  any: {
    type: (type) => ({ type: TYPES.filter((each) => ![type].flat().includes(each)) }),
    format: (format) => (isJudgedFormat(format) ? {} : undefined),
    not: (not, { allOf = [] }) => (isSchema(not) ? { allOf: [...allOf, not] } : undefined),
  },
  string: {
    pattern: none,
    minLength: fewer('minLength', 'maxLength'),
    maxLength: more('minLength', 'maxLength'),
  },
  number: {
    minimum: (least) => ({ exclusiveMaximum: least }),
    exclusiveMinimum: (least) => ({ maximum: least }),
    maximum: (most) => ({ exclusiveMinimum: most }),
    exclusiveMaximum: (most) => ({ minimum: most }),
    multipleOf: (multiple) => ({ multipleOf: Number(multiple) / 4 }),
  },
  array: {
    minItems: fewer('minItems', 'maxItems'),
    maxItems: more('minItems', 'maxItems'),
    uniqueItems: (isAsked) => (isAsked === true ? {} : undefined),
    items: ifShut,
    unevaluatedItems: ifShut,
    contains: (_contains, { minContains }) => (minContains === 0 ? undefined : {}),
    minContains: (least) => (Number(least) > 0 ? {} : undefined),
    // All of them are such as are contained.
    maxContains: (most, { items = true, contains }) => ({
      items: { allOf: [items, ...(isSchema(contains) ? [contains] : [])] },
      ...sized(Number(most) + 1, 'minItems'),
    }),
  },
  object: {
    minProperties: (least, schema) => {
      const size = Number(least) - 1;
      return size < 0 ? undefined : { properties: few(schema, size), ...sized(size, 'minProperties', 'maxProperties') };
    },
    maxProperties: more('minProperties', 'maxProperties'),
    additionalProperties: ifClosed,
    unevaluatedProperties: ifClosed,
  },
};

/** Values of a size; of any size where it is a large one. */
function sized(size: number, ...bounds: string[]): Schema {
  return size > SIZE_MAX ? {} : Object.fromEntries(bounds.map((keyword) => [keyword, size]));
}

/** No larger values are drawn. */
const SIZE_MAX = 200;

function ifShut(items: unknown, { prefixItems = [] }: Schema): Schema | undefined {
  return items === false ? { minItems: prefixItems.length + 1 } : undefined;
}

function ifClosed(others: unknown, schema: Schema): Schema | undefined {
  return others === false ? { properties: few(schema, 0) } : undefined;
}

/** The required properties, and others up to a number of all: more would take the room of those that break a bound. */
function few({ properties = {}, required = [] }: Schema, size: number): Record<string, Schema> {
  const declared = Object.entries(properties);
  const needed = declared.filter(([name]) => required.includes(name));
  const spare = declared.filter(([name]) => !required.includes(name));
  return Object.fromEntries([...needed, ...spare.slice(0, Math.max(0, size - needed.length))]);
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

function nearMisses(keyword: string, schema: Schema): Part[] {
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
  return Object.entries(misses)
    .filter(([, values]) => values.length > 0)
    .map(([what, values]) => ({
      name: `${nameOf(keyword, schema[keyword])}, got ${what}`,
      rest,
      contrary: { ...rest, enum: values },
    }));
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
function nearPattern(schema: Schema): Part[] {
  const name = nameOf('pattern', schema.pattern);
  const rest = without(schema, 'pattern');
  return Object.entries(nearPatternOf(schema)).flatMap(([what, misses]) =>
    misses.length === 0 ? [] : [{ name: `${name}, got ${what}`, rest, contrary: { ...rest, enum: misses } }],
  );
}

function ofType(document: Document, schema: Schema): Part[] {
  const types = new Set([schema.type ?? []].flat());
  return [...nearMisses('type', schema), ...nearTypes(schema, 'type', types, () => samplesOf(document, schema))];
}

/**
 * The constraints of a schema that lists its values: any other one breaks it, as does one in another letter case or with a
 * blank.
 */
function ofList(schema: Schema, values: readonly Json[]): Part[] {
  const name = nameOf('enum', schema.enum);
  const rest = without(schema, 'enum');
  const texts = values.filter((each) => typeof each === 'string');
  const near = {
    'in another letter case': texts.map(inOtherCase),
    'with a blank beside it': texts.flatMap((each) => [` ${each}`, `${each} `]),
  };
  return [
    { name, rest, contrary: rest },
    ...Object.entries(near).flatMap(([what, changed]) => {
      const misses = changed.filter((each) => !values.includes(each));
      return misses.length === 0 ? [] : [{ name: `${name}, ${what}`, rest, contrary: { ...rest, enum: misses } }];
    }),
    ...nearTypes(schema, 'enum', new Set(values.flatMap(typesOf)), () => [...values]),
  ];
}

function inOtherCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

/** All items but the first: a server may look at that one alone. Breaking any constraint of an item is a way. */
function ofLaterItems(document: Document, schema: Schema): Part[] {
  const { prefixItems = [], items, minItems, maxItems } = schema;
  const least = Math.max(prefixItems.length + 2, Number(minItems ?? 0));
  if (!isSchema(items) || least > Number(maxItems ?? Infinity)) return [];
  const first = { ...schema, prefixItems: [...prefixItems, items], minItems: least };
  return within(document, items, 'items', ({ contrary }) => ({
    rest: { ...first, items: true },
    contrary: { ...first, items: contrary },
  })).map((each) => ({ ...each, name: 'items after the first' }));
}

function ofContained(document: Document, schema: Schema): Part[] {
  const { minItems, minContains = 1, contains, ...others } = schema;
  const least = Math.max(Number(minItems ?? 0), Number(minContains));
  return within(document, contains, 'contains', ({ rest, contrary }) => ({
    rest: { ...schema, contains: rest },
    contrary: { ...others, minItems: least, items: contrary },
  }));
}

function ofObjects(schema: Schema): Part[] {
  const { required = [], properties = {}, additionalProperties, dependentRequired } = schema;
  const dependent = entriesOf(dependentRequired);
  const isHeld = required.length > 0 || additionalProperties === false;
  const names = new Set([...Object.keys(properties), ...required].filter((name) => inOtherCase(name) !== name));
  const lacking = (name: string, rest: Schema): Part => ({ name, rest, contrary: rest });
  return [
    ...(isHeld && names.size > 0 ? [recased(schema, names)] : []),
    ...required.map((name) => lacking(`required ${name}`, { ...schema, required: others(required, name) })),
    ...dependent.flatMap(([name, all]) =>
      namesIn(all).map((other) => {
        const rest = Object.fromEntries([...dependent, [name, others(namesIn(all), other)]]);
        return lacking(`dependentRequired ${name} ${other}`, { ...schema, dependentRequired: rest });
      }),
    ),
  ];
}

/** The properties by names in another letter case, which some readers take for the same. */
function recased(schema: Schema, names: ReadonlySet<string>): Part {
  const { properties = {}, required = [] } = schema;
  const caseOf = (name: string): string => (names.has(name) ? inOtherCase(name) : name);
  const rest = {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [caseOf(name), each])),
    required: required.map(caseOf),
  };
  return { name: 'properties, in another letter case', rest, contrary: rest };
}

function ofNames(document: Document, schema: Schema): Part[] {
  const { properties = {}, propertyNames } = schema;
  return within(document, propertyNames, 'propertyNames', ({ rest, contrary }) => ({
    rest: { ...schema, propertyNames: rest },
    contrary: {
      ...without(schema, 'patternProperties'),
      propertyNames: contrary,
      minProperties: Object.keys(properties).length + 1,
    },
  }));
}

function ofDependents(document: Document, schema: Schema): Part[] {
  const dependents = entriesOf(schema.dependentSchemas);
  return dependents.flatMap(([name, each]) =>
    within(document, each, `dependentSchemas ${name}`, ({ rest, contrary }) => ({
      rest: { ...schema, dependentSchemas: Object.fromEntries([...dependents, [name, rest]]) },
      contrary: { allOf: [without(schema, 'dependentSchemas'), contrary, { required: [name] }] },
    })),
  );
}

/** The constraints of a schema inside of another one, which `around` puts there. */
function within(
  document: Document,
  schema: unknown,
  place: string,
  around: (inner: Constraint) => Pick<Constraint, 'rest' | 'contrary'>,
): Part[] {
  if (!isSchema(schema)) return [];
  const inner = flatten(document, schema).flatMap((flat) => constraintsOf(document, flat, true));
  return inner.map((each) => ({ name: `${place} ${each.name}`, ...around(each) }));
}

/** `maxLength 9`, or the keyword alone if its value is no text or number, nor a list of those. */
function nameOf(keyword: string, value: unknown): string {
  const shown = [value].flat().filter((each) => typeof each === 'string' || typeof each === 'number');
  return [keyword, shown.join(' or ')].join(' ').trim().slice(0, NAME_LENGTH_MAX);
}

const NAME_LENGTH_MAX = 80;

function without(schema: Schema, ...keywords: string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

function others(names: readonly string[], name: string): string[] {
  return names.filter((each) => each !== name);
}

function entriesOf(map: unknown): [name: string, value: unknown][] {
  return isSchema(map) ? Object.entries(map) : [];
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

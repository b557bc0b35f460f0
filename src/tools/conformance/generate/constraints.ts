/**
 * The constraints of a schema, one by one. A server that ignores one of them accepts all that is left without it, so that only a value which
 * breaks this one and nothing else tells that server from a right one.
 */
import { type Document, isSchema, type Schema } from '../../../engine/reading';
import { flatten } from '../../samples/flatten';
import { isJudgedFormat } from '../../samples/oracle';
import { inOtherCase } from '../../samples/strings';
import { listedIn } from '../../samples/types';
import { nameOf, nearMisses, nearPattern, ofList, ofType, type Part, recased, without } from './near-misses';

export interface Constraint extends Part {
  schema: Schema;
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
    ...['additionalProperties', 'unevaluatedProperties'].flatMap((keyword) => ofMaps(schema, keyword)),
    ...required.map((name) => lacking(`required ${name}`, { ...schema, required: others(required, name) })),
    ...dependent.flatMap(([name, all]) =>
      namesIn(all).map((other) => {
        const rest = Object.fromEntries([...dependent, [name, others(namesIn(all), other)]]);
        return lacking(`dependentRequired ${name} ${other}`, { ...schema, dependentRequired: rest });
      }),
    ),
  ];
}

/** Further properties of one type: a server may read the object as a map of texts, or of numbers. */
function ofMaps(schema: Schema, keyword: string): Part[] {
  if (schema[keyword] !== false) return [];
  const properties = few(schema, 0);
  const minProperties = Math.max(Object.keys(properties).length + 1, Number(schema.minProperties ?? 0));
  return Object.entries({ texts: 'string', numbers: 'number' }).map(([what, type]) => {
    const rest = { ...schema, [keyword]: { type } };
    return { name: `${keyword}, got ${what}`, rest, contrary: { ...rest, properties, minProperties } };
  });
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

function others(names: readonly string[], name: string): string[] {
  return names.filter((each) => each !== name);
}

function entriesOf(map: unknown): [name: string, value: unknown][] {
  return isSchema(map) ? Object.entries(map) : [];
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

/** The members of a value that `unevaluatedProperties` and `unevaluatedItems` are about: those that no other keyword describes. */
import type { Schema } from '../contract/document';
import { isSchema } from '../contract/traverse';
import { compilePattern } from './patterns';
import type { Schemas } from './schemas';

/** Those of the keys of a value, which the schema accepts, that its `unevaluated…` keyword applies to. */
export function unevaluatedKeys<Key extends string | number>(
  schemas: Schemas,
  schema: Schema,
  value: object,
  keys: readonly Key[],
): Key[] {
  const others = [...applied(schemas, schema, value)];
  return keys.filter((key) => !describes(schema, key) && !others.some((each) => evaluates(each, key)));
}

/** Whether a schema that applies to the same value says what a member of it is. */
function evaluates(schema: Schema, key: string | number): boolean {
  const rest = typeof key === 'number' ? schema.unevaluatedItems : schema.unevaluatedProperties;
  return rest !== undefined || describes(schema, key);
}

/** All schemas within one that apply to the same value, with references followed. */
function* applied(schemas: Schemas, schema: Schema, value: object): Generator<Schema> {
  const { allOf = [], oneOf, anyOf, if: test } = schema;
  const fits = (each: unknown): boolean => schemas.accepts(each, value);
  const branches = [oneOf, anyOf].flatMap((each): unknown[] => (Array.isArray(each) ? each.filter(fits) : []));
  const tested = test === undefined ? [] : fits(test) ? [test, schema.then] : [schema.else];
  const dependent = Object.entries(schema.dependentSchemas ?? {}).flatMap(([name, each]): unknown[] =>
    Object.hasOwn(value, name) ? [each] : [],
  );
  for (const each of [...allOf, ...branches, ...tested, ...dependent].filter(isSchema)) {
    const target = schemas.follow(each);
    yield target;
    yield* applied(schemas, target, value);
  }
}

/** Whether `properties`, `items` and the keywords beside them say what a member is. */
function describes(schema: Schema, key: string | number): boolean {
  const { properties = {}, patternProperties = {}, prefixItems = [] } = schema;
  if (typeof key === 'number') return key < prefixItems.length || schema.items !== undefined;
  if (Object.hasOwn(properties, key) || schema.additionalProperties !== undefined) return true;
  return Object.keys(patternProperties).some((pattern) => compilePattern(pattern).test(key));
}

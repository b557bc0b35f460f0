/**
 * The members of a value that `unevaluatedProperties` and `unevaluatedItems` apply to: those that no other keyword
 * describes.
 */
import type { Schema } from '../contract/document';
import { isSchema } from '../contract/traverse';

/** Decides by prepared schemas, as `Schemas` does. */
export interface Deciding {
  testOf(schema: unknown): (value: unknown) => boolean;
  follow(schema: Schema): Schema;
  /** A pattern of them, for names. */
  patternOf(pattern: string): { test(name: string): boolean };
}

/** The keys of an accepted value that the `unevaluated…` keyword of the schema applies to. */
export function unevaluatedKeys<Key extends string | number>(
  schemas: Deciding,
  schema: Schema,
  value: object,
  keys: readonly Key[],
): Key[] {
  const others = [...applied(schemas, schema, value)];
  const isContained = ({ contains }: Schema, key: Key): boolean =>
    contains !== undefined && Array.isArray(value) && schemas.testOf(contains)(Reflect.get(value, key));
  return keys.filter(
    (key) =>
      !describes(schemas, schema, key) &&
      !others.some((each) => evaluates(schemas, each, key)) &&
      ![schema, ...others].some((each) => isContained(each, key)),
  );
}

/** True if a schema that applies to the same value evaluates the member. */
function evaluates(schemas: Deciding, schema: Schema, key: string | number): boolean {
  const rest = typeof key === 'number' ? schema.unevaluatedItems : schema.unevaluatedProperties;
  return rest !== undefined || describes(schemas, schema, key);
}

/** All schemas within one that apply to the same value, with references followed. */
function* applied(schemas: Deciding, schema: Schema, value: object): Generator<Schema> {
  const { allOf = [], oneOf, anyOf, if: test } = schema;
  const fits = (each: unknown): boolean => schemas.testOf(each)(value);
  const branches = [oneOf, anyOf].flatMap((each): unknown[] => (Array.isArray(each) ? each.filter(fits) : []));
  const tested = test === undefined ? [] : fits(test) ? [test, schema.then] : [schema.else];
  const dependent = Object.entries(schema.dependentSchemas ?? {}).flatMap(
    ([name, each]): unknown[] => (!Array.isArray(value) && Object.hasOwn(value, name) ? [each] : []), // a list has a `length`
  );
  for (const each of [...allOf, ...branches, ...tested, ...dependent].filter(isSchema)) {
    const target = schemas.follow(each);
    yield target;
    yield* applied(schemas, target, value);
  }
}

/** True if `properties`, `items` or a keyword beside them describes the member. */
function describes(schemas: Deciding, schema: Schema, key: string | number): boolean {
  const { properties = {}, patternProperties = {}, prefixItems = [] } = schema;
  if (typeof key === 'number') return key < prefixItems.length || schema.items !== undefined;
  if (Object.hasOwn(properties, key) || schema.additionalProperties !== undefined) return true;
  return Object.keys(patternProperties).some((pattern) => schemas.patternOf(pattern).test(key));
}

/** Objects and arrays of a schema; `inner` makes the values of the schemas within. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../contract/document';
import { type Json, type JsonObject, writeJson } from './json';
import { anything, dictionary, text } from './arbitraries';
import { numberIn } from './numbers';
import type { Extent } from './values';

type Inner = (schema: unknown) => Arbitrary<Json> | undefined;

/** Undefined where a required property cannot be made. */
export function objectsOf(schema: Schema, inner: Inner, extent: Extent): Arbitrary<JsonObject> | undefined {
  const { properties = {} } = schema;
  const others = otherProperties(schema, inner);
  const declared = new Map<string, Arbitrary<Json>>();
  const required: string[] = [];
  for (const name of Object.keys(properties)) {
    const value = inner(properties[name]);
    if (value) declared.set(name, value);
  }
  for (const name of Array.isArray(schema.required) ? schema.required.map(String) : []) {
    const value = declared.get(name) ?? (Object.hasOwn(properties, name) ? undefined : others?.value);
    if (!value) return undefined;
    declared.set(name, value);
    required.push(name);
  }
  const requiredKeys = extent === 'full' ? [...declared.keys()] : required;
  const named = fc.record(Object.fromEntries(declared), { requiredKeys, noNullPrototype: true });
  const least = Math.max(0, (numberIn(schema, 'minProperties') ?? 0) - requiredKeys.length);
  const most = Math.max(0, (numberIn(schema, 'maxProperties') ?? Infinity) - declared.size);
  if (!others || most === 0) return named;
  const names = others.name.filter((name) => !declared.has(name) && !Object.hasOwn(properties, name));
  const more = dictionary(names, others.value, least, Math.min(most, least + 2));
  return fc.tuple(more, named).map(([first, last]) => ({ ...first, ...last }));
}

/** Names and values of properties that the schema does not name; undefined where there may be none. */
function otherProperties(
  { patternProperties = {}, additionalProperties, unevaluatedProperties, propertyNames }: Schema,
  inner: Inner,
): { name: Arbitrary<string>; value: Arbitrary<Json> } | undefined {
  const [pattern] = Object.keys(patternProperties);
  if (pattern !== undefined) {
    const value = inner(patternProperties[pattern]);
    return value && { name: fc.stringMatching(new RegExp(pattern, 'u')), value };
  }
  if (propertyNames !== undefined) return undefined;
  const other = additionalProperties ?? unevaluatedProperties ?? true;
  const value = other === true ? anything : inner(other);
  return value && { name: fc.oneof(text, fc.constant('hasOwnProperty')), value };
}

/** Undefined where an element that has to be there cannot be made. */
export function arraysOf(schema: Schema, inner: Inner, extent: Extent): Arbitrary<Json[]> | undefined {
  const { prefixItems = [], contains, uniqueItems } = schema;
  const first = prefixItems.map(inner);
  const head = first.filter((each) => each !== undefined);
  if (head.length < first.length) return undefined;
  const items = itemsOf(schema);
  const element = inner(contains === undefined ? items : { anyOf: [items, { allOf: [items, contains] }] });
  const wanted = Math.max(numberIn(schema, 'minItems') ?? 0, extent === 'full' ? 1 : 0);
  const maxItems = numberIn(schema, 'maxItems') ?? wanted + 3;
  const minLength = Math.max(0, Math.min(wanted, maxItems) - head.length);
  if (!element) return minLength > 0 ? undefined : fc.tuple(...head);
  const lengths = { minLength, maxLength: Math.max(minLength, maxItems - head.length) };
  const tail =
    uniqueItems === true ? fc.uniqueArray(element, { ...lengths, selector: writeJson }) : fc.array(element, lengths);
  return fc.tuple(fc.tuple(...head), tail).map((parts) => parts.flat(1));
}

/** The schema of the elements after `prefixItems`. */
export function itemsOf({ items, unevaluatedItems }: Schema): unknown {
  return items ?? unevaluatedItems ?? true;
}

/** Objects and arrays of a schema; `inner` makes the nested values, each within its share of the size. */
import fc, { type Arbitrary } from 'fast-check';
import { type Document, isAnnotated, isSchema, type Schema } from '../../engine/reading';
import { anything, dictionary, distinct, fitting, text } from './arbitraries';
import { flatten } from './flatten';
import type { Json, JsonObject } from './json';
import { numberIn } from './numbers';
import { stringsOf } from './strings';
import { listedIn, typesIn } from './types';
import type { Making, Room } from './making';

type Inner = (schema: unknown, room: Room) => Arbitrary<Json> | undefined;

/** Objects of a schema; undefined if a required property cannot be made. */
export function objectsOf(schema: Schema, inner: Inner, making: Making, room: Room): Arbitrary<JsonObject> | undefined {
  const { properties = {} } = schema;
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  const share = shareOf(making.document, Object.values(properties), room);
  const leastOf = numberIn(schema, 'minProperties') ?? 0;
  const others = otherProperties(schema, (each) => inner(each, share), making, leastOf);
  const declared = new Map<string, Arbitrary<Json>>();
  for (const [name, property] of Object.entries(properties)) {
    if (making.without && isAnnotated(making.document, property, making.without)) {
      required.delete(name);
      continue;
    }
    if (!required.has(name) && isHeavy(making.document, property) && (share.size < 1 || share.depth < 0)) continue;
    const value = inner(property, share);
    if (value) declared.set(name, value);
  }
  for (const name of required) {
    const value = declared.get(name) ?? (Object.hasOwn(properties, name) ? undefined : others?.value);
    if (!value) return undefined;
    declared.set(name, value);
  }
  const requiredKeys = making.extent === 'full' ? [...declared.keys()] : [...required];
  const named = fc.record(Object.fromEntries(declared), { requiredKeys, noNullPrototype: true });
  const least = Math.max(0, leastOf - requiredKeys.length);
  const most = Math.max(0, (numberIn(schema, 'maxProperties') ?? Infinity) - declared.size);
  const isMap = declared.size === 0 && isSchema(schema.additionalProperties) && room.size > 0;
  const hasRoom = share.size > 0 && share.depth >= 0; // a map may hold maps of its own kind
  if (!others || most === 0 || (least === 0 && !(hasRoom && (isMap || !making.examplesOf)))) return named;
  const names = fitting(others.name, (name) => !declared.has(name) && !Object.hasOwn(properties, name));
  if (!names) return named;
  const more = dictionary(
    names,
    others.value,
    making.examplesOf && isMap && hasRoom ? Math.max(least, 1) : least,
    Math.min(most, least + (hasRoom ? 2 : 0)),
  );
  return fc.tuple(more, named).map(([first, last]) => ({ ...first, ...last }));
}

/** The room for each of the parts that may be large themselves. */
function shareOf(document: Document, parts: readonly unknown[], { size, depth }: Room): Room {
  const heavy = parts.filter((part) => isHeavy(document, part)).length;
  return { size: Math.floor((size - parts.length) / Math.max(1, heavy)), depth: depth - 1 };
}

/** True if values of the schema may be objects or arrays. */
function isHeavy(document: Document, schema: unknown): boolean {
  return flatten(document, schema).some(
    (flat) => !listedIn(flat) && (typesIn(flat) ?? []).some((type) => type === 'object' || type === 'array'),
  );
}

/** Names and values of properties that the schema does not name; undefined if none are allowed. */
function otherProperties(
  { patternProperties = {}, additionalProperties, unevaluatedProperties, propertyNames }: Schema,
  inner: (schema: unknown) => Arbitrary<Json> | undefined,
  { examplesOf, without }: Making,
  least: number,
): { name: Arbitrary<string>; value: Arbitrary<Json> } | undefined {
  const [pattern] = Object.keys(patternProperties);
  if (pattern !== undefined) {
    const value = inner(patternProperties[pattern]);
    const name = stringsOf({ pattern }, examplesOf !== undefined);
    return value && name && { name, value };
  }
  const other = additionalProperties ?? unevaluatedProperties ?? true;
  const value = other === true && !examplesOf ? anything : inner(other);
  const isWord = examplesOf !== undefined || without === 'writeOnly'; // in answers, which people read
  const name = isSchema(propertyNames) ? stringsOf(propertyNames, isWord) : undefined;
  if (!value || (propertyNames !== undefined && !name)) return undefined;
  const words = stringsOf({}, true) ?? text;
  // There are few words, and a search for more names than there are would not end.
  const numbered = fc.tuple(words, fc.nat(9_999)).map(([word, number]) => `${word}${number}`);
  const any = isWord ? (least > 5 ? numbered : words) : fc.oneof(text, fc.constant('hasOwnProperty'));
  return { name: name ?? any, value };
}

/** Arrays of a schema; undefined if a required element cannot be made. */
export function arraysOf(schema: Schema, inner: Inner, making: Making, room: Room): Arbitrary<Json[]> | undefined {
  const { prefixItems = [], contains, uniqueItems } = schema;
  const items = itemsOf(schema);
  const minItems = numberIn(schema, 'minItems') ?? 0;
  const share = shareOf(making.document, [...prefixItems, ...Array<unknown>(Math.max(2, minItems)).fill(items)], room);
  const first = prefixItems.map((each) => inner(each, share));
  const head = first.filter((each) => each !== undefined);
  if (head.length < first.length) return undefined;
  const hasRoom = share.size > 0 && share.depth >= 0;
  const wanted = Math.max(minItems, making.extent === 'full' && hasRoom ? 1 : 0, contains === undefined ? 0 : 1);
  const maxItems = numberIn(schema, 'maxItems') ?? wanted + (!hasRoom ? 0 : making.examplesOf ? 1 : 3);
  const minLength = Math.max(0, Math.min(wanted, maxItems) - head.length);
  const maxLength = Math.max(minLength, maxItems - head.length);
  const element =
    maxLength === 0
      ? undefined
      : inner(contains === undefined ? items : { anyOf: [{ allOf: [items, contains] }, items] }, share);
  if (!element) return minLength > 0 ? undefined : fc.tuple(...head);
  const lengths = { minLength, maxLength: making.examplesOf ? Math.min(maxLength, minLength + 2) : maxLength };
  const tail =
    uniqueItems === true ? distinct(element, lengths.minLength, lengths.maxLength) : fc.array(element, lengths);
  return fc.tuple(fc.tuple(...head), tail).map((parts) => parts.flat(1));
}

/** The schema of the elements after `prefixItems`. */
export function itemsOf({ items, unevaluatedItems }: Schema): unknown {
  return items ?? unevaluatedItems ?? true;
}

/** Objects: with all that they must have and anything they may have, and with each of it missing or wrong. */
import fc, { type Arbitrary } from 'fast-check';
import type { Json, JsonObject } from './json';
import { anything, drawn, fitting, numberIn, objectOf, type Sample, sample, text, within } from './samples';
import type { Values } from './values';
import type { Way } from './ways';
import { isSchema } from '../../src/contract/walk';

export function validObject(way: Way, values: Values): Arbitrary<JsonObject> | undefined {
  const parts = partsOf(way, values);
  return parts && assembled(parts);
}

export function objectEdges(way: Way, values: Values): Sample[] {
  const parts = partsOf(way, values);
  if (!parts) return [];
  const { declared, required } = parts;
  const optional = [...declared.keys()].filter((name) => !required.has(name));
  return [
    ...(optional.length === 0 ? [] : [drawn('with nothing optional', exactly(parts, required))]),
    drawn('with everything', exactly(parts, new Set(declared.keys()))),
    ...(parts.others && isOpen(way) ? [drawn('with more than is declared', withMore(parts))] : []),
    ...embedded(way, parts, (schema) => values.edges(schema, way.trail)),
  ];
}

export function objectWrongs(way: Way, values: Values): Sample[] {
  const parts = partsOf(way, values);
  if (!parts) return [];
  const { declared, required } = parts;
  const valid = assembled(parts);
  const least = numberIn(way.schema, 'minProperties');
  const greatest = numberIn(way.schema, 'maxProperties');
  return [
    ...[...required].map((name) =>
      within(
        name,
        { at: '', what: 'missing' },
        valid.map((object) => without(object, name)),
      ),
    ),
    ...(isOpen(way) ? [] : [drawn('with an undeclared property', withMore(parts))]),
    ...(least === undefined ? [] : [sample('with too few properties', {})]),
    ...(greatest === undefined
      ? []
      : [drawn('with too many properties', withMore(parts, greatest + 1 - declared.size))]),
    ...embedded(way, parts, (schema) => values.wrongs(schema, way.trail)),
  ];
}

interface Parts {
  declared: ReadonlyMap<string, Arbitrary<Json>>;
  required: ReadonlySet<string>;
  /** Properties that the schema does not name; undefined where there may be none, or none is needed to be. */
  others: Arbitrary<JsonObject> | undefined;
}

/** Undefined where a property that is required cannot be made. */
function partsOf(way: Way, values: Values): Parts | undefined {
  const { schema, trail } = way;
  const declared = new Map<string, Arbitrary<Json>>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = values.valid(property, trail);
    if (value) declared.set(name, value);
  }
  const required = new Set(listOfNames(schema.required));
  for (const name of required) {
    if (declared.has(name)) continue;
    const other = Object.hasOwn(schema.properties ?? {}, name) ? undefined : otherValues(way, values);
    if (!other) return undefined;
    declared.set(name, other);
  }
  return { declared, required, others: othersOf(way, values, declared.size, required.size) };
}

function othersOf(way: Way, values: Values, declared: number, required: number): Arbitrary<JsonObject> | undefined {
  const { schema, trail } = way;
  const least = Math.max(0, (numberIn(schema, 'minProperties') ?? 0) - required);
  const most = Math.max(0, (numberIn(schema, 'maxProperties') ?? Infinity) - declared);
  if (most === 0) return undefined;
  const [[pattern, inner] = []] = Object.entries(schema.patternProperties ?? {});
  const ofPattern = pattern === undefined ? undefined : values.valid({ type: 'string', pattern }, trail);
  const value = ofPattern ? values.valid(inner, trail) : otherValues(way, values);
  const names = ofPattern?.map(String) ?? fc.oneof(text, fc.constantFrom('hasOwnProperty', 'access_token'));
  const undeclared = fitting(names, (name) => !Object.hasOwn(schema.properties ?? {}, name));
  return value && undeclared && objectOf(undeclared, value, least, Math.min(most, least + 2));
}

function otherValues({ schema, trail }: Way, values: Values): Arbitrary<Json> | undefined {
  const { additionalProperties, unevaluatedProperties, propertyNames } = schema;
  if (propertyNames !== undefined) return undefined;
  const other = additionalProperties ?? unevaluatedProperties;
  return isSchema(other) ? values.valid(other, trail) : other === false ? undefined : anything;
}

function isOpen({ schema: { additionalProperties, unevaluatedProperties } }: Way): boolean {
  return additionalProperties !== false && unevaluatedProperties !== false;
}

function assembled({ declared, required, others }: Parts): Arbitrary<JsonObject> {
  const named = fc.record(Object.fromEntries(declared), { requiredKeys: [...required] });
  return fc.tuple(named, others ?? fc.constant({})).map(([object, more]) => ({ ...more, ...object }));
}

/** With these of the declared properties, and nothing else. */
function exactly({ declared }: Parts, names: ReadonlySet<string>): Arbitrary<JsonObject> {
  return fc.record(Object.fromEntries([...declared].filter(([name]) => names.has(name))));
}

/** With properties that nobody declares. */
function withMore(parts: Parts, count = 1): Arbitrary<JsonObject> {
  const more = Object.fromEntries(Array.from({ length: Math.max(count, 1) }, (_, index) => [`undeclared${index}`, 1n]));
  const declared = exactly(parts, new Set(parts.declared.keys()));
  return declared.map((object) => ({ ...object, ...more }));
}

/** Valid objects but for one property, which is one of the samples for it. */
function embedded({ schema }: Way, parts: Parts, samplesOf: (schema: unknown) => Sample[]): Sample[] {
  const valid = assembled(parts);
  const properties = Object.entries(schema.properties ?? {});
  if (isSchema(schema.additionalProperties)) properties.push(['undeclared', schema.additionalProperties]);
  return properties.flatMap(([name, property]) =>
    samplesOf(property).map((each) =>
      within(
        name,
        each,
        fc.tuple(valid, each.value).map(([object, value]) => ({ ...object, [name]: value })),
      ),
    ),
  );
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

function listOfNames(required: unknown): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

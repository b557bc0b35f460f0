/**
 * Values of a schema. Where it combines others they are only likely to fit, and what only restricts (`not`, `if`,
 * `dependentRequired`) is left out: whoever sends a value asks the oracle first.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { Document, Schema } from '../contract/document';
import { fromYaml, type Json } from './json';
import { anything } from './arbitraries';
import { arraysOf, objectsOf } from './containers';
import { type Flat, flatten, NO_VISITS, type Visits } from './flatten';
import { doublesOf, integersOf } from './numbers';
import { stringsOf } from './strings';

/** Which values: any, or `full` ones, in which every optional property is there and no array is empty. */
export type Extent = 'any' | 'full';

/** Undefined where no value can be made, as below the bound of a recursive schema. */
export function valuesOf(
  document: Document,
  schema: unknown,
  extent: Extent = 'any',
  visits: Visits = NO_VISITS,
): Arbitrary<Json> | undefined {
  const all = flatten(document, schema, visits).flatMap((flat) => valuesOfFlat(document, flat, extent));
  return all.length === 0 ? undefined : fc.oneof(...all);
}

function valuesOfFlat(document: Document, { schema, visits }: Flat, extent: Extent): Arbitrary<Json>[] {
  const listed = listedIn(schema);
  if (listed) return listed.length === 0 ? [] : [fc.constantFrom(...listed)];
  const types = typesIn(schema);
  if (!types) return [anything];
  const inner = (each: unknown): Arbitrary<Json> | undefined => valuesOf(document, each, extent, visits);
  const made = types.flatMap((type) => valuesOfType(type, schema, inner, extent) ?? []);
  const { examples } = schema;
  return made.length > 0 || !Array.isArray(examples) ? made : [fc.constantFrom(...examples.map(fromYaml))];
}

function valuesOfType(
  type: string,
  schema: Schema,
  inner: (schema: unknown) => Arbitrary<Json> | undefined,
  extent: Extent,
): Arbitrary<Json> | undefined {
  switch (type) {
    case 'string':
      return stringsOf(schema);
    case 'integer':
      return integersOf(schema);
    case 'number':
      return doublesOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'object':
      return objectsOf(schema, inner, extent);
    case 'array':
      return arraysOf(schema, inner, extent);
    default:
      return fc.constant(null);
  }
}

/** The type that a keyword implies where `type` is not given. */
const IMPLIED: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  items: 'array',
  prefixItems: 'array',
  pattern: 'string',
  minLength: 'string',
  maxLength: 'string',
  minimum: 'number',
  maximum: 'number',
};

export function typesIn(schema: Schema): string[] | undefined {
  if (schema.type !== undefined) return [schema.type].flat();
  const implied = Object.keys(IMPLIED).filter((keyword) => Object.hasOwn(schema, keyword));
  return implied.length === 0 ? undefined : [...new Set(implied.map((keyword) => IMPLIED[keyword] ?? ''))];
}

export function listedIn({ enum: listed }: Schema): Json[] | undefined {
  return Array.isArray(listed) ? listed.map(fromYaml) : undefined;
}

/** The types of a schema's values, and the values that it lists. */
import type { Schema } from '../../engine/reading';
import { fromYaml, type Json, JsonNumber } from './json';

/** The type that a keyword implies if `type` is not given. */
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

/** The values that a schema lists, and that have its type. */
export function listedIn({ enum: listed, type }: Schema): Json[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  const types = [type ?? []].flat();
  return listed
    .map(fromYaml)
    .filter((value) => types.length === 0 || typesOf(value).some((each) => types.includes(each)));
}

/** The names of a value's types. */
export function typesOf(value: Json): string[] {
  if (value instanceof JsonNumber) return value.integer === undefined ? ['number'] : ['number', 'integer'];
  return [value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value];
}

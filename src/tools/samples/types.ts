/** The types of a schema's values, and the values that it lists. */
import type { Schema } from '../../engine/reading';
import { fromYaml, type Json } from './json';

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

export function listedIn({ enum: listed }: Schema): Json[] | undefined {
  return Array.isArray(listed) ? listed.map(fromYaml) : undefined;
}

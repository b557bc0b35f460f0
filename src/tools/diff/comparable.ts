/**
 * A contract in words that redocly compares: it sees no change of schemas that are `true` or `false`, nor of
 * constants that are objects, nor of the order of lists of schemas.
 */
import { stringifyJson } from '../../engine';
import { type Document, isSchema, partsOf, type Part, resolve, withoutExtensions } from '../../engine/reading';

/** Keywords whose value is a schema, where redocly takes no boolean for one, and those with several schemas. */
const SCHEMA: ReadonlySet<string> = new Set(
  'schema itemSchema contains propertyNames not if then else contentSchema'.split(' '),
);
const SCHEMAS: ReadonlySet<unknown> = new Set(
  'allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas'.split(' '),
);

/**
 * A copy with path items in the place of references to them, schemas as objects, and constants as text; without extensions and examples, in
 * which redocly would follow references.
 */
export function comparable(document: Document): Document {
  const copy = structuredClone(document);
  for (const items of [copy.paths, copy.webhooks])
    for (const [name, item] of Object.entries(items ?? {})) if (items) items[name] = resolve(copy, item);
  for (const each of partsOf(copy)) {
    for (const [key, value] of Object.entries(each.part) as [string, unknown][]) {
      if (typeof value === 'boolean' && isSchemaIn(each, key)) Reflect.set(each.part, key, value ? {} : { not: {} });
      if (!each.isMap && key === 'const') Reflect.set(each.part, key, asText(value));
      if (!each.isMap && key === 'enum' && Array.isArray(value)) Reflect.set(each.part, key, value.map(asText));
    }
    if (Array.isArray(each.part) && each.path.at(-1) === 'prefixItems')
      for (const [index, schema] of each.part.entries()) if (isSchema(schema)) schema.position = index;
  }
  return withoutExtensions(copy);
}

function isSchemaIn({ part, path, isMap }: Part, key: string): boolean {
  return isMap || Array.isArray(part) ? SCHEMAS.has(path.at(-1)) : SCHEMA.has(key);
}

/** An object as text, and text that could be one as JSON. */
function asText(value: unknown): unknown {
  const isOther = typeof value === 'object' ? value !== null : typeof value === 'string' && /^["[{]/.test(value);
  return isOther ? stringifyJson(value) : value;
}

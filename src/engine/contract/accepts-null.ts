/** Decides whether a schema accepts null, of which few keywords say anything. */
import { type Document, follow, type Schema } from './document';
import { constantsOf, isSchema } from './traverse';

/** True if a schema, brought to JSON Schema 2020-12, accepts null; also where a reference leads nowhere or in a circle, which is refused elsewhere. */
export function acceptsNull(document: Document, schema: unknown, known = new Map<Schema, boolean>()): boolean {
  if (!isSchema(schema)) return schema !== false;
  const decided = known.get(schema);
  if (decided !== undefined) return decided;
  known.set(schema, true);
  const accepts = (each: unknown): boolean => acceptsNull(document, each, known);
  const { type, $ref, allOf, anyOf, oneOf, not, if: condition } = schema;
  const isAccepted =
    (type === undefined || [type].flat().includes('null')) &&
    (constantsOf(schema)?.includes(null) ?? true) &&
    ($ref === undefined || accepts(targetOf(document, schema))) &&
    listOf(allOf).every(accepts) &&
    (anyOf === undefined || listOf(anyOf).some(accepts)) &&
    (oneOf === undefined || listOf(oneOf).filter(accepts).length === 1) &&
    (not === undefined || !accepts(not)) &&
    (condition === undefined || accepts(accepts(condition) ? schema.then : schema.else));
  known.set(schema, isAccepted);
  return isAccepted;
}

function targetOf(document: Document, schema: Schema): unknown {
  try {
    return follow(document, schema);
  } catch {
    return true;
  }
}

function listOf(schemas: unknown): unknown[] {
  return Array.isArray(schemas) ? (schemas as unknown[]) : [];
}

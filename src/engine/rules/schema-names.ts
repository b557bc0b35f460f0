/** The names of schemas, as tables of errors have them. */
import { pointerOf, type Schema } from '../contract/document';
import type { PlacedSchema } from '../contract/traverse';

/** Each schema's name if it is a component, else what a `$ref` to it would say. */
export function schemaNames(placed: readonly PlacedSchema[]): ReadonlyMap<Schema, string> {
  const names = new Map<Schema, string>();
  for (const [schema, path] of placed) {
    const isComponent = path.length === 3 && path[0] === 'components' && path[1] === 'schemas';
    const name = isComponent ? String(path[2]) : `#${pointerOf(path)}`;
    if (!names.has(schema)) names.set(schema, name);
  }
  return names;
}

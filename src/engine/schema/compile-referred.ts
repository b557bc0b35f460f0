/**
 * Compiles the schemas that a schema refers to, before itself. Ajv compiles the target of a reference within the schema that has it, and
 * overflows the stack with 150 such schemas one within the other. A target that it takes for one under way it calls by its name instead, when
 * a value is validated: so all of them are under way, and are compiled one by one.
 */
import type Ajv2020 from 'ajv/dist/2020';
import type { SchemaEnv } from 'ajv/dist/compile';
import type { Schema } from '../contract/document';

/**
 * Compiles all schemas that `schema` refers to and that are not compiled yet; `keyOf` is the key by which an Ajv knows the target of a
 * reference. Throws if one cannot be compiled.
 */
export function compileReferred(ajv: Ajv2020, schema: Schema, keyOf = (reference: string): string => reference): void {
  const { schemas, refs, _compilations: underWay } = ajv;
  const targetOf = (reference: string): SchemaEnv | undefined => {
    const found = schemas[keyOf(reference)] ?? refs[keyOf(reference)];
    return typeof found === 'object' && !found.validate ? found : undefined;
  };
  const references = referencesFrom(schema, (reference) => targetOf(reference)?.schema);
  const targets = references.flatMap((reference) => targetOf(reference) ?? []);
  for (const target of targets) underWay.add(target);
  try {
    for (const [index, target] of targets.entries()) {
      underWay.delete(target);
      ajv.getSchema(keyOf(references[index] ?? ''));
    }
  } finally {
    for (const target of targets) underWay.delete(target);
  }
}

/** The references of a schema and of the targets that `schemaOf` has: outside of circles each behind those of its own target. */
function referencesFrom(schema: unknown, schemaOf: (reference: string) => unknown): string[] {
  const ordered: string[] = [];
  const seen = new Set<string>();
  const path = [{ reference: '', left: referencesWithin(schema) }];
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const next = last.left.shift();
    if (next === undefined) {
      path.pop();
      if (path.length > 0) ordered.push(last.reference);
    } else if (!seen.has(next)) {
      seen.add(next);
      const target = schemaOf(next);
      if (target !== undefined) path.push({ reference: next, left: referencesWithin(target) });
    }
  }
  return ordered;
}

function referencesWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === '$ref' && typeof member === 'string' ? member : referencesWithin(member),
  );
}

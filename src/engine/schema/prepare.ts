/** The contract's schemas as Ajv is given them: what it would misinterpret, round or never end with is rewritten. */
import { type Document, follow, type Schema } from '../contract/document';
import { allSchemas, isSchema, schemasWithin } from '../contract/traverse';
import { rewriteDiscriminator } from './discriminator';
import { refuseAnnotated } from './read-write-only';
import { moveNumberRules } from './number-rules';

export interface PreparedSchemas {
  /** By the schema of the document, the one to compile. */
  prepared: ReadonlyMap<Schema, Schema>;
  /** By name, those that others refer to: `$ref: s7`. */
  named: ReadonlyMap<string, Schema>;
}

/** The schemas of a document for what clients send, or for what they are answered; the document stays as it is. */
export function prepareSchemas(document: Document, purpose: 'requests' | 'answers'): PreparedSchemas {
  const copy = structuredClone(document);
  const placed = allSchemas(copy);
  const prepared = new Map(allSchemas(document).map((schema, index) => [schema, placed[index] ?? schema]));
  refuseAnnotated(copy, placed, purpose === 'requests' ? 'readOnly' : 'writeOnly');
  for (const schema of placed) rewriteDiscriminator(copy, schema);
  const { named, schemas } = nameReferences(copy, placed);
  for (const schema of schemas) removeAnnotations(schema);
  if (purpose === 'requests') countSteps(schemas, named);
  for (const schema of schemas) {
    moveNumberRules(schema);
    roundCounts(schema);
  }
  return { prepared, named };
}

/**
 * Gives every schema that is referred to a name, under which Ajv compiles it once, however many places refer to it. Keywords beside
 * a `$ref` get lost if the schema refers to itself, so that the reference moves into an `allOf`.
 */
function nameReferences(
  document: Document,
  placed: readonly Schema[],
): { named: Map<string, Schema>; schemas: Set<Schema> } {
  const names = new Map<Schema, string>();
  const schemas = new Set(placed);
  const references: [schema: Schema, name: string][] = [];
  // Those that are added on the way are visited, too: references may lead anywhere in the document.
  for (const schema of schemas) {
    if (schema.$ref === undefined) continue;
    const target: Schema = follow(document, schema);
    const name = names.get(target) ?? `s${names.size}`;
    names.set(target, name);
    references.push([schema, name]);
    if (!schemas.has(target)) for (const [within] of schemasWithin(target, [])) schemas.add(within);
  }
  for (const [schema, name] of references) {
    if (Object.keys(schema).length === 1) {
      schema.$ref = name;
    } else {
      delete schema.$ref;
      schema.allOf = [...(schema.allOf ?? []), { $ref: name }];
    }
  }
  return { named: new Map([...names].map(([schema, name]) => [name, schema])), schemas };
}

/** Has Ajv count each time that it tries a schema which may be tried again for the same value (`steps.ts`). */
function countSteps(schemas: Iterable<Schema>, named: ReadonlyMap<string, Schema>): void {
  const branches = [...schemas]
    .flatMap(({ oneOf, anyOf }) => [oneOf, anyOf])
    .flatMap((each): unknown[] => (Array.isArray(each) ? each : []));
  // A reference is counted with the schema that it leads to.
  for (const schema of [...named.values(), ...branches])
    if (isSchema(schema) && schema.$ref === undefined) schema['x-step'] = true;
}

/** `maxLength: 18446744073709551615`, say: nothing is as long, and Ajv knows no `bigint`. A default is filled in as it is. */
function roundCounts(schema: Schema): void {
  for (const [keyword, value] of Object.entries(schema))
    if (typeof value === 'bigint' && keyword !== 'default') schema[keyword] = Number(value);
}

/** What says nothing of values, or means something else to Ajv. */
function removeAnnotations(schema: Schema): void {
  for (const keyword of Object.keys(schema))
    if (/^(?:x-|(?:examples?|readOnly|writeOnly|discriminator|id|\$async|\$dynamicAnchor)$)/.test(keyword))
      Reflect.deleteProperty(schema, keyword);
}

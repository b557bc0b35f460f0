/** Prepares the contract's schemas for Ajv: rewrites keywords that it would misinterpret, round or never end with. */
import { type Document, follow, type Schema } from '../contract/document';
import { isReferenceAlone } from '../contract/normalize-schema';
import { allSchemas, isSchema, schemasWithin } from '../contract/traverse';
import { rewriteDiscriminator } from './discriminator';
import { isMiscounted } from './evaluated';
import { LEFT_OUT, refuseAnnotated } from './read-write-only';
import { moveNumberRules } from './number-rules';

export interface PreparedSchemas {
  /** True if they are the same for requests and for answers. */
  areOfBoth: boolean;
  /** The schemas to compile, by those of the document. */
  prepared: ReadonlyMap<Schema, Schema>;
  /** The schemas that others refer to, by name: `$ref: s7`. */
  named: ReadonlyMap<string, Schema>;
}

/**
 * Prepares the schemas of a document for requests or for answers; the document itself is not changed. `readOnly` says what becomes of
 * such properties in requests.
 */
export function prepareSchemas(
  document: Document,
  purpose: 'requests' | 'answers',
  readOnly: 'refuse' | 'leave out' = 'refuse',
): PreparedSchemas {
  const copies = new Map<object, object>();
  const copy = copyOf(document, copies);
  const prepared = new Map(allSchemas(document).map((schema) => [schema, copyOf(schema, copies)]));
  const placed = [...prepared.values()];
  const areOfBoth = !placed.some((schema) => schema.readOnly === true || schema.writeOnly === true);
  const added =
    purpose === 'answers'
      ? refuseAnnotated(copy, placed, 'writeOnly')
      : refuseAnnotated(copy, placed, 'readOnly', readOnly === 'leave out' ? LEFT_OUT : false);
  placed.push(...added);
  for (const schema of placed) rewriteDiscriminator(copy, schema);
  const miscounted = placed.filter((schema) => isMiscounted(copy, schema));
  const { named, schemas } = nameReferences(copy, placed);
  for (const schema of schemas) {
    removeAnnotations(schema);
    nameByPattern(schema);
    if (schema.if !== undefined) addRuleToThen(schema);
  }
  for (const schema of miscounted) schema['x-unevaluated-items'] = true;
  countSteps(schemas, named);
  for (const schema of schemas) {
    moveNumberRules(schema);
    roundCounts(schema);
  }
  return { areOfBoth, prepared, named };
}

/** Adds a rule that accepts everything to the `then` of a schema: Ajv skips an `if` without any. */
function addRuleToThen(schema: Schema): void {
  const then: unknown = schema.then ?? true;
  if (isSchema(then)) then.not ??= false;
  else if (then === true) schema.then = { not: false };
}

/** A deep copy, in which a part that has several places has them as well; `copies` has each by its original. */
function copyOf<T>(value: T, copies: Map<object, object>): T {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known) return known as T;
  const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  copies.set(value, copy);
  for (const key of Object.keys(copy)) {
    const member: unknown = Reflect.get(copy, key);
    if (typeof member === 'object' && member !== null) Reflect.set(copy, key, copyOf(member, copies));
  }
  return copy as T;
}

/**
 * Names every referenced schema, so that Ajv compiles it once, however many places refer to it. Ajv would lose keywords beside a `$ref` if
 * the schema refers to itself, so that the reference moves into an `allOf`.
 */
function nameReferences(
  document: Document,
  placed: readonly Schema[],
): { named: Map<string, Schema>; schemas: Set<Schema> } {
  const names = new Map<Schema, string>();
  const schemas = new Set(placed);
  const references: [schema: Schema, name: string][] = [];
  // Visits schemas that are added meanwhile, too: references may lead anywhere in the document.
  for (const schema of schemas) {
    if (schema.$ref === undefined) continue;
    const target: Schema = follow(document, schema);
    const name = names.get(target) ?? `s${names.size}`;
    names.set(target, name);
    references.push([schema, name]);
    if (!schemas.has(target)) for (const [within] of schemasWithin(target, [])) schemas.add(within);
  }
  for (const [schema, name] of references) {
    if (isReferenceAlone(schema)) {
      schema.$ref = name;
    } else {
      delete schema.$ref;
      schema.allOf = [...(schema.allOf ?? []), { $ref: name }];
    }
  }
  return { named: new Map([...names].map(([schema, name]) => [name, schema])), schemas };
}

/** Declares a property `__proto__` by a pattern, in place: Ajv skips that name among `properties`. Returns the schema. */
export function nameByPattern(schema: Schema): Schema {
  const { properties = {} } = schema;
  if (!Object.hasOwn(properties, '__proto__')) return schema;
  const { ['__proto__']: declared = {}, ...others } = properties;
  schema.properties = others;
  schema.patternProperties = { ...schema.patternProperties, '^(?:__proto__)$': declared };
  return schema;
}

/** Adds the keyword that counts evaluations to the schemas that may be evaluated repeatedly for the same value (`steps.ts`). */
function countSteps(schemas: Iterable<Schema>, named: ReadonlyMap<string, Schema>): void {
  const branches = [...schemas]
    .flatMap(({ oneOf, anyOf }) => [oneOf, anyOf])
    .flatMap((each): unknown[] => (Array.isArray(each) ? each : []));
  // A reference is counted by its target.
  for (const schema of [...named.values(), ...branches])
    if (isSchema(schema) && schema.$ref === undefined) schema['x-step'] = true;
}

/** Rounds counts such as `maxLength: 18446744073709551615`, because Ajv knows no `bigint`; no value is as long. Defaults are not changed. */
function roundCounts(schema: Schema): void {
  for (const [keyword, value] of Object.entries(schema))
    if (typeof value === 'bigint' && keyword !== 'default') schema[keyword] = Number(value);
}

/** Removes keywords that do not constrain values, or that mean something else to Ajv. */
function removeAnnotations(schema: Schema): void {
  for (const keyword of Object.keys(schema))
    if (/^(?:x-|(?:examples?|readOnly|writeOnly|discriminator|id|\$async|\$dynamicAnchor)$)/.test(keyword))
      Reflect.deleteProperty(schema, keyword);
}

/**
 * Writes the body of an error as its schema declares it: our own `{error, message}`, RFC 9457, `{code, message}`, `{error: {...}}`,
 * `{errors: [...]}`, `{detail}` and mixtures of them. The name of a field decides what goes into it (error-fields.ts), and a list gets
 * all violations. Any other required field gets a placeholder.
 */
import { type Document, follow, pathOfPointer, type Schema } from '../contract/document';
import { isSchema, typesOf } from '../contract/traverse';
import { placeholder, isHolder, isMessage, isPlace, type NamedError, valueFor, type PlacedError } from './error-fields';

/** Writes an error; undefined if it lacks something that the schema requires. Adds the names of fields with a placeholder to `filled`. */
export type Writer = (error: NamedError, filled?: string[]) => unknown;

/** How many combinations of branches are tried. */
const ALTERNATIVES_MAX = 16;
const DEPTH_MAX = 6;

/** The ways to write an error that a schema may accept, the best first; none if the schema names no type and no field. */
export function writersOf(document: Document, schema: Schema): Writer[] {
  const alternatives = alternativesOf(document, schema).filter(
    (each) => typesOf(each).size > 0 || Object.keys(fieldsOf(each)).length > 0,
  );
  const write =
    (alternative: Schema[], fills: boolean, isAlone: boolean): Writer =>
    (error, filled = []) =>
      valueOf(document, alternative, '', { ...error, isAlone, around: [], filled: fills ? filled : undefined }, 0);
  return [false, true].flatMap((fills) =>
    alternatives.flatMap((each) => [write(each, fills, false), write(each, fills, true)]),
  );
}

/** The schema's fields in words, for a message: `{title, status: integer, detail?}`. */
export function describe(document: Document, schema: Schema): string {
  const [alternative = []] = alternativesOf(document, schema);
  const required = requiredOf(alternative);
  const fields = Object.entries(fieldsOf(alternative)).map(([name, parts]) => {
    const types = [...typesOf(parts.flatMap((part) => alternativesOf(document, part)[0] ?? []))].join(' or ');
    return `${name}${required.has(name) ? '' : '?'}${types === '' ? '' : `: ${types}`}`;
  });
  return fields.length > 0 ? `{${fields.join(', ')}}` : [...typesOf(alternative)].join(' or ') || 'any value';
}

/** One set of schemas for each combination of `anyOf` and `oneOf` branches; all schemas of a set apply together. */
function alternativesOf(document: Document, schema: unknown, depth = 0): Schema[][] {
  if (!isSchema(schema) || depth > DEPTH_MAX) return [[]];
  const choices: Schema[][][] = [[[schema]]];
  if (schema.$ref !== undefined) choices.push(alternativesOf(document, follow(document, schema), depth + 1));
  for (const part of schema.allOf ?? []) choices.push(alternativesOf(document, part, depth + 1));
  for (const branches of [schema.anyOf, schema.oneOf])
    if (Array.isArray(branches)) choices.push(branches.flatMap((each) => alternativesOf(document, each, depth + 1)));
  return choices.reduce(
    (all, next) => all.flatMap((some) => next.map((more) => [...some, ...more])).slice(0, ALTERNATIVES_MAX),
    [[]],
  );
}

function fieldsOf(schemas: readonly Schema[]): Record<string, Schema[]> {
  const fields = Object.create(null) as Record<string, Schema[]>; // a field may be called "constructor"
  for (const { properties = {} } of schemas)
    for (const [name, schema] of Object.entries(properties)) (fields[name] ??= []).push(schema);
  return fields;
}

function requiredOf(schemas: readonly Schema[]): Set<string> {
  return new Set(schemas.flatMap(({ required = [] }) => required));
}

/** What is written at one place of the body, and inside of what. */
interface Context extends PlacedError {
  /** Whether a list gets the error as its only item, rather than each violation. */
  isAlone: boolean;
  /** The schemas of the objects around it. */
  around: readonly Schema[];
  /** Collects the names of fields with a placeholder; undefined if placeholders are not allowed. */
  filled: string[] | undefined;
}

/** The value of a field: the first that one of its alternatives has. */
function fieldOf(document: Document, parts: Schema[], name: string, context: Context, depth: number): unknown {
  if (depth > DEPTH_MAX) return undefined;
  for (const alternative of alternativesOf(document, { allOf: parts })) {
    const value = valueOf(document, alternative, name, context, depth);
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueOf(document: Document, schemas: Schema[], name: string, context: Context, depth: number): unknown {
  const types = typesOf(schemas);
  const { violation, isAlone, error } = context;
  const isOfPlace = violation !== undefined && isPlace(name);
  const isOfError = isHolder(name);
  if (types.has('object') || Object.keys(fieldsOf(schemas)).length > 0)
    return isOfError || isOfPlace ? objectOf(document, schemas, context, depth) : undefined;
  if (!types.has('array')) return valueFor(name, schemas, types, context);
  if (isOfPlace) return pathOfPointer(violation.place);
  if (!isOfError && !isMessage(name)) return undefined;
  const isList = error.violations.length > 0 && !violation && !isAlone;
  const all = isList ? error.violations.map((each) => ({ ...context, violation: each, around: [] })) : [context];
  const list = all
    .slice(0, Math.min(...schemas.map(({ maxItems }) => Number(maxItems ?? Infinity))))
    .map((each) => fieldOf(document, itemsOf(schemas), ITEM_NAME, each, depth + 1));
  return list.includes(undefined) ? undefined : list;
}

/** Items of a list of errors are written like a field of this name: a text is the message. */
const ITEM_NAME = 'message';

function itemsOf(schemas: readonly Schema[]): Schema[] {
  return schemas.flatMap(({ items }) => (isSchema(items) ? [items] : []));
}

function objectOf(document: Document, schemas: Schema[], context: Context, depth: number): object | undefined {
  const [fields, required] = [fieldsOf(schemas), requiredOf(schemas)];
  if (isWithin(schemas, context.around)) return undefined;
  const names = Object.keys(fields);
  const around = [...context.around, ...schemas];
  const within = { ...context, around, hasMessage: names.some(isMessage), hasPlace: names.some(isPlace) };
  const written: Record<string, unknown> = {};
  for (const name of new Set([...names, ...required])) {
    const parts = fields[name] ?? [];
    const known = fieldOf(document, parts, name, within, depth + 1);
    const value = known ?? (required.has(name) ? fillerOf(document, parts, name, within, depth + 1) : undefined);
    if (value !== undefined) written[name] = value;
    else if (required.has(name)) return undefined;
  }
  return written;
}

/** Whether the schemas, or a union among them, are recursive here: writing the error again would say nothing more, and never end. */
function isWithin(schemas: readonly Schema[], around: readonly Schema[]): boolean {
  const own = schemas.filter(({ properties }) => properties);
  const unions = schemas.filter(({ anyOf, oneOf }) => anyOf ?? oneOf);
  const isAround = (schema: Schema): boolean => around.includes(schema);
  return unions.some(isAround) || (own.length > 0 && own.every(isAround));
}

/** What goes into a required field that an error has nothing for. */
function fillerOf(document: Document, parts: Schema[], name: string, context: Context, depth: number): unknown {
  const schemas = alternativesOf(document, { allOf: parts })[0] ?? [];
  const types = typesOf(alternativesOf(document, { allOf: parts }).flat());
  if (types.has('null')) return null;
  if (types.has('array') && !schemas.some(({ minItems }) => minItems !== undefined)) return [];
  const { filled } = context;
  if (!filled || depth > DEPTH_MAX) return undefined;
  if (types.has('object') || Object.keys(fieldsOf(schemas)).length > 0)
    return objectOf(document, schemas, context, depth);
  filled.push(name);
  if (!types.has('array')) return placeholder(schemas, types, context);
  const item = fillerOf(document, itemsOf(schemas), name, context, depth + 1);
  return item === undefined ? undefined : [item];
}

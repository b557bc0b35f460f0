/**
 * Guesses how an error is written for a schema: our own `{error, message}`, RFC 9457, `{code, message}`, `{error:
 * {...}}`, `{errors: [...]}`, `{detail}` and mixtures of them. The name of a field decides what goes into it
 * (fields.ts), and a list gets all violations. Any other required field gets a placeholder.
 */
import { type Document, follow, isSchema, type Schema, typesOf } from '../../engine/reading';
import { isHolder, isMessage, isPlace, knownPart, placeholder, type Place } from './fields';
import { constant, listOf, objectOf, type Part, PLACE_STEPS, violationsOf } from './part';

/** A way to write errors. */
export interface Guess {
  part: Part;
  /** The names of required fields with a placeholder. */
  filled: string[];
}

/** The maximum number of branch combinations to try. */
const ALTERNATIVES_MAX = 16;
const DEPTH_MAX = 6;

/** Guesses that a schema may accept, best first; none if the schema names no type and no field. */
export function guessesFor(
  document: Document,
  schema: Schema,
  { errors, fits }: Pick<Place, 'errors' | 'fits'>,
): Guess[] {
  const alternatives = alternativesOf(document, schema).filter(
    (each) => typesOf(each).size > 0 || Object.keys(fieldsOf(each)).length > 0,
  );
  const guess = (alternative: Schema[], fills: boolean, isAlone: boolean): Guess[] => {
    const filled = fills ? new Set<string>() : undefined;
    const context: Context = { document, errors, fits, isOfViolation: false, isAlone, around: [], depth: 0, filled };
    const part = valueOf(alternative, '', context);
    return part ? [{ part, filled: [...(filled ?? [])] }] : [];
  };
  return [false, true].flatMap((fills) =>
    alternatives.flatMap((each) => [...guess(each, fills, false), ...guess(each, fills, true)]),
  );
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

/** A place in the body, and its surroundings. */
interface Context extends Place {
  document: Document;
  /** True if a list gets the error as its only item, rather than each violation. */
  isAlone: boolean;
  /** The schemas of the objects around it. */
  around: readonly Schema[];
  /** The number of objects and lists around it. */
  depth: number;
  /** Collects the names of fields with a placeholder; undefined if placeholders are not allowed. */
  filled: Set<string> | undefined;
}

/** The part for a field, from the first of its alternatives that has one. */
function fieldOf(schemas: Schema[], name: string, context: Context): Part | undefined {
  if (context.depth > DEPTH_MAX) return undefined;
  for (const alternative of alternativesOf(context.document, { allOf: schemas })) {
    const found = valueOf(alternative.slice(1), name, context); // without the schema made here
    if (found) return found;
  }
  return undefined;
}

function valueOf(schemas: Schema[], name: string, context: Context): Part | undefined {
  const types = typesOf(schemas);
  const isOfPlace = context.isOfViolation && isPlace(name);
  if (types.has('object') || Object.keys(fieldsOf(schemas)).length > 0)
    return isHolder(name) || isOfPlace ? membersOf(schemas, context) : undefined;
  if (!types.has('array')) return knownPart(name, schemas, context);
  if (isOfPlace) return PLACE_STEPS;
  return isHolder(name) || isMessage(name) ? itemsOf(schemas, context) : undefined;
}

/** The field name for items of a list of errors: a text item is the message. */
const ITEM_NAME = 'message';

function itemsOf(schemas: Schema[], context: Context): Part | undefined {
  const items = itemSchemas(schemas);
  const depth = context.depth + 1;
  const itemOf = (within: Context): Part | undefined => fieldOf(items, ITEM_NAME, { ...within, depth });
  const item = itemOf(context);
  const alone = item && listOf([item]);
  if (context.isOfViolation || context.isAlone) return alone;
  const each = itemOf({ ...context, isOfViolation: true, around: [] });
  if (!each) return alone;
  const all = violationsOf(each, Math.min(...schemas.map(({ maxItems }) => Number(maxItems ?? Infinity))));
  return alone && all.orElse ? all.orElse(alone) : all;
}

function itemSchemas(schemas: readonly Schema[]): Schema[] {
  return schemas.flatMap(({ items }) => (isSchema(items) ? [items] : []));
}

function membersOf(schemas: Schema[], context: Context): Part | undefined {
  const [fields, required] = [fieldsOf(schemas), requiredOf(schemas)];
  if (isWithin(schemas, context.around)) return undefined;
  const names = Object.keys(fields);
  const [around, depth] = [[...context.around, ...schemas], context.depth + 1];
  const within = { ...context, around, depth, hasMessage: names.some(isMessage), hasPlace: names.some(isPlace) };
  const members: [string, Part][] = [];
  for (const name of new Set([...names, ...required])) {
    const parts = fields[name] ?? [];
    const known = fieldOf(parts, name, within);
    const isComplete = known && !known.orElse;
    const filler = required.has(name) && !isComplete ? fillerOf(parts, name, within) : undefined;
    if (required.has(name) && !isComplete && !filler) return undefined;
    const part = filler && known?.orElse ? known.orElse(filler) : (known ?? filler);
    if (part && (required.has(name) || part.code !== '{}')) members.push([name, part]);
  }
  return objectOf(members);
}

/**
 * True if the schemas, or a union among them, are recursive here: writing the error again would add nothing, and never
 * end.
 */
function isWithin(schemas: readonly Schema[], around: readonly Schema[]): boolean {
  const own = schemas.filter(({ properties }) => properties);
  const unions = schemas.filter(({ anyOf, oneOf }) => anyOf ?? oneOf);
  const isAround = (schema: Schema): boolean => around.includes(schema);
  return unions.some(isAround) || (own.length > 0 && own.every(isAround));
}

/** The filler for a required field that an error has no value for. */
function fillerOf(parts: Schema[], name: string, context: Context): Part | undefined {
  const { document, depth, filled } = context;
  const alternatives = alternativesOf(document, { allOf: parts }).map((each) => each.slice(1));
  const [schemas = []] = alternatives;
  const types = typesOf(alternatives.flat());
  if (types.has('null')) return constant(null);
  if (types.has('array') && !schemas.some(({ minItems }) => minItems !== undefined)) return listOf([]);
  if (!filled || depth > DEPTH_MAX) return undefined;
  if (types.has('object') || Object.keys(fieldsOf(schemas)).length > 0) return membersOf(schemas, context);
  filled.add(name);
  if (!types.has('array')) return placeholder(name, schemas, types, context);
  const item = fillerOf(itemSchemas(schemas), name, { ...context, depth: depth + 1 });
  return item && listOf([item]);
}

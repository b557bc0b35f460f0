/**
 * The body of an error as a schema declares it. The usual names of fields say what belongs into them: ours (`error` a number,
 * `message`), RFC 9457, `{code, message}`, `{error: {...}}`, `{errors: [...]}`, `{detail}` and their mixtures. A list has all that is
 * wrong with a request. Other fields that are required get a value that the schema allows.
 */
import { STATUS_CODES } from 'node:http';
import type { ApiError, Violation } from '../http/api-error';
import { type Document, follow, pathOfPointer, type Schema } from '../contract/document';
import { isSchema, typesOf } from '../contract/walk';

/** An error, with the name of its code. */
export interface NamedError {
  error: ApiError;
  name: string;
}

/** Writes an error; undefined if the schema asks for what an error does not have. Into `filled` go the fields that mean nothing. */
export type Writer = (error: NamedError, filled?: string[]) => unknown;

/** More combinations of branches than these are not tried. */
const ALTERNATIVES_MAX = 16;
const DEPTH_MAX = 6;

/** The ways to write an error that a schema may accept, the best first; none if it asks for no field at all. */
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

/** By `anyOf` and `oneOf`, the sets of schemas of which all apply together. */
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

/** What is known at a place of the body. */
interface Context extends NamedError {
  /** Whether the message stands beside the field that is written: a title is then the name of the status. */
  hasMessage?: boolean;
  /** In a list of all that is wrong, what is written. */
  violation?: Violation;
  /** Whether its place stands beside the field that is written. */
  hasPlace?: boolean;
  /** Whether a list has room for the error alone. */
  isAlone: boolean;
  /** The schemas of the objects that what is written stands in. */
  around: readonly Schema[];
  /** Where the names of fields go that mean nothing; undefined if there must be none. */
  filled: string[] | undefined;
}

/** The first value that the alternatives of a field's schema have for it. */
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
  const isPlace = violation !== undefined && PLACE.test(plain(name));
  const holds = HOLDS.test(plain(name));
  if (types.has('object') || Object.keys(fieldsOf(schemas)).length > 0)
    return holds || isPlace ? objectOf(document, schemas, context, depth) : undefined;
  if (!types.has('array')) return scalarOf(schemas, types, plain(name), context);
  if (isPlace) return pathOfPointer(violation.place);
  if (!holds && !MESSAGE.test(plain(name))) return undefined;
  const isList = error.violations.length > 0 && !violation && !isAlone;
  const all = isList ? error.violations.map((each) => ({ ...context, violation: each, around: [] })) : [context];
  const list = all
    .slice(0, Math.min(...schemas.map(({ maxItems }) => Number(maxItems ?? Infinity))))
    .map((each) => fieldOf(document, itemsOf(schemas), HOLDER, each, depth + 1));
  return list.includes(undefined) ? undefined : list;
}

/** The name of what stands in a list of errors: as text it is the message. */
const HOLDER = 'message';

function itemsOf(schemas: readonly Schema[]): Schema[] {
  return schemas.flatMap(({ items }) => (isSchema(items) ? [items] : []));
}

function objectOf(document: Document, schemas: Schema[], context: Context, depth: number): object | undefined {
  const [fields, required] = [fieldsOf(schemas), requiredOf(schemas)];
  if (isWithin(schemas, context.around)) return undefined;
  const has = (names: RegExp): boolean => Object.keys(fields).some((name) => names.test(plain(name)));
  const around = [...context.around, ...schemas];
  const within = { ...context, around, hasMessage: has(MESSAGE), hasPlace: has(PLACE) };
  const written: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(fields), ...required])) {
    const parts = fields[name] ?? [];
    const known = fieldOf(document, parts, name, within, depth + 1);
    const value = known ?? (required.has(name) ? emptyOf(document, parts, name, within, depth + 1) : undefined);
    if (value !== undefined) written[name] = value;
    else if (required.has(name)) return undefined;
  }
  return written;
}

/** Whether schemas, or a union among them, stand within themselves: an error there says nothing more, and has no end. */
function isWithin(schemas: readonly Schema[], around: readonly Schema[]): boolean {
  const own = schemas.filter(({ properties }) => properties);
  const unions = schemas.filter(({ anyOf, oneOf }) => anyOf ?? oneOf);
  const isAround = (schema: Schema): boolean => around.includes(schema);
  return unions.some(isAround) || (own.length > 0 && own.every(isAround));
}

/** What a required field holds of which an error knows nothing. */
function emptyOf(document: Document, parts: Schema[], name: string, context: Context, depth: number): unknown {
  const schemas = alternativesOf(document, { allOf: parts })[0] ?? [];
  const types = typesOf(alternativesOf(document, { allOf: parts }).flat());
  if (types.has('null')) return null;
  if (types.has('array') && !schemas.some(({ minItems }) => minItems !== undefined)) return [];
  const { filled } = context;
  if (!filled || depth > DEPTH_MAX) return undefined;
  if (types.has('object') || Object.keys(fieldsOf(schemas)).length > 0)
    return objectOf(document, schemas, context, depth);
  filled.push(name);
  if (!types.has('array')) return anyScalar(schemas, types, context);
  const item = emptyOf(document, itemsOf(schemas), name, context, depth + 1);
  return item === undefined ? undefined : [item];
}

/** By format, texts that mean nothing. */
const EMPTY_TEXTS: Readonly<Record<string, () => string>> = {
  'date-time': () => new Date().toISOString(),
  date: () => new Date().toISOString().slice(0, 10),
  uuid: () => '00000000-0000-0000-0000-000000000000',
  uri: () => 'about:blank',
  url: () => 'http://localhost/',
  email: () => 'nobody@localhost.invalid',
};

/** Words in the values of an enumeration that fit errors of the server, and those of requests. */
const OF_SERVER = /internal|server|unexpected|unknown|api_error/i;
const OF_REQUEST = /invalid|bad|malformed|validation|request/i;

function anyScalar(schemas: readonly Schema[], types: ReadonlySet<string>, { error, name }: Context): unknown {
  const [list] = listsOf(schemas);
  const fitting = error.status >= 500 ? OF_SERVER : OF_REQUEST;
  if (list) return list.find((value) => fitting.test(String(value))) ?? list[0];
  const examples = schemas
    .flatMap(({ default: standard, example, examples = [] }) => [standard, example, examples])
    .flat();
  const example: unknown = examples.find((each) => each !== undefined && each !== null);
  if (example !== undefined) return example;
  const { format = '', minimum = 0 } = schemas.find((each) => 'format' in each || 'minimum' in each) ?? {};
  if (types.has('integer') || types.has('number')) return minimum;
  if (types.has('boolean')) return false;
  if (Object.hasOwn(EMPTY_TEXTS, format)) return EMPTY_TEXTS[format]?.();
  return schemas.some(({ minLength = 0 }) => Number(minLength) > 0) ? name : '';
}

const HOLDS = /^(?:|errors?|details?|data|violations|message|body|invalidparams|validationerrors|fielderrors|issues)$/;
const MESSAGE =
  /^(?:message|messages|msg|errormessage|errordescription|details?|description|reason|usermessage|errormsg)$/;

/** What is wrong, in a list of it: a JSON pointer or its steps; of `in`, the first of them. */
const PLACE =
  /^(?:pointer|path|field|fieldname|property|name|loc|location|place|source|param|parameter|instancepath|attribute|in)$/;

function placesOf({ violation }: Context): unknown[] {
  return violation ? [violation.place, pathOfPointer(violation.place)[0]] : [];
}

function messageOf({ error, violation, hasPlace }: Context): string {
  if (!violation) return error.message;
  return hasPlace ? violation.text : `${violation.place}: ${violation.text}`;
}

const KIND = /^(?:type|name|kind|errortype|category|code|errorcode|errorname)$/;

/** By the name of a field in small letters, what of an error belongs there; the first that its schema allows is taken. */
const MEANINGS: readonly [name: RegExp, values: (context: Context) => unknown[]][] = [
  [/^in$/, (context) => placesOf(context).slice(1)],
  [PLACE, placesOf],
  [/^$/, (context) => [messageOf(context)]],
  [MESSAGE, (context) => [messageOf(context)]],
  [
    /^(?:status|statuscode|httpstatus|httpcode|httpstatuscode)$/,
    ({ error: { status } }) => [status, String(status), STATUS_CODES[status]],
  ],
  [/^(?:error|code|errorcode|errno|errornumber|id)$/, ({ error: { code, status } }) => [code, status]],
  [
    /^(?:error|title|statustext|summary|label)$/,
    (context) => {
      const phrase = STATUS_CODES[context.error.status];
      return [context.hasMessage ? phrase : messageOf(context), phrase];
    },
  ],
  [KIND, ({ error: { status, code }, name }) => [name, STATUS_CODES[status], String(code)]],
  [/^(?:timestamp|time|date|datetime)$/, () => [new Date().toISOString()]],
  [/^(?:success|ok|successful|succeeded)$/, () => [false]],
  [/^(?:error|iserror|failed|failure)$/, () => [true]],
];

/** The first of the values that an error has for a field of this name which its schema allows. */
function scalarOf(schemas: readonly Schema[], types: ReadonlySet<string>, name: string, context: Context): unknown {
  const isUrl = KIND.test(name) && schemas.some(({ format }) => format === 'uri' || format === 'uri-reference');
  const all = isUrl
    ? ['about:blank']
    : MEANINGS.flatMap(([names, values]) => (names.test(name) ? values(context) : []));
  const wanted = all.filter((value) => types.size === 0 || isOf(types, value));
  const [list] = listsOf(schemas);
  if (!list) return wanted[0];
  if (list.length === 1) return list[0];
  return list.find((value) => [...wanted, context.error.status].some((each) => sameWord(each, value)));
}

/** The values that schemas list. */
function listsOf(schemas: readonly Schema[]): unknown[][] {
  return schemas.flatMap(({ enum: values, const: value }) => [
    ...(Array.isArray(values) ? [values as unknown[]] : []),
    ...(value === undefined ? [] : [[value]]),
  ]);
}

function isOf(types: ReadonlySet<string>, value: unknown): boolean {
  return types.has(typeof value) || (typeof value === 'number' && types.has('integer'));
}

function sameWord(a: unknown, b: unknown): boolean {
  return a === b || plain(String(a)).replaceAll(' ', '') === plain(String(b)).replaceAll(' ', '');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

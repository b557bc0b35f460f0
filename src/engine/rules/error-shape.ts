/**
 * The body of an error as a schema declares it. The usual names of fields say what belongs into them: ours (`error` a number,
 * `message`), RFC 9457, `{code, message}`, `{error: {...}}`, `{errors: [...]}`, `{detail}` and their mixtures. A list has all that is
 * wrong with a request.
 */
import { STATUS_CODES } from 'node:http';
import type { ApiError, Violation } from '../http/api-error';
import { type Document, follow, pathOfPointer, type Schema } from '../contract/document';
import { isSchema, typesOf } from '../contract/walk';

/** An error, with the name of its code. */
export interface NamedError {
  error: ApiError;
  name: string;
  /** Whether its message stands beside the field that is written: a title is then the name of the status. */
  hasMessage?: boolean;
  /** In a list of all that is wrong, what is written. */
  violation?: Violation;
  /** Whether its place stands beside the field that is written. */
  hasPlace?: boolean;
  /** Whether a list has room for the error alone. */
  isAlone?: boolean;
}

/** Writes an error; undefined where the schema asks for what an error does not have. */
export type Writer = (error: NamedError) => unknown;

/** More combinations of branches than these are not tried. */
const ALTERNATIVES_MAX = 16;
const DEPTH_MAX = 6;

/** The ways to write an error that a schema may accept, in its order; none if it asks for no field at all. */
export function writersOf(document: Document, schema: Schema): Writer[] {
  return alternativesOf(document, schema).flatMap((alternative) => {
    const isFree = typesOf(alternative).size === 0 && Object.keys(fieldsOf(alternative)).length === 0;
    const write: Writer = (error) => valueOf(document, alternative, '', error, 0);
    return isFree ? [] : [write, (error) => write({ ...error, isAlone: true })];
  });
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
  const fields: Record<string, Schema[]> = {};
  for (const { properties = {} } of schemas)
    for (const [name, schema] of Object.entries(properties)) (fields[name] ??= []).push(schema);
  return fields;
}

function requiredOf(schemas: readonly Schema[]): Set<string> {
  return new Set(schemas.flatMap(({ required = [] }) => required));
}

/** The first value for a field of this name that the alternatives of its schema have. */
function fieldOf(document: Document, parts: Schema[], name: string, error: NamedError, depth: number): unknown {
  if (depth > DEPTH_MAX) return undefined;
  for (const alternative of alternativesOf(document, { allOf: parts })) {
    const value = valueOf(document, alternative, name, error, depth);
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueOf(document: Document, schemas: Schema[], name: string, error: NamedError, depth: number): unknown {
  const types = typesOf(schemas);
  const fields = fieldsOf(schemas);
  if (types.has('object') || Object.keys(fields).length > 0) {
    const isPlace = error.violation !== undefined && PLACE.test(plain(name));
    if (name !== '' && !HOLDS.test(plain(name)) && !isPlace) return undefined;
    return objectOf(document, fields, requiredOf(schemas), error, depth);
  }
  if (types.has('array')) {
    if (error.violation && PLACE.test(plain(name))) return pathOfPointer(error.violation.place);
    if (name !== '' && !HOLDS.test(plain(name)) && !MESSAGE.test(plain(name))) return undefined;
    const { violations } = error.error;
    const isList = violations.length > 0 && !error.violation && !error.isAlone;
    const all = isList ? violations.map((violation) => ({ ...error, violation })) : [error];
    const list = all
      .slice(0, Math.min(...schemas.map(({ maxItems }) => Number(maxItems ?? Infinity))))
      .map((each) => fieldOf(document, itemsOf(schemas), HOLDER, each, depth + 1));
    return list.includes(undefined) ? undefined : list;
  }
  return scalarOf(schemas, types, plain(name), error);
}

/** The name of what stands in a list of errors: as text it is the message. */
const HOLDER = 'message';

function itemsOf(schemas: readonly Schema[]): Schema[] {
  return schemas.flatMap(({ items }) => (isSchema(items) ? [items] : []));
}

function objectOf(
  document: Document,
  fields: Record<string, Schema[]>,
  required: ReadonlySet<string>,
  error: NamedError,
  depth: number,
): object | undefined {
  const names = Object.keys(fields).map(plain);
  const within = {
    ...error,
    hasMessage: names.some((name) => MESSAGE.test(name)),
    hasPlace: names.some((name) => PLACE.test(name)),
  };
  const written: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(fields), ...required])) {
    const parts = fields[name] ?? [];
    const known = fieldOf(document, parts, name, within, depth + 1);
    const value = known ?? (required.has(name) ? emptyOf(document, parts) : undefined);
    if (value !== undefined) written[name] = value;
    else if (required.has(name)) return undefined;
  }
  return written;
}

/** What a required field holds of which an error knows nothing. */
function emptyOf(document: Document, parts: Schema[]): unknown {
  const types = typesOf(alternativesOf(document, { allOf: parts }).flat());
  return types.has('null') ? null : types.has('array') ? [] : undefined;
}

const MESSAGE =
  /^(?:message|messages|msg|errormessage|errordescription|details?|description|reason|usermessage|errormsg)$/;
const TITLE = /^(?:error|title|statustext|summary|label)$/;
const KIND = /^(?:type|name|kind|errortype|category|code|errorcode|errorname)$/;
const CODE = /^(?:error|code|errorcode|errno|errornumber|id)$/;
const STATUS = /^(?:status|statuscode|httpstatus|httpcode|httpstatuscode)$/;
const TIME = /^(?:timestamp|time|date|datetime)$/;
const SUCCEEDED = /^(?:success|ok|successful|succeeded)$/;
const FAILED = /^(?:error|iserror|failed|failure)$/;
const HOLDS = /^(?:errors?|details?|data|violations|message|invalidparams|validationerrors|fielderrors|issues)$/;
/** What is wrong, in a list of it: a JSON pointer or its steps; of `in`, the first of them. */
const PLACE =
  /^(?:pointer|path|field|fieldname|property|name|loc|location|place|source|param|parameter|instancepath|attribute|in)$/;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The first of the values that an error has for a field of this name which its schema allows. */
function scalarOf(
  schemas: readonly Schema[],
  types: ReadonlySet<string>,
  name: string,
  { error, name: kind, hasMessage, violation, hasPlace }: NamedError,
): unknown {
  const { code, status } = error;
  const message = violation ? (hasPlace ? violation.text : `${violation.place}: ${violation.text}`) : error.message;
  const phrase = STATUS_CODES[status] ?? '';
  const isUrl = schemas.some(({ format }) => format === 'uri' || format === 'uri-reference');
  const candidates: unknown[] = [];
  if (violation && PLACE.test(name)) {
    const [part = ''] = pathOfPointer(violation.place);
    candidates.push(...(name === 'in' ? [part] : [violation.place, part]));
  }
  if (name === '' || MESSAGE.test(name)) candidates.push(message);
  if (STATUS.test(name)) candidates.push(status, String(status), phrase);
  if (CODE.test(name)) candidates.push(code, status);
  if (TITLE.test(name)) candidates.push(hasMessage ? phrase : message, phrase);
  if (KIND.test(name)) candidates.push(...(isUrl ? ['about:blank'] : [kind, phrase, String(code)]));
  if (TIME.test(name)) candidates.push(new Date().toISOString());
  if (SUCCEEDED.test(name)) candidates.push(false);
  if (FAILED.test(name)) candidates.push(true);
  const wanted = candidates.filter((value) => types.size === 0 || isOf(types, value));
  const lists = schemas.flatMap(({ enum: values, const: value }) => [
    ...(Array.isArray(values) ? [values as unknown[]] : []),
    ...(value === undefined ? [] : [[value]]),
  ]);
  const [list] = lists;
  if (!list) return wanted[0];
  if (list.length === 1) return list[0];
  return list.find((value) => [...wanted, status].some((each) => sameWord(each, value)));
}

function isOf(types: ReadonlySet<string>, value: unknown): boolean {
  return types.has(typeof value) || (typeof value === 'number' && types.has('integer'));
}

function sameWord(a: unknown, b: unknown): boolean {
  return a === b || plain(String(a)).replaceAll(' ', '') === plain(String(b)).replaceAll(' ', '');
}

/** What an error has for a field of its body, by the names that such fields usually have. */
import { STATUS_CODES } from 'node:http';
import { pathOfPointer, type Schema } from '../contract/document';
import type { ApiError, Violation } from '../errors/api-error';

/** An error, with the name of its code. */
export interface NamedError {
  error: ApiError;
  name: string;
}

/** An error at one place of its body. */
export interface PlacedError extends NamedError {
  /** The item of a list of violations that is being written. */
  violation?: Violation;
  /** Whether a message stands beside the field: a title is then the name of the status. */
  hasMessage?: boolean;
  /** Whether the place of the violation stands beside the field. */
  hasPlace?: boolean;
}

/** Whether a field of this name has the whole error in it, or a list of what is wrong. */
export function isHolder(name: string): boolean {
  return HOLDER.test(plain(name));
}

/** Whether a field of this name has the message. */
export function isMessage(name: string): boolean {
  return MESSAGE.test(plain(name));
}

/** Whether a field of this name has the place of a violation. */
export function isPlace(name: string): boolean {
  return PLACE.test(plain(name));
}

/** The first value that an error has for a field of this name and that the field's schemas allow; undefined if there is none. */
export function valueFor(
  fieldName: string,
  schemas: readonly Schema[],
  types: ReadonlySet<string>,
  placed: PlacedError,
): unknown {
  const name = plain(fieldName);
  const isUrl = KIND.test(name) && schemas.some(({ format }) => format === 'uri' || format === 'uri-reference');
  const all = isUrl
    ? ['about:blank']
    : VALUES.flatMap(([names, valuesOf]) => (names.test(name) ? valuesOf(placed) : []));
  const fitting = all.filter((value) => types.size === 0 || isOf(types, value));
  const [list] = listsOf(schemas);
  if (!list) return placed.violation ? fitting[0] : cutToFit(fitting[0], schemas);
  const isNumber = (value: unknown): boolean => typeof value === 'number'; // a code that is another error's
  if (list.length === 1 && !(isNumber(list[0]) && fitting.some(isNumber))) return list[0];
  return list.find((value) => [...fitting, placed.error.status].some((each) => isSameWord(each, value)));
}

/** A text no longer than the schemas allow. */
function cutToFit(value: unknown, schemas: readonly Schema[]): unknown {
  const lengthMax = Math.min(...schemas.map(({ maxLength }) => Number(maxLength ?? Infinity)));
  return typeof value === 'string' && value.length > lengthMax ? Array.from(value).slice(0, lengthMax).join('') : value;
}

/** Some value that the schemas allow, for a required field that an error has nothing for. */
export function placeholder(schemas: readonly Schema[], types: ReadonlySet<string>, placed: PlacedError): unknown {
  const { error, name } = placed;
  const [list] = listsOf(schemas);
  const words = error.status >= 500 ? SERVER_WORDS : REQUEST_WORDS;
  // A listed number may be the code of another error.
  if (list) return list.find((value) => words.test(String(value))) ?? list.find((value) => typeof value !== 'number');
  const examples = schemas
    .flatMap(({ default: standard, example, examples = [] }) => [standard, example, examples])
    .flat();
  const example: unknown = examples.find((each) => each !== undefined && each !== null);
  if (example !== undefined) return example;
  const { format = '', minimum = 0 } = schemas.find((each) => 'format' in each || 'minimum' in each) ?? {};
  if (types.has('integer') || types.has('number')) return minimum;
  if (types.has('boolean')) return false;
  if (Object.hasOwn(TEXTS, format)) return TEXTS[format]?.();
  return schemas.some(({ minLength = 0 }) => Number(minLength) > 0) ? name : '';
}

// Names are compared in small letters, without `_` and `-`.
const HOLDER = /^(?:|errors?|details?|data|violations|message|body|invalidparams|validationerrors|fielderrors|issues)$/;
const MESSAGE =
  /^(?:message|messages|msg|errormessage|errordescription|details?|description|reason|usermessage|errormsg)$/;
const PLACE =
  /^(?:pointer|path|field|fieldname|property|name|loc|location|place|source|param|parameter|instancepath|attribute|in)$/;
const KIND = /^(?:type|name|kind|errortype|category|code|errorcode|errorname)$/;

/** What an error has for a name, the best first. */
const VALUES: readonly [name: RegExp, valuesOf: (placed: PlacedError) => unknown[]][] = [
  [/^in$/, (placed) => placesOf(placed).slice(1)],
  [PLACE, placesOf],
  [/^$/, (placed) => [messageOf(placed)]],
  [MESSAGE, (placed) => [messageOf(placed)]],
  [
    /^(?:status|statuscode|httpstatus|httpcode|httpstatuscode)$/,
    ({ error: { status } }) => [status, String(status), STATUS_CODES[status]],
  ],
  [/^(?:error|code|errorcode|errno|errornumber|id)$/, ({ error: { code, status } }) => [code, status]],
  [
    /^(?:error|title|statustext|summary|label)$/,
    (placed) => {
      const phrase = STATUS_CODES[placed.error.status];
      return [placed.hasMessage ? phrase : messageOf(placed), phrase];
    },
  ],
  [KIND, ({ error: { status, code }, name }) => [name, STATUS_CODES[status], String(code)]],
  [/^(?:timestamp|time|date|datetime)$/, () => [new Date().toISOString()]],
  [/^(?:success|ok|successful|succeeded)$/, () => [false]],
  [/^(?:error|iserror|failed|failure)$/, () => [true]],
];

/** A JSON pointer, and its first step. */
function placesOf({ violation }: PlacedError): unknown[] {
  return violation ? [violation.place, pathOfPointer(violation.place)[0]] : [];
}

function messageOf({ error, violation, hasPlace }: PlacedError): string {
  if (!violation) return error.message;
  return hasPlace ? violation.text : `${violation.place}: ${violation.text}`;
}

/** The lists of values that schemas allow. */
function listsOf(schemas: readonly Schema[]): unknown[][] {
  return schemas.flatMap(({ enum: values, const: value }) => [
    ...(Array.isArray(values) ? [values as unknown[]] : []),
    ...(value === undefined ? [] : [[value]]),
  ]);
}

function isOf(types: ReadonlySet<string>, value: unknown): boolean {
  return types.has(typeof value) || (typeof value === 'number' && types.has('integer'));
}

function isSameWord(a: unknown, b: unknown): boolean {
  return plain(String(a)).replaceAll(' ', '') === plain(String(b)).replaceAll(' ', '');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Words in the values of an enumeration that fit errors of the server, and those of requests. */
const SERVER_WORDS = /internal|server|unexpected|unknown|api_error/i;
const REQUEST_WORDS = /invalid|bad|malformed|validation|request/i;

/** Texts of a format that say nothing. */
const TEXTS: Readonly<Record<string, () => string>> = {
  'date-time': () => new Date().toISOString(),
  date: () => new Date().toISOString().slice(0, 10),
  uuid: () => '00000000-0000-0000-0000-000000000000',
  uri: () => 'about:blank',
  url: () => 'http://localhost/',
  email: () => 'nobody@localhost.invalid',
};

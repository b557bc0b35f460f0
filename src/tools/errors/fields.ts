/** The parts that an error has for a field of its body, by the names that such fields usually have. */
import type { ApiError } from '../../engine';
import type { Schema } from '../../engine/reading';
import {
  byStatus,
  CODE,
  CODE_NAME,
  CODE_TEXT,
  constant,
  MESSAGE,
  messageCutAt,
  NOW,
  type Part,
  PLACE,
  PLACE_AND_TEXT,
  PLACE_FIRST,
  STATUS,
  STATUS_PHRASE,
  STATUS_TEXT,
  TEXT,
} from './part';

/** A place of the body, and what is written there. */
export interface Place {
  /** The errors that the place is written for. */
  errors: readonly ApiError[];
  /** Set within an item of a list of violations. */
  isOfViolation: boolean;
  /** A message is beside the field: a title is then the name of the status. */
  hasMessage?: boolean;
  /** The place of the violation is beside the field. */
  hasPlace?: boolean;
  /** All schemas accept the part, for each of the errors. */
  fits: (schemas: readonly Schema[], part: Part, isOfViolation: boolean) => boolean;
}

/** A field of this name holds the whole error, or a list of violations. */
export function isHolder(name: string): boolean {
  return HOLDER.test(plain(name));
}

/** A field of this name holds the message. */
export function isMessage(name: string): boolean {
  return MESSAGES.test(plain(name));
}

/** A field of this name holds a title: the message, or the name of the status beside one. */
export function isTitle(name: string): boolean {
  return TITLE.test(plain(name));
}

/** A field of this name holds the place of a violation. */
export function isPlace(name: string): boolean {
  return PLACES.test(plain(name));
}

/** The first part that an error has for a field of this name and that its schemas accept; undefined if there is none. */
export function knownPart(fieldName: string, schemas: readonly Schema[], place: Place): Part | undefined {
  const parts = partsFor(fieldName, schemas, place);
  const found = parts.find((part) => place.fits(schemas, part, place.isOfViolation));
  const [list] = listsOf(schemas);
  if (found || !list) return found;
  const isNumber = (value: unknown): boolean => typeof value === 'number';
  const isOfOtherError = isNumber(list[0]) && parts.some(({ of }) => place.errors.some((each) => isNumber(of(each))));
  if (list.length === 1 && !isOfOtherError) return constant(list[0]);
  return byStatus(statusesOf(place), (status) => wordOf(list, parts, place, status));
}

/** A part that the schemas accept, for a required field that an error has nothing for; none for a message or a title. */
export function placeholder(
  fieldName: string,
  schemas: readonly Schema[],
  types: ReadonlySet<string>,
  place: Place,
): Part | undefined {
  const [list] = listsOf(schemas);
  if (list) {
    const parts = partsFor(fieldName, schemas, place);
    return byStatus(
      statusesOf(place),
      (status) => wordOf(list, parts, place, status) ?? likelyWord(list, status, schemas, place),
    );
  }
  if (isMessage(fieldName) || isTitle(fieldName)) return undefined;
  const examples = schemas
    .flatMap(({ default: standard, example, examples: others = [] }) => [standard, example, others])
    .flat()
    .filter((each) => each !== undefined && each !== null);
  const { format = '', minimum = 0 } = schemas.find((each) => 'format' in each || 'minimum' in each) ?? {};
  const ofType =
    types.has('integer') || types.has('number')
      ? [constant(minimum), STATUS, CODE]
      : types.has('boolean')
        ? [constant(false)]
        : [...(Object.hasOwn(TEXTS, format) ? [TEXTS[format] ?? NOW] : []), constant(''), CODE_NAME];
  return [...examples.map(constant), ...ofType].find((part) => place.fits(schemas, part, place.isOfViolation));
}

// Names are compared in small letters, without `_` and `-`.
const HOLDER = /^(?:|errors?|details?|data|violations|message|body|invalidparams|validationerrors|fielderrors|issues)$/;
const MESSAGES =
  /^(?:message|messages|msg|errormessage|errordescription|details?|description|reason|usermessage|errormsg|text|explanation)$/;
const TITLE = /^(?:title|statustext|summary|label)$/;
const PLACES =
  /^(?:pointer|path|field|fieldname|property|name|loc|location|place|source|param|parameter|instancepath|attribute|in)$/;
const KIND = /^(?:type|name|kind|errortype|category|code|errorcode|errorname)$/;

/** The parts for a name, the best first. */
const PARTS: readonly [name: RegExp, partsOf: (place: Place, lengthMax: number) => Part[]][] = [
  [/^in$/, ({ isOfViolation }) => (isOfViolation ? [PLACE_FIRST] : [])],
  [PLACES, ({ isOfViolation }) => (isOfViolation ? [PLACE, PLACE_FIRST] : [])],
  [/^$/, messageParts],
  [MESSAGES, messageParts],
  [/^(?:status|statuscode|httpstatus|httpcode|httpstatuscode)$/, () => [STATUS, STATUS_TEXT, STATUS_PHRASE]],
  [/^(?:error|code|errorcode|errno|errornumber|id)$/, () => [CODE, STATUS]],
  [
    /^(?:error|title|statustext|summary|label)$/,
    (place, lengthMax) => [...(place.hasMessage ? [STATUS_PHRASE] : messageParts(place, lengthMax)), STATUS_PHRASE],
  ],
  [KIND, () => [CODE_NAME, STATUS_PHRASE, CODE_TEXT]],
  [/^(?:timestamp|time|date|datetime)$/, () => [NOW]],
  [/^(?:success|ok|successful|succeeded)$/, () => [constant(false)]],
  [/^(?:error|iserror|failed|failure)$/, () => [constant(true)]],
];

function partsFor(fieldName: string, schemas: readonly Schema[], place: Place): Part[] {
  const name = plain(fieldName);
  const isUrl = KIND.test(name) && schemas.some(({ format }) => format === 'uri' || format === 'uri-reference');
  const lengthMax = Math.min(...schemas.map(({ maxLength }) => Number(maxLength ?? Infinity)));
  const parts = PARTS.flatMap(([names, partsOf]) => (names.test(name) ? partsOf(place, lengthMax) : []));
  return [...(isUrl ? [constant('about:blank')] : []), ...parts];
}

function messageParts({ isOfViolation, hasPlace }: Place, lengthMax: number): Part[] {
  if (isOfViolation) return [hasPlace ? TEXT : PLACE_AND_TEXT];
  return [lengthMax === Infinity ? MESSAGE : messageCutAt(lengthMax)];
}

/** The word of a list that an error of this status has for the field. */
function wordOf(list: readonly unknown[], parts: readonly Part[], place: Place, status: number): Part | undefined {
  const error = place.errors.find((each) => each.status === status);
  const words = error ? [...parts.map(({ of }) => of(error)), status] : [];
  const word = list.find((value) => words.some((each) => isSameWord(each, value)));
  return word === undefined ? undefined : constant(word);
}

/** A word of a list that says as much as an error of this status is known to be. A number may be the code of another error. */
function likelyWord(
  list: readonly unknown[],
  status: number,
  schemas: readonly Schema[],
  { errors, fits, isOfViolation }: Place,
): Part | undefined {
  const words = status >= 500 ? SERVER_WORDS : REQUEST_WORDS;
  const known = list.filter((value) => words.test(String(value)));
  const others = list.filter((value) => typeof value !== 'number');
  return errors.length === 0
    ? undefined
    : [...known, ...others].map(constant).find((part) => fits(schemas, part, isOfViolation));
}

/** Words of enumerations that fit errors of the server, and those of requests. */
const SERVER_WORDS = /internal|server|unexpected|unknown|api_error/i;
const REQUEST_WORDS = /invalid|bad|malformed|validation|request/i;

function statusesOf({ errors }: Place): number[] {
  return errors.map(({ status }) => status);
}

/** The values that schemas list. */
function listsOf(schemas: readonly Schema[]): unknown[][] {
  return schemas.flatMap(({ enum: values, const: value }) => [
    ...(Array.isArray(values) ? [values as unknown[]] : []),
    ...(value === undefined ? [] : [[value]]),
  ]);
}

function isSameWord(a: unknown, b: unknown): boolean {
  return plain(String(a)).replaceAll(' ', '') === plain(String(b)).replaceAll(' ', '');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Texts of a format that say nothing. */
const TEXTS: Readonly<Record<string, Part>> = {
  'date-time': NOW,
  date: constant('1970-01-01'),
  uuid: constant('00000000-0000-0000-0000-000000000000'),
  uri: constant('about:blank'),
  url: constant('http://localhost/'),
  email: constant('nobody@localhost.invalid'),
};

/** The violations of a request as answers say them: each with its JSON pointer, the expected and the received value. */
import type { ErrorObject } from 'ajv';
import { lookUp, pathOfPointer, pointerOf } from '../contract/document';
import { ApiError, type Violation } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { nearest } from '../errors/misspelt';
import { ExactNumber, isNumber } from '../json/number';
import { listOf } from './number-rules';
import type { Described } from './described-values';
import { exampleOfFormat } from './formats';

/** The most violations that are collected for a request. */
export const VIOLATIONS_MAX = 50;
/** Violations listed in the message; the others are counted. */
const LISTED_MAX = 3;
const POINTER_LENGTH_MAX = 200;
/** The length limit of the expected value: an `enum` may have hundreds of values. */
const TEXT_LENGTH_MAX = 500;
/** The length limit of a received number. */
const VALUE_LENGTH_MAX = 40;
/** Characters that messages do not quote: those of markup, and those that do not print. */
const UNPLAIN = /[^\p{L}\p{M}\p{N} .,:;/+@#%!?()[\]*=_~$|^{}-]/gu;

/** By keyword, the beginning of Ajv's sentence, and of ours; the rest of it is from the contract. */
const PHRASES: Readonly<Record<string, readonly [theirs: RegExp, ours: string]>> = {
  type: [/^must be /, 'expected '],
  'false schema': [/^.*$/s, 'expected no value'],
  format: [/^must match format "(.*)"$/, 'expected $1'],
  pattern: [/^must match pattern "(.*)"$/s, 'expected text that matches $1'],
  enum: [/^must be equal to one of the allowed values: /, 'expected one of '],
  const: [/^must be equal to /, 'expected '],
  minimum: [/^must be /, 'expected a number '],
  maximum: [/^must be /, 'expected a number '],
  exclusiveMinimum: [/^must be /, 'expected a number '],
  exclusiveMaximum: [/^must be /, 'expected a number '],
  multipleOf: [/^must be /, 'expected a '],
  minLength: [/^must NOT have fewer than /, 'expected at least '],
  maxLength: [/^must NOT have more than /, 'expected at most '],
  minItems: [/^must NOT have fewer than /, 'expected at least '],
  maxItems: [/^must NOT have more than /, 'expected at most '],
  minProperties: [/^must NOT have fewer than /, 'expected at least '],
  maxProperties: [/^must NOT have more than /, 'expected at most '],
  contains: [/^must contain /, 'expected '],
  oneOf: [/^.*$/s, 'expected what exactly one of its schemas says'],
  required: [/^.*$/s, 'expected a value'],
  dependentRequired: [/^.*$/s, 'expected a value'],
  additionalProperties: [/^.*$/s, 'expected no property of this name'],
  unevaluatedProperties: [/^.*$/s, 'expected no property of this name'],
  'x-step': [/^must be /, 'expected '],
  'x-unevaluated-items': [/^.*$/s, 'expected no item that its other keywords do not describe'],
  'x-unique-items': [/^.*$/s, 'expected no two items to be equal'],
};

/** Ajv's errors for `what`, the values of a request, as violations; a value of a wrong type has no other violation. */
export function violationsOf(
  findings: readonly Partial<ErrorObject>[],
  what: object,
  describe: (pointer: string) => Described = () => UNKNOWN,
): Violation[] {
  const ofType = new Set<string>();
  const violations: Violation[] = [];
  for (const finding of findings) {
    // Each branch of a union may have as many findings.
    if (violations.length === VIOLATIONS_MAX) break;
    const { instancePath: place = '', propertyName } = finding;
    if (ofType.has(place) && propertyName === undefined) continue;
    if (ruleOf(finding) === 'type') ofType.add(place);
    const hint = violations.length < HINTS_MAX ? nameHint(finding, what, describe) : '';
    violations.push(violationOf(finding, what, describe, hint));
  }
  return violations;
}

/** The violations that hints are looked for, each of which compares many names: those that the message lists. */
export const HINTS_MAX = LISTED_MAX;

const UNKNOWN: Described = { isSecret: true, examples: [], names: [] };

/** The violated keyword; for an exact rule the keyword that it replaces. */
export function ruleOf({ keyword = '', params = {} }: Partial<ErrorObject>): string {
  const { rule }: Details = params;
  return rule ?? keyword;
}

/** The parameters of Ajv's errors that are used here. */
interface Details {
  /** The keyword that an exact rule replaces. */
  rule?: string;
  missingProperty?: string;
  additionalProperty?: string;
  unevaluatedProperty?: string;
  allowedValues?: readonly unknown[];
  allowedValue?: unknown;
}

/** The expected value, as a phrase. */
export function expectedOf(finding: Partial<ErrorObject>): string {
  const { message = '', params = {} } = finding;
  const { allowedValues, allowedValue }: Details = params;
  const rule = ruleOf(finding);
  const phrase = Object.hasOwn(PHRASES, rule) ? PHRASES[rule] : undefined;
  let sentence = message;
  if (allowedValues) sentence = `${message}: ${listOf(allowedValues)}`;
  if (allowedValue !== undefined) sentence = `must be equal to ${listOf([allowedValue])}`;
  if (!phrase) return 'expected what the contract says';
  const said = sentence
    .replace(...phrase)
    .replace(/\b1 (character|item|propert)(?:s|ies)\b/, (_, one: string) =>
      one === 'propert' ? '1 property' : `1 ${one}`,
    );
  return rule === 'type' ? said.replaceAll(/,(?! )/g, ' or ') : said;
}

function violationOf(
  finding: Partial<ErrorObject>,
  what: object,
  describe: (pointer: string) => Described,
  hint: string,
): Violation {
  const { instancePath = '', params = {}, propertyName } = finding;
  const { missingProperty, additionalProperty, unevaluatedProperty }: Details = params;
  const property = propertyName ?? missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = instancePath + (property === undefined ? '' : pointerOf([property]));
  const expected = expectedOf(finding);
  if (propertyName !== undefined) return violationAt(path, `${expected} as its name`, 'another');
  const value = lookUp(what, pathOfPointer(path));
  const rule = ruleOf(finding);
  const described = describe(path);
  // A text of which nothing is known may be a password.
  const isShown =
    !described.isSecret || (described === UNKNOWN && (typeof value !== 'string' || /^(?:type|enum|const)$/.test(rule)));
  const got = isShown ? sayValue(value) : sayKind(value);
  // Only what is sent several times is a list where none is declared.
  if (
    rule === 'type' &&
    Array.isArray(value) &&
    value.length > 1 &&
    /^\/(?:query|cookie)\/[^/]+$/.test(path) &&
    described !== UNKNOWN
  )
    return violationAt(path, 'expected a parameter once', value.length === 2 ? 'it twice' : `it ${value.length} times`);
  // Ajv is given a file as a text with a character for each byte.
  if (got === 'file')
    return violationAt(path, expected.replace(/ characters?$/, ' bytes'), FILE_LENGTHS.get(rule) ?? got);
  if (/^(?:min|max)(?:Items|Properties)$/.test(rule) && typeof value === 'object' && value !== null)
    return violationAt(path, expected, String(Object.keys(value).length));
  const counted =
    isShown && typeof value === 'string' && rule.endsWith('Length') ? `${Array.from(value).length} in ` : '';
  const wanted = typeof value === 'string' ? withExample(rule, expected, described) : expected;
  return violationAt(path, wanted, `${counted}${got}${hint}`);
}

/** The length of a file in messages, by the violated keyword. */
const FILE_LENGTHS: ReadonlyMap<string, string> = new Map([
  ['minLength', 'fewer'],
  ['maxLength', 'more'],
]);

/** `expected a date such as 2024-05-31`: what a text of a format or a pattern may be. */
function withExample(rule: string, expected: string, { examples, isSecret }: Described): string {
  if (rule !== 'format' && rule !== 'pattern') return expected;
  const name = expected.replace('expected ', '');
  const [ofContract] = isSecret ? [] : examples.filter((each) => typeof each === 'string');
  const example = (rule === 'format' ? exampleOfFormat(name) : undefined) ?? ofContract;
  if (example === undefined) return expected;
  const article = /^[aei]/.test(name) ? 'an' : 'a';
  return `expected ${rule === 'format' ? `${article} ${name}` : name} such as ${example}`;
}

/** A name that was sent and is near to one that is missing, or one that is declared and near to one that is not allowed. */
function nameHint(
  { instancePath = '', params = {} }: Partial<ErrorObject>,
  what: object,
  describe: (pointer: string) => Described,
): string {
  const { missingProperty, additionalProperty, unevaluatedProperty }: Details = params;
  const holder = lookUp(what, pathOfPointer(instancePath));
  const sent = typeof holder === 'object' && holder !== null ? Object.keys(holder) : [];
  const described = describe(instancePath);
  if (described === UNKNOWN) return '';
  const { names } = described;
  if (missingProperty !== undefined) {
    const [found] = sent
      .slice(0, NAMES_MAX)
      .filter((name) => !names.includes(name) && nearest(name, [missingProperty]) !== undefined);
    return found === undefined ? '' : `; ${sayPlain(found)} is unknown, and may be it`;
  }
  const unknown = additionalProperty ?? unevaluatedProperty;
  const meant =
    unknown === undefined
      ? undefined
      : nearest(
          unknown,
          names.filter((name) => !sent.includes(name)),
        );
  return meant === undefined ? '' : `; ${meant} may be meant`;
}

/** The number of names that are compared with a missing one. */
const NAMES_MAX = 100;

/** A violation at a JSON pointer; names that the client has chosen are percent-encoded in it. */
export function violationAt(pointer: string, expected: string, got: string): Violation {
  const place = pointer
    .slice(0, POINTER_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/[^\w.~/-]+/g, encodeURIComponent);
  return { place, text: `${cut(expected, TEXT_LENGTH_MAX)}, got ${got}` };
}

/** The ContractViolation for one JSON pointer. */
export function contractViolation(pointer: string, expected: string, got: string): ApiError {
  return contractViolations([violationAt(pointer, expected, got)]);
}

/** The ContractViolation for all violations, in their order and each once. */
export function contractViolations(found: readonly Violation[]): ApiError {
  const bySentence = new Map(found.map((each) => [`${each.place}: ${each.text}`, each]));
  const violations = [...bySentence.values()].slice(0, VIOLATIONS_MAX);
  const listed = [...bySentence.keys()].slice(0, LISTED_MAX).join('; ');
  const more = violations.length - LISTED_MAX;
  const rest = more > 0 ? `; and ${found.length >= VIOLATIONS_MAX ? 'at least ' : ''}${more} more` : '';
  return new ApiError(ErrorCode.ContractViolation, listed + rest, { violations });
}

/** The result of `read`; undefined if it throws a ContractViolation, whose violations are added to `found`. */
export function collected<T>(found: Violation[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.violations.length === 0) throw error;
    found.push(...error.violations);
    return undefined;
  }
}

/** A value in messages: a number, `true`, `false` or the beginning of a text as it was sent, any other by its type. */
export function sayValue(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return cut(value instanceof ExactNumber ? value.text : String(value), VALUE_LENGTH_MAX);
  return typeof value === 'string' ? `"${sayPlain(value)}"` : sayKind(value);
}

/** A text as messages quote it: its beginning, with `?` for each character that is not plain. */
function sayPlain(text: string): string {
  return cut(text, VALUE_LENGTH_MAX).replaceAll(UNPLAIN, '?');
}

/** The type of a value: what messages have of a secret. */
function sayKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  if (value instanceof Uint8Array || (typeof value === 'object' && Symbol.asyncIterator in value)) return 'file';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A value of a contract in messages for its author, who may see all of it. */
export function sayWrong(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return sayKind(value);
  return cut(typeof value === 'bigint' ? String(value) : JSON.stringify(value), VALUE_LENGTH_MAX);
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;
}

/** The formats of text: those that are checked, and those that are known but left to handlers. */
import { createRequire } from 'node:module';
import { RegExpValidator } from '@eslint-community/regexpp';
import type * as Rfcs from '@hyperjump/json-schema-formats';
import type { Format } from 'ajv';
import { formatNames, fullFormats } from 'ajv-formats/dist/formats';
import type * as Idn from 'idn-hostname';

type Check = (text: string) => boolean;

/** The libraries, loaded when a text is first checked: they take as long as a tenth of a start. */
const load = createRequire(__filename);
let rfcs: typeof Rfcs | undefined;
let idn: typeof Idn | undefined;

/** A check of the library. */
function byRfc(name: keyof typeof Rfcs): Check {
  return (text) => {
    const { [name]: check } = (rfcs ??= load('@hyperjump/json-schema-formats') as typeof Rfcs);
    return decided(check, text);
  };
}

/** What a check says that may throw for a text that is not of the format; without a stack, which takes time and nobody reads. */
function decided(check: Check, text: string): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return check(text);
  } catch {
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Formats that are checked by their RFCs, in place of the expressions of ajv-formats; times, dates and numbers of IP are the same in both.
 * The expression of ajv-formats for `url` takes exponential time for `http://(:a)(:a)(:a)...`, and that for `byte` takes a line of Base64
 * for the whole text.
 */
export const OWN_FORMATS: Readonly<Record<string, Check>> = {
  url: (text) => /^(?:https?|ftp):\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text),
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text),
  'date-time': byRfc('isDateTime'),
  duration: byRfc('isDuration'),
  email: isEmail,
  'idn-email': isIdnEmail,
  hostname: (text) => isHostname(text) && isIdn(text),
  'idn-hostname': isIdn,
  uri: byRfc('isUri'),
  'uri-reference': byRfc('isUriReference'),
  'uri-template': byRfc('isUriTemplate'),
  iri: byRfc('isIri'),
  'iri-reference': byRfc('isIriReference'),
  uuid: byRfc('isUuid'),
  regex: (text) => decided(isExpression, text),
};

const expressions = new RegExpValidator();

/** True for an expression of ECMA-262; throws for another text. `RegExp` takes half a second for thousands of `\p{L}`, each of which it writes out. */
function isExpression(text: string): boolean {
  expressions.validatePattern(text, 0, text.length, { unicode: true });
  return true;
}

const isHostname = byRfc('isHostname');
const isMailbox = byRfc('isEmail');
const isIdnMailbox = byRfc('isIdnEmail');

/** The most characters of a name in DNS (RFC 1035 section 2.3.4), and of an address (RFC 5321 section 4.5.3.1). */
const NAME_LENGTH_MAX = 253;
const ADDRESS_LENGTH_MAX = 320;

/** A label that is neither encoded nor has other characters than ASCII. */
const ASCII_LABEL = /^(?!.[^-]--)[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/;

/**
 * True for an internationalized name (RFC 5890). The check of `byRfc` writes what is none to the console. The library takes long to throw, and
 * is only asked for what it alone can decide: there may be thousands of texts.
 */
function isIdn(text: string): boolean {
  if (text.length > NAME_LENGTH_MAX || /[.\uFF0E\u3002\uFF61]$/.test(text)) return false;
  if (!/[^\p{ASCII}]|[Xx][Nn]--/u.test(text)) return text.split('.').every((label) => ASCII_LABEL.test(label));
  const { isIdnHostname } = (idn ??= load('idn-hostname') as typeof Idn);
  return decided(isIdnHostname, text);
}

/** True for a Mailbox (RFC 5321 section 4.1.2). */
function isEmail(text: string): boolean {
  return text.length <= ADDRESS_LENGTH_MAX && isMailbox(text);
}

/** True for a Mailbox (RFC 6531 section 3.3); the domain is checked by itself, and not by the library, for the same reason. */
function isIdnEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at <= 0 || text.length > ADDRESS_LENGTH_MAX) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const isKnown = isIdn(domain) || (domain.startsWith('[') && isEmail(`a@${domain}`));
  return isKnown && isIdnMailbox(`${local}@example.org`);
}

/**
 * The known formats, of JSON Schema and https://spec.openapis.org/registry/format/; any other is ignored, with a warning when the contract
 * is read.
 */
export const TEXT_FORMATS: ReadonlySet<string> = new Set([
  ...formatNames,
  ...'base64url char commonmark html http-date idn-email idn-hostname iri iri-reference media-range'.split(' '),
  ...'sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token'.split(' '),
]);

/** True if a text is of a format, or the format is not checked. */
export function isOfFormat(text: string, name: string): boolean {
  const format = Object.hasOwn(ALL, name) ? ALL[name] : undefined;
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (check instanceof RegExp) return check.test(text);
  return typeof check !== 'function' || (check as (text: string) => unknown)(text) === true;
}

const ALL: Readonly<Record<string, Format>> = { ...fullFormats, ...OWN_FORMATS };

/** A text of each format that is checked. */
const EXAMPLES: Readonly<Record<string, string>> = {
  date: '2024-05-31',
  time: '12:30:00Z',
  'date-time': '2024-05-31T12:30:00Z',
  'iso-time': '12:30:00',
  'iso-date-time': '2024-05-31T12:30:00',
  duration: 'P1DT12H',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  'uri-reference': '/a',
  'uri-template': '/a/{id}',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  'json-pointer': '/a/0',
  'relative-json-pointer': '1/name',
  regex: '^[a-z]+$',
  byte: 'YWJj',
};

/** A text of a format; undefined if none is known. */
export function exampleOfFormat(name: string): string | undefined {
  return Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined;
}

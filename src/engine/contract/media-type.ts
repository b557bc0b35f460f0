/** Media types: those that the server can read, and the one of the contract that a Content-Type names. */
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import { isHeaderText } from './document';

/** True if bodies of this media type can be read: JSON and forms as values, text as a string, bytes as they are. */
export function canRead(mediaType: string): boolean {
  return isJson(mediaType) || isText(mediaType) || isBytes(mediaType) || isForm(mediaType);
}

const SHOWN_LENGTH_MAX = 60;

/** A media type with no parameter but `charset=utf-8` (RFC 9110 section 8.3.1). */
const CONTENT_TYPE = /^(?<type>[^\s;]+)(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

/**
 * A multipart media type with its boundary (RFC 2046 section 5.1.1), and with others of its parameters, such as `type` (RFC 2387), or a `charset`,
 * which means nothing: its parts have their own (RFC 7578 section 5.1.2).
 */
const BESIDE = String.raw`(?:[ \t]*;[ \t]*(?!boundary=)[\w.-]+=(?:"[^"\\]*"|[^\s";]+))*`;
const BOUNDARY = String.raw`boundary=(?<quote>"?)(?<boundary>[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\k<quote>`;
const MULTIPART = new RegExp(String.raw`^(?<type>multipart/[\w.+-]+)${BESIDE}[ \t]*;[ \t]*${BOUNDARY}${BESIDE}$`, 'i');

/** The media type of the contract that a Content-Type names; throws an ApiError of 415 if it names none of them. */
export function contractMediaType(contentType = '', mediaTypes: readonly string[]): string {
  if (mediaTypes.includes(contentType)) return contentType;
  const sent = inOneSpelling(contentType);
  const asDeclared = mediaTypes.find((each) => [each, `${each}; charset=utf-8`].map(inOneSpelling).includes(sent));
  if (asDeclared !== undefined) return asDeclared;
  // A body without a Content-Type may be of any (RFC 9110 section 8.3).
  if (contentType === '' && mediaTypes.includes('*/*')) return '*/*';
  const { type = '' } = (CONTENT_TYPE.exec(contentType) ?? MULTIPART.exec(contentType))?.groups ?? {};
  const mediaType = mostSpecific(type, mediaTypes);
  if (mediaType !== undefined) return mediaType;
  throw unsupported(
    `expected Content-Type ${mediaTypes.join(' or ')}, with no parameter but charset=utf-8${mediaTypes.some((each) => /^multipart\//i.test(each)) ? ' or the boundary' : ''}, got ${shown(contentType)}`,
    acceptHeader(mediaTypes),
  );
}

/** A parameter: its name, and its value in quotes or without. */
const PARAMETER = /(?<![ \t])[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([^\s";]+))/g;

/** The parameters of a media type: names in lower case, values without quotes. */
export function parametersOf(mediaType: string): [name: string, value: string][] {
  return [...mediaType.matchAll(PARAMETER)].map(([, name = '', quoted, plain = '']) => [
    name.toLowerCase(),
    quoted ?? plain,
  ]);
}

/** A text for all spellings of a media type: case, spaces, quotes and the order of parameters mean nothing, but for the case of values (RFC 9110 section 8.3.1). */
function inOneSpelling(mediaType: string): string {
  const parameters = parametersOf(mediaType).map(
    ([name, value]) => `;${name}="${name === 'charset' ? value.toLowerCase() : value}"`,
  );
  return mediaType.replaceAll(PARAMETER, '').toLowerCase() + parameters.sort().join('');
}

/** True if a media type is the declared one, or within a declared range such as `image/*` or `application/*+json`. */
export function isWithin(mediaType: string, declared: string): boolean {
  const range = withoutParameters(declared);
  if (range === '*/*') return mediaType !== '';
  const type = mediaType.toLowerCase();
  const [start = '', end] = range.split('*');
  return end === undefined || !start.endsWith('/') ? type === range : type.startsWith(start) && type.endsWith(end);
}

/** The declared one that decides on a media type, by itself or by a range: `application/*+json` before `application/*`, and the one for all types last. */
export function mostSpecific(mediaType: string, declared: readonly string[]): string | undefined {
  const rank = (each: string): number => (each.includes('*') ? each.length : Number.MAX_SAFE_INTEGER);
  return declared.filter((each) => isWithin(mediaType, each)).sort((a, b) => rank(b) - rank(a))[0];
}

/** The media type in lower case, without parameters: `text/csv` for `Text/CSV; header=present`. */
export function withoutParameters(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trimEnd().toLowerCase();
}

/** Throws an ApiError of 415 for a body that is compressed. */
export function refuseEncoding(contentEncoding: string | undefined, mediaTypes: readonly string[]): void {
  if (contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity') return;
  throw unsupported(`expected no Content-Encoding but identity, got ${shown(contentEncoding)}`, {
    ...acceptHeader(mediaTypes),
    'Accept-Encoding': 'identity',
  });
}

/** A header for messages: shortened, and only with characters that are harmless in a terminal or a page. */
function shown(value: string): string {
  if (value === '') return 'none';
  const text = value.length > SHOWN_LENGTH_MAX ? `${value.slice(0, SHOWN_LENGTH_MAX)}...` : value;
  return text.replaceAll(/[^\w.+/;=,*"' -]/g, '?');
}

/** The media types that a client may send instead (RFC 9110 section 15.5.16), but for those that no header can name. */
function acceptHeader(mediaTypes: readonly string[]): Record<string, string> {
  return { Accept: mediaTypes.filter(isHeaderText).join(', ') };
}

function unsupported(message: string, headers: Record<string, string>): ApiError {
  return new ApiError(ErrorCode.UnsupportedMediaType, message, { headers });
}

/** True if it is `application/json`, `text/json`, or ends with `+json`, with any parameters. */
export function isJson(mediaType: string): boolean {
  return /^[\w-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(mediaType);
}

export function isPlainText(mediaType: string): boolean {
  return /^text\/plain\s*(?:;|$)/i.test(mediaType);
}

/** True if it is `application/xml`, `text/xml`, or ends with `+xml`, with any parameters. */
export function isXml(mediaType: string): boolean {
  return /^[\w-]+\/(?:[\w.+-]+\+)?xml\s*(?:;|$)/i.test(mediaType);
}

/** True if it is `application/yaml`, one of its older names, or ends with `+yaml`, with any parameters. */
export function isYaml(mediaType: string): boolean {
  return /^[\w-]+\/(?:[\w.+-]+\+|x-)?yaml\s*(?:;|$)/i.test(mediaType);
}

/** The media type of a text, with its charset if nothing else says it: clients take text/* without one for Latin-1. */
export function withCharset(mediaType: string): string {
  const isOpen = /^text\/(?!event-stream\b)/i.test(mediaType) && !/;[ \t]*charset=/i.test(mediaType);
  return isOpen ? `${mediaType}; charset=utf-8` : mediaType;
}

/** True if its content is text, as far as its name says: `text/*`, JSON, also of many items, XML, YAML, or fields in percent-encoding. */
export function isTextual(mediaType: string): boolean {
  const isOther = /^(?:text\/|application\/(?:jsonl|x-ndjson|json-seq|x-www-form-urlencoded)\s*(?:;|$))/i;
  return isOther.test(mediaType) || isJson(mediaType) || isXml(mediaType) || isYaml(mediaType);
}

/** True if it is the media type of bytes that the server does not interpret. */
export function isBytes(mediaType: string): boolean {
  return mediaType.toLowerCase() === 'application/octet-stream';
}

/** True if it is one of the two media types of forms. */
export function isForm(mediaType: string): boolean {
  return isMultipart(mediaType) || mediaType.toLowerCase() === 'application/x-www-form-urlencoded';
}

export function isMultipart(mediaType: string): boolean {
  return mediaType.toLowerCase() === 'multipart/form-data';
}

/** True if its bodies are parts without names: any multipart but a form. */
export function isParts(mediaType: string): boolean {
  return /^multipart\/(?!form-data\s*(?:;|$))/i.test(mediaType);
}

/** The boundary in a Content-Type. */
export function boundaryOf(contentType = ''): string | undefined {
  return MULTIPART.exec(contentType)?.groups?.boundary;
}

function isText(mediaType: string): boolean {
  return /^text\/[\w.+-]+\s*(?:;|$)/i.test(mediaType);
}

/** Media types: which ones the server can read, and which one of the contract's a Content-Type names. */
import { ErrorCode } from './error-codes';
import { ApiError } from './api-error';

/** Whether bodies of this media type can be read: JSON and forms become values, text a string, and bytes stay what they are. */
export function canRead(mediaType: string): boolean {
  return isJson(mediaType) || isText(mediaType) || isBytes(mediaType) || isForm(mediaType);
}

const SHOWN_LENGTH_MAX = 60;

/** A media type with no parameter but `charset=utf-8` (RFC 9110 section 8.3.1). */
const CONTENT_TYPE = /^(?<type>[^\s;]+)(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

/** The boundary of a form in parts (RFC 2046 section 5.1.1). */
const MULTIPART =
  /^(?<type>multipart\/form-data)(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?[ \t]*;[ \t]*boundary=(?<quote>"?)(?<boundary>[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\k<quote>$/i;

/** The media type of the contract that a Content-Type names; throws an ApiError of 415 if it names none of them. */
export function contractMediaType(contentType = '', mediaTypes: readonly string[]): string {
  if (mediaTypes.includes(contentType)) return contentType;
  const { type = '' } = (CONTENT_TYPE.exec(contentType) ?? MULTIPART.exec(contentType))?.groups ?? {};
  const mediaType = mediaTypes.find((each) => isWithin(type, each));
  if (mediaType !== undefined) return mediaType;
  throw unsupported(
    `expected Content-Type ${mediaTypes.join(' or ')}, with no parameter but charset=utf-8${mediaTypes.some(isMultipart) ? ' or the boundary' : ''}, got ${shown(contentType)}`,
    acceptHeader(mediaTypes),
  );
}

/** Whether a media type is what the contract declares, which may be a range: `image/*`. */
export function isWithin(mediaType: string, declared: string): boolean {
  const [range = ''] = declared.toLowerCase().split(/\s*;/);
  if (range === '*/*') return mediaType !== '';
  return range.endsWith('/*')
    ? mediaType.toLowerCase().startsWith(range.slice(0, -1))
    : mediaType.toLowerCase() === range;
}

/** Throws an ApiError of 415 for a body that is compressed. */
export function refuseEncoding(contentEncoding: string | undefined, mediaTypes: readonly string[]): void {
  if (contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity') return;
  throw unsupported(`expected no Content-Encoding but identity, got ${shown(contentEncoding)}`, {
    ...acceptHeader(mediaTypes),
    'Accept-Encoding': 'identity',
  });
}

/** As much of a header as a person needs to recognize it, in characters that a terminal or a page shows as they are. */
function shown(value: string): string {
  if (value === '') return 'none';
  const text = value.length > SHOWN_LENGTH_MAX ? `${value.slice(0, SHOWN_LENGTH_MAX)}...` : value;
  return text.replaceAll(/[^\w.+/;=,*"' -]/g, '?');
}

/** What a client may send instead (RFC 9110 section 15.5.16). */
function acceptHeader(mediaTypes: readonly string[]): Record<string, string> {
  return { Accept: mediaTypes.join(', ') };
}

function unsupported(message: string, headers: Record<string, string>): ApiError {
  return new ApiError(ErrorCode.UnsupportedMediaType, message, { headers });
}

/** `application/json`, and what ends in `+json`, whatever its parameters. */
export function isJson(mediaType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(mediaType);
}

/** Bytes that mean nothing to the server. */
export function isBytes(mediaType: string): boolean {
  return mediaType.toLowerCase() === 'application/octet-stream';
}

/** Fields with names and values. */
export function isForm(mediaType: string): boolean {
  return isMultipart(mediaType) || mediaType.toLowerCase() === 'application/x-www-form-urlencoded';
}

export function isMultipart(mediaType: string): boolean {
  return mediaType.toLowerCase() === 'multipart/form-data';
}

/** The boundary that a Content-Type of a form in parts names. */
export function boundaryOf(contentType = ''): string | undefined {
  return MULTIPART.exec(contentType)?.groups?.boundary;
}

function isText(mediaType: string): boolean {
  return /^text\/[\w.+-]+\s*(?:;|$)/i.test(mediaType);
}

/** Parses form bodies into their fields, as they were sent; `operation/read-form.ts` makes an object of them. */
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';

/** One field as it was sent; a name may repeat. */
export interface FormPart {
  name: string;
  /** Text, or bytes if it came as a part of `multipart/form-data`. */
  content: string | Buffer;
  /** The media type of a part, in lower case and without parameters. */
  mediaType: string;
}

/** The largest number of fields of a form: each costs more than its bytes. */
const PARTS_MAX = 1_000;

/** Parses `application/x-www-form-urlencoded` (https://url.spec.whatwg.org/#urlencoded-parsing); throws an ApiError if it is not UTF-8. */
export function parseUrlencoded(bytes: Buffer): FormPart[] {
  if (!isUtf8(bytes)) throw malformed('expected UTF-8');
  const pairs = bytes.toString('utf8').split('&', PARTS_MAX + 1);
  if (pairs.length > PARTS_MAX) throw tooMany();
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name: percentDecoded(name), content: percentDecoded(value.join('=')), mediaType: 'text/plain' };
    });
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new ApiError(ErrorCode.MalformedBody, 'expected percent-encoded UTF-8', { cause });
  }
}

/**
 * Parses `multipart/form-data` (RFC 7578); rejects with an ApiError if it is malformed. Busboy drops parts that it does not understand,
 * so the parts are counted and compared with the delimiters. All parts are read as files, because in text Busboy would replace bytes that
 * are not UTF-8.
 */
export async function parseMultipart(bytes: Buffer, boundary: string): Promise<FormPart[]> {
  const delimiters = countDelimiters(bytes, boundary);
  if (delimiters > PARTS_MAX + 1) throw tooMany();
  const parts: FormPart[] = [];
  const { Busboy } = await import('@fastify/busboy'); // loaded only if needed: few contracts have such forms
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: unknown): void => reject(notMultipart(cause));
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      isPartAFile: () => true,
    });
    parser.on('file', (name: string | undefined, content, _filename, encoding, mediaType) => {
      content.on('error', fail); // first, because an error without a listener ends the process
      if (name === undefined || name.includes('\ufffd')) return fail('a part has no name in UTF-8');
      // RFC 7578 section 4.7
      if (!['7bit', '8bit', 'binary'].includes(encoding)) return fail(`a part is encoded as ${encoding}`);
      const part: FormPart = { name, content: '', mediaType };
      parts.push(part); // now, because a later part may end earlier
      const chunks: Buffer[] = [];
      content.on('data', (chunk: Buffer) => chunks.push(chunk));
      content.on('end', () => (part.content = Buffer.concat(chunks)));
    });
    parser.on('error', fail).on('finish', resolve);
    Readable.from([bytes]).pipe(parser);
  });
  if (parts.length !== delimiters - 1) throw notMultipart('a part is not one of a form');
  return parts;
}

/**
 * The number of delimiters, which is the number of parts plus one (RFC 2046 section 5.1.1). Throws for headers of parts that Busboy would
 * drop or ignore.
 */
function countDelimiters(bytes: Buffer, boundary: string): number {
  const first = `--${boundary}`;
  if (bytes.indexOf(first) !== 0) throw notMultipart('the body does not begin with the boundary');
  let [count, start] = [1, first.length];
  for (let at = start; (at = bytes.indexOf(`\r\n${first}`, at)) >= 0; count++) {
    refuseHeaders(bytes.subarray(start, at));
    at += first.length + 2;
    start = at;
  }
  return count;
}

/** The length limit of the headers of a part; RFC 7578 section 4.8 allows three headers. */
const PART_HEADERS_MAX = 8_192;

/** Throws if headers of a part repeat, are folded or too long, or name another charset than UTF-8. */
function refuseHeaders(part: Buffer): void {
  const end = part.indexOf('\r\n\r\n');
  if (end > PART_HEADERS_MAX) throw notMultipart('the headers of a part are too long');
  const lines = part.toString('latin1', 0, Math.max(end, 0)).split('\r\n').slice(1);
  const names = lines.map((line) => line.slice(0, Math.max(line.indexOf(':'), 0)).toLowerCase());
  if (names.some((name) => !/^[\w-]+$/.test(name)) || new Set(names).size < names.length)
    throw notMultipart('a header of a part is malformed, or repeated');
  const { charset = 'utf-8' } =
    /;[ \t]*charset="?(?<charset>[^\s";]*)/i.exec(lines[names.indexOf('content-type')] ?? '')?.groups ?? {};
  if (!/^(?:utf-8|us-ascii)$/i.test(charset)) throw malformed('expected parts in UTF-8', `a part is in ${charset}`);
}

function notMultipart(cause: unknown): ApiError {
  return malformed('expected multipart/form-data, with a name for each part', cause);
}

function malformed(expected: string, cause?: unknown): ApiError {
  return new ApiError(ErrorCode.MalformedBody, expected, { cause });
}

function tooMany(): ApiError {
  return new ApiError(ErrorCode.BodyTooLarge, `expected a form of at most ${PARTS_MAX} fields`);
}

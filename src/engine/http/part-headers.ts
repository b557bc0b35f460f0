/** Reads the headers of a part (RFC 2046 section 5.1), and those that a part of a form has (RFC 7578 section 4). */
import { isUtf8 } from 'node:buffer';
import { withoutParameters } from '../contract/media-type';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';

export interface PartHeaders {
  /** In lower case and without parameters. */
  mediaType: string;
  /** The charset that its media type has, in lower case. */
  charset: string;
  /** Its Content-Disposition. */
  disposition: string | undefined;
}

/** Reads the rest of a boundary's line, and the headers. Throws an ApiError for those that are malformed, repeated or folded. */
export function readPartHeaders(block: Buffer): PartHeaders {
  const headers = new Map<string, string>();
  if (!isUtf8(block)) throw notMultipart('the headers of a part are not UTF-8');
  const [padding = '', ...lines] = block.toString('utf8').split('\r\n');
  if (/[^ \t]/.test(padding)) throw notMultipart('a boundary is followed by text');
  for (const line of lines) {
    const { name, value = '' } = /^(?<name>[\w-]+):(?<value>[^\0-\x08\n-\x1F\x7F]*)$/.exec(line)?.groups ?? {};
    if (name === undefined || headers.has(name.toLowerCase()))
      throw notMultipart('a header of a part is malformed, or repeated');
    headers.set(name.toLowerCase(), value.trim());
  }
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(?:7bit|8bit|binary)$/i.test(encoding)) throw notMultipart('a part is encoded'); // section 4.7
  const type = headers.get('content-type') ?? 'text/plain';
  const { charset = 'utf-8' } = /;[ \t]*charset="?(?<charset>[^\s";]*)/i.exec(type)?.groups ?? {};
  const disposition = headers.get('content-disposition');
  return { mediaType: withoutParameters(type), charset: charset.toLowerCase(), disposition };
}

export function isInUtf8(charset: string): boolean {
  return /^(?:utf-8|us-ascii)$/.test(charset);
}

/** Decodes a part of text to UTF-8, piece by piece; throws an ApiError for a charset other than UTF-8 and Latin-1, which clients in Java send. */
export function decoderOf({ charset }: PartHeaders): (piece: Buffer) => Buffer {
  if (isInUtf8(charset)) return (piece) => piece;
  if (/^(?:iso-8859-1|latin1)$/.test(charset)) return (piece) => Buffer.from(piece.toString('latin1'));
  throw new ApiError(ErrorCode.MalformedBody, 'expected parts of text in UTF-8, or in ISO-8859-1');
}

/** The name of a part of a form, and that of its file without folders, if it has one. Throws an ApiError for a part of something else. */
export function namesOf({ disposition }: PartHeaders): { name: string; filename: string | undefined } {
  const parameters = parametersOf(disposition);
  const name = textOf(parameters, 'name');
  if (name === undefined) throw notMultipart('a part of the form has no name');
  return { name, filename: baseName(textOf(parameters, 'filename')) };
}

/** A parameter, or its extended form, which .NET adds for names beyond ASCII although a form has none (RFC 8187, RFC 7578 section 4.2). */
function textOf(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const extended = parameters.get(`${name}*`);
  if (extended === undefined) return parameters.get(name);
  const { encoded = '%' } =
    /^utf-8'[\w-]*'(?<encoded>(?:[\w!#$&+.^`|~-]|%(?![01]|7F)[\dA-F]{2})*)$/i.exec(extended)?.groups ?? {};
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw notMultipart(`${name}* is not percent-encoded UTF-8, or has control characters`);
  }
}

const PARAMETER = /;[ \t]*(?<name>[\w*-]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s";]*))[ \t]*/y;

/** The parameters of a Content-Disposition, as clients write them: with backslashes, or as browsers do (https://html.spec.whatwg.org/#multipart-form-data). */
function parametersOf(disposition = ''): Map<string, string> {
  const parameters = new Map<string, string>();
  const type = /^form-data[ \t]*/i.exec(disposition)?.[0] ?? '';
  for (PARAMETER.lastIndex = type.length; PARAMETER.lastIndex < disposition.length;) {
    const { name = '', quoted, plain = '' } = PARAMETER.exec(disposition)?.groups ?? {};
    if (type === '' || name === '' || parameters.has(name.toLowerCase()))
      throw notMultipart('a part is not one of a form');
    const text = (quoted ?? plain).replaceAll(/\\(?<escaped>["\\])/g, '$<escaped>');
    const encoded = /^filename$/i.test(name) ? /%22/g : /%(?:22|0A|0D)/gi;
    parameters.set(name.toLowerCase(), name.endsWith('*') ? text : text.replaceAll(encoded, decodeURIComponent));
  }
  return parameters;
}

/** The name behind the last slash or backslash (RFC 7578 section 4.2). */
function baseName(filename = ''): string | undefined {
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  return ['', '.', '..'].includes(name) ? undefined : name;
}

export function notMultipart(cause: string): ApiError {
  return new ApiError(ErrorCode.MalformedBody, `expected whole parts between boundaries (RFC 2046): ${cause}`);
}

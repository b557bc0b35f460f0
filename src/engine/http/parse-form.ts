/** The fields of forms as they were sent; `operation/read-form.ts` makes an object of them, and `receive-form.ts` has forms in parts. */
import { isUtf8 } from 'node:buffer';
import type { Upload } from '../contract/handler-types';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';

/** One field as it was sent; a name may repeat. */
export interface FormPart {
  name: string;
  /** Text, bytes if it came as a part of `multipart/form-data`, or a file. */
  content: string | Buffer | FormFile;
}

/** A file as handlers get it, and its bytes if they are in memory. */
export interface FormFile {
  upload: Upload;
  size: number;
  held: Buffer | undefined;
}

/** The largest number of fields of a form: each costs more than its bytes. */
export const PARTS_MAX = 1_000;

/** Parses `application/x-www-form-urlencoded` (https://url.spec.whatwg.org/#urlencoded-parsing); throws an ApiError if it is not UTF-8. */
export function parseUrlencoded(bytes: Buffer): FormPart[] {
  if (!isUtf8(bytes)) throw malformed('expected UTF-8');
  const pairs = bytes.toString('utf8').split('&', PARTS_MAX + 1);
  if (pairs.length > PARTS_MAX) throw tooManyFields();
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name: percentDecoded(name), content: percentDecoded(value.join('=')) };
    });
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new ApiError(ErrorCode.MalformedBody, 'expected percent-encoded UTF-8', { cause });
  }
}

function malformed(expected: string): ApiError {
  return new ApiError(ErrorCode.MalformedBody, expected);
}

export function tooManyFields(): ApiError {
  return new ApiError(ErrorCode.BodyTooLarge, `expected a form of at most ${PARTS_MAX} fields`);
}

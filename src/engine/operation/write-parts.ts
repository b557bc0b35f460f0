/** Items as the parts of a multipart body (RFC 2046 section 5.1), between boundaries of its own. */
import { randomUUID } from 'node:crypto';
import type { FormField } from '../contract/form-fields';
import { boundaryOf } from '../contract/media-type';
import { encodable, writeBody, type Writing, type Written } from './write-body';

/**
 * A body whose parts are of the media types that the contract gives them, or else of that of their value. A boundary follows each part at
 * once, so that a reader knows its end before there is another one. A part that has the boundary in it throws.
 */
export function writeParts(
  mediaType: string,
  partAt: (index: number) => FormField,
  written: (index: number) => Written,
): Writing {
  const declared = boundaryOf(mediaType);
  const boundary = declared ?? randomUUID();
  let index = 0;
  const opening = (): string => (index === 0 ? `--${boundary}` : '');
  return {
    mediaType: declared === undefined ? `${mediaType}; boundary=${boundary}` : mediaType,
    write(item) {
      const type = typeOf(item, partAt(index));
      const content = encodable(writeBody(type, item, () => written(index)));
      const isText = typeof content === 'string';
      if ((isText ? content : Buffer.from(content)).includes(boundary))
        throw new TypeError('expected a part without the boundary in it');
      const head = `${opening()}\r\nContent-Type: ${type}\r\n\r\n`;
      const end = `\r\n--${boundary}`;
      index++;
      return isText ? head + content + end : Buffer.concat([Buffer.from(head), content, Buffer.from(end)]);
    },
    end: () => `${opening()}--\r\n`,
  };
}

/** The media type of a part: the one that is declared, or the default of its value (OpenAPI 3.2, Encoding Object). */
function typeOf(item: unknown, { mediaTypes, types, isFile }: FormField): string {
  if (mediaTypes) return mediaTypes[0] ?? '';
  if (item instanceof Uint8Array || (isFile && typeof item === 'string')) return 'application/octet-stream';
  const isText =
    typeof item === 'string' || (types.length > 0 && !types.includes('string') && typeof item !== 'object');
  return isText ? 'text/plain; charset=utf-8' : 'application/json';
}

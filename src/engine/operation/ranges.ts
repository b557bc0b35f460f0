/** Ranges of bytes (RFC 9110 section 14), and the part of an answer that is within one. */
import { type Answer, bytesOf } from '../http/send';
import { abandon, iterableOf, type StreamedAnswer } from '../http/streamed-answer';

/** The first and the last byte, counted from 0; the last one is before the first if the body has none of the range. */
export interface Range {
  start: number;
  end: number;
}

/**
 * A single range: several are answered with the whole body, as any server may (section 14.2). The package range-parser refuses the last
 * 500 bytes of a body that has fewer.
 */
const SINGLE_RANGE = /^bytes=[ \t]*(?<first>\d*)-(?<last>\d*)$/i;

/** The range of a body of so many bytes that a `Range` header asks for; undefined if it is invalid, or the body is empty. */
export function rangeIn(header: string, length: number): Range | undefined {
  const { first = '', last = '' } = SINGLE_RANGE.exec(header)?.groups ?? {};
  if (length === 0 || first + last === '') return undefined;
  if (first === '') return { start: Math.max(length - Number(last), 0), end: length - 1 };
  if (last === '') return { start: Number(first), end: length - 1 };
  return Number(last) < Number(first) ? undefined : { start: Number(first), end: Math.min(Number(last), length - 1) };
}

/** The answer of 206 with a range of a whole answer; `given` is its body as the handler gave it. A Blob is read from the range on. */
export function partOf(
  whole: Answer | StreamedAnswer,
  range: Range,
  length: number,
  given: unknown,
): Answer | StreamedAnswer {
  const { start, end } = range;
  const headers = { ...whole.headers, 'Content-Range': `bytes ${start}-${end}/${length}` };
  if ('stream' in whole) return { ...whole, status: 206, headers, stream: partOfStream(whole.stream, range, given) };
  const { content } = whole;
  const body = content && bytesOf(content.body).subarray(start, end + 1);
  return { ...whole, status: 206, headers, content: content && body && { ...content, body } };
}

function partOfStream(
  stream: StreamedAnswer['stream'],
  { start, end }: Range,
  given: unknown,
): StreamedAnswer['stream'] {
  const length = end + 1 - start;
  if (!(given instanceof Blob)) {
    const cut = cutting({ start, end });
    return { ...stream, write: (item) => cut(stream.write(item)), end: () => cut(stream.end?.() ?? ''), length };
  }
  abandon(stream.source);
  return { ...stream, source: iterableOf(given.slice(start, end + 1)) ?? stream.source, length };
}

/** Gives the bytes of the range alone, of a body in pieces; those before it are made, and left out. */
function cutting({ start, end }: Range): (piece: string | Uint8Array) => Uint8Array {
  let at = 0;
  return (piece) => {
    const bytes = bytesOf(piece);
    const part = bytes.subarray(Math.max(start - at, 0), Math.max(end + 1 - at, 0));
    at += bytes.length;
    return part;
  };
}

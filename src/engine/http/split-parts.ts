/** Splits a multipart body into its parts, as it comes (RFC 2046 section 5.1.1). */
import { notMultipart, type PartHeaders, readPartHeaders } from './part-headers';

/** A part, whose content has to be read to its end before the next one is asked for. */
export interface SentPart extends PartHeaders {
  content: AsyncIterable<Buffer>;
}

const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/** The length limit of the headers of a part; RFC 7578 section 4.8 allows three headers in a form. */
export const PART_HEADERS_MAX = 8_192;

/** The parts, in their order. Throws an ApiError where the body is malformed; text before the first one and behind the last is read, and left out. */
export async function* splitParts(chunks: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<SentPart, void> {
  const pieces = chunks[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  try {
    const rest = new Rest(pieces);
    for await (const _ of rest.until(delimiter));
    while (!(await rest.isEnd())) {
      const headers = readPartHeaders(await rest.block(HEADERS_END, PART_HEADERS_MAX));
      yield { ...headers, content: rest.until(delimiter) };
    }
    while (await rest.isMore());
  } finally {
    await pieces.return?.();
  }
}

/** The bytes that have come and were not taken yet: no more than a chunk, and what may be the beginning of a delimiter. */
class Rest {
  private bytes: Buffer = LINE_END; // before the first boundary there is none

  constructor(private readonly pieces: AsyncIterator<Buffer>) {}

  /** The bytes before a delimiter, in pieces; takes the delimiter as well. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer, void> {
    for (let at = -1; at < 0;) {
      at = this.bytes.indexOf(delimiter);
      const sure = at < 0 ? this.lengthBefore(delimiter) : at;
      if (sure > 0) yield this.take(sure);
      if (at < 0) await this.add();
    }
    this.take(delimiter.length);
  }

  /** The bytes before a delimiter, at once; takes the delimiter as well. */
  async block(delimiter: Buffer, lengthMax: number): Promise<Buffer> {
    let at: number;
    while ((at = this.bytes.indexOf(delimiter)) < 0 && this.bytes.length <= lengthMax) await this.add();
    if (at < 0 || at > lengthMax) throw notMultipart('the headers of a part are too long');
    const block = this.take(at);
    this.take(delimiter.length);
    return block;
  }

  /** True if the boundary before was the last one. */
  async isEnd(): Promise<boolean> {
    while (this.bytes.length < 2) await this.add();
    return this.bytes.toString('latin1', 0, 2) === '--';
  }

  /** Takes the next piece in place of this one; false at the end of the body. */
  async isMore(): Promise<boolean> {
    const next = await this.pieces.next();
    if (!next.done) this.bytes = next.value;
    return !next.done;
  }

  /** The number of bytes before those that may be the beginning of a delimiter. */
  private lengthBefore(delimiter: Buffer): number {
    const begin = this.bytes.indexOf(delimiter[0] ?? 0, Math.max(0, this.bytes.length - delimiter.length + 1));
    return begin < 0 ? this.bytes.length : begin;
  }

  private async add(): Promise<void> {
    const before = this.bytes;
    if (!(await this.isMore())) throw notMultipart('the body ends before its last boundary');
    if (before.length > 0) this.bytes = Buffer.concat([before, this.bytes]);
  }

  private take(length: number): Buffer {
    const taken = this.bytes.subarray(0, length);
    this.bytes = this.bytes.subarray(length);
    return taken;
  }
}

/** Splits a body of a sequential media type into its items, as it comes. */
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import { Turn } from '../process/turn';
import type { BodyBuffer } from './body-buffer';

/** An item as it was sent, not validated yet. */
export interface SentItem {
  value: unknown;
  /** True if it has numbers that a double misrepresents. */
  hasExactNumbers: boolean;
}

/** The parts of a body that its items are made with. */
export interface ItemOptions {
  /** The text that begins each item; if it is empty, a line feed ends each. */
  start: string;
  buffer: BodyBuffer;
  parse: (bytes: Buffer) => SentItem;
}

/** The items, each in the buffer until the next one is asked for. Throws an ApiError, with the item's place, for one that is malformed or too large. */
export async function* splitItems(chunks: AsyncIterable<Buffer>, options: ItemOptions): AsyncGenerator<SentItem, void> {
  const splitter = new Splitter(options);
  const turn = new Turn(); // a chunk may have 65,536 blank lines, which nobody asks for
  try {
    for await (const chunk of chunks) {
      for (const item of splitter.take(chunk)) {
        if (item) yield item;
        else if (turn.isOver) await turn.leave();
      }
    }
    for (const item of splitter.end()) if (item) yield item;
  } finally {
    options.buffer.release();
  }
}

const LINE_FEED = 0x0a;
const NO_BYTES = Buffer.alloc(0);

class Splitter {
  private readonly delimiter: number;
  private number = 0;
  private isFirst = true;

  constructor(private readonly options: ItemOptions) {
    this.delimiter = options.start === '' ? LINE_FEED : options.start.charCodeAt(0);
  }

  /** The items that end in a chunk; undefined for one that is blank, as an empty line is. */
  *take(chunk: Buffer): Generator<SentItem | undefined, void> {
    let from = 0;
    for (let to = chunk.indexOf(this.delimiter); to >= 0; to = chunk.indexOf(this.delimiter, from)) {
      const isEmpty = to === from && this.options.buffer.length === 0 && !this.isFirst;
      if (!isEmpty) yield* this.end(chunk.subarray(from, to));
      from = to + 1;
    }
    this.add(chunk.subarray(from));
  }

  /** The item that this piece ends; undefined if it is blank. */
  *end(piece: Buffer = NO_BYTES): Generator<SentItem | undefined, void> {
    this.add(piece);
    const item = this.placed(() => this.read());
    yield item;
    if (item) this.number++;
    this.options.buffer.release();
  }

  private read(): SentItem | undefined {
    const { start, buffer, parse } = this.options;
    const bytes = buffer.bytes();
    const isBeforeFirst = this.isFirst && start !== '';
    this.isFirst = false;
    if (isBlank(bytes)) return undefined;
    if (isBeforeFirst) throw malformed('expected a record separator before each item');
    if (start !== '' && mayBeCut(bytes)) throw malformed('expected a line feed at its end');
    return parse(bytes);
  }

  private add(piece: Buffer): void {
    this.placed(() => {
      const error = this.options.buffer.add(piece);
      if (error) throw error;
    });
  }

  /** The result of `act`, whose ApiErrors get the place of the item. */
  private placed<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw placed(error, this.number);
    }
  }
}

/** The error, with the place of an item if it is an ApiError. */
export function placed(error: unknown, number: number): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ApiError(error.code, `/body/${number}: ${error.message}`, { cause: error.cause });
}

function isBlank(bytes: Buffer): boolean {
  const [first = 0x20] = bytes;
  return first <= 0x20 && /^[ \t\r\n]*$/.test(bytes.toString('latin1'));
}

/** True for a number or a name without space after it: 12 may have been 123 (RFC 7464 section 2.4). */
function mayBeCut(bytes: Buffer): boolean {
  return /^[^\s\]}"]/.test(bytes.toString('latin1', bytes.length - 1));
}

function malformed(message: string): ApiError {
  return new ApiError(ErrorCode.MalformedBody, message);
}

/** Buffers request bodies while they arrive, with a limit on the memory of all of them together. */
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { Shares, TIMES_FREE } from './shares';

/** The most bytes of bodies that the process holds at once; more only if a single body may be larger. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

/** The memory of a parsed body as a multiple of its size. JSON such as `[[],[],...]` takes twenty times, most far less. */
const PARSED_SIZES = 8;

const SECOND_BUFFER_BYTES = 1024;

/** The memory budget of all bodies, from their arrival until they are answered, shared fairly between their senders. */
export class BodyBudget extends Shares {
  constructor(bodyBytesMax: number) {
    super(Math.max(HELD_BYTES_MAX, Math.ceil((bodyBytesMax * (1 + PARSED_SIZES) * (1 + TIMES_FREE)) / TIMES_FREE)));
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * The buffer of one body. Its first chunk, mostly the only one, is not copied. Further chunks are copied into one buffer that doubles, so
 * that a body in chunks of one byte takes no more memory than any other. Nothing is allocated in advance for `Content-Length`.
 */
export class BodyBuffer {
  private buffer: Buffer = EMPTY;
  /** The bytes that have been added. */
  length = 0;
  private taken = 0;

  constructor(
    private readonly bytesMax: number,
    private readonly budget: BodyBudget,
    /** The name of the sender. */
    private readonly owner: string,
    /** The bytes in its messages. */
    private readonly what = 'a body',
  ) {}

  /** Adds a chunk; returns an error if the body is too large, or all bodies together are. */
  add(chunk: Buffer): ApiError | undefined {
    const length = this.length + chunk.length;
    if (length > this.bytesMax) return tooLarge(this.bytesMax, this.what);
    const overloaded = this.take(chunk.length);
    if (overloaded) return overloaded;
    if (this.length === 0) {
      this.buffer = chunk;
    } else {
      if (length > this.buffer.length) this.grow(length);
      chunk.copy(this.buffer, this.length);
    }
    this.length = length;
    return undefined;
  }

  /** The whole body; throws an ApiError if there is no room for its value, which takes this multiple of its size. */
  bytes(times = PARSED_SIZES): Buffer {
    const overloaded = this.take(this.length * times);
    if (overloaded) throw overloaded;
    return this.buffer.subarray(0, this.length);
  }

  /** Drops the bytes behind the first `length`. */
  cut(length: number): void {
    this.budget.release(this.length - length, this.owner);
    this.taken -= this.length - length;
    this.length = length;
  }

  /** Returns all memory to the budget; the buffer is empty then. */
  release(): void {
    this.budget.release(this.taken, this.owner);
    this.taken = 0;
    this.length = 0;
    this.buffer = EMPTY;
  }

  private take(bytes: number): ApiError | undefined {
    if (!this.budget.take(bytes, this.owner))
      return new ApiError(ErrorCode.Overloaded, 'too many bytes of request bodies are held at once');
    this.taken += bytes;
    return undefined;
  }

  private grow(length: number): void {
    const bytes = Math.min(Math.max(length, 2 * this.buffer.length, SECOND_BUFFER_BYTES), this.bytesMax);
    const grown = Buffer.allocUnsafeSlow(bytes);
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}

export function tooLarge(bytesMax: number, what = 'a body'): ApiError {
  return new ApiError(ErrorCode.BodyTooLarge, `expected ${what} of at most ${bytesMax} bytes`);
}

/** The bytes of request bodies while they arrive: few buffers each, and a bound on all of them together. */
import { ErrorCode } from './error-codes';
import { ApiError } from './api-error';

/** How many bytes of bodies the process holds at once; more only for a single body that is larger. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

/** How much a parsed body counts, in times its size. JSON such as `[[],[],...]` takes twenty times its size, most far less. */
const PARSED_SIZES = 8;

const SECOND_BUFFER_BYTES = 1024;

/** What all bodies take together, from their arrival until their answers are written. */
export class BodyBudget {
  private readonly bytesMax: number;
  private held = 0;

  constructor(bodyBytesMax: number) {
    this.bytesMax = Math.max(HELD_BYTES_MAX, bodyBytesMax * (1 + PARSED_SIZES));
  }

  /** Returns false, and takes nothing, where there is no room. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.bytesMax) return false;
    this.held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.held -= bytes;
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * One body. Its first chunk, mostly the only one, is kept as it is; further chunks are copied into one buffer that doubles, so that a
 * body in chunks of one byte takes no more memory than any other. Nothing is allocated for bytes that are only announced.
 */
export class BodyBuffer {
  private buffer: Buffer = EMPTY;
  private length = 0;
  private taken = 0;

  constructor(
    private readonly bytesMax: number,
    private readonly budget: BodyBudget,
  ) {}

  /** Returns an error where the body is too large, or all bodies together are. */
  add(chunk: Buffer): ApiError | undefined {
    const length = this.length + chunk.length;
    if (length > this.bytesMax) return tooLarge(this.bytesMax);
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

  /** The whole body, to be parsed; throws an ApiError where there is no room for what is made of it. */
  bytes(): Buffer {
    const overloaded = this.take(this.length * PARSED_SIZES);
    if (overloaded) throw overloaded;
    return this.buffer.subarray(0, this.length);
  }

  /** Gives everything back to the budget. */
  release(): void {
    this.budget.release(this.taken);
    this.taken = 0;
    this.buffer = EMPTY;
  }

  private take(bytes: number): ApiError | undefined {
    if (!this.budget.take(bytes))
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

export function tooLarge(bytesMax: number): ApiError {
  return new ApiError(ErrorCode.BodyTooLarge, `expected a body of at most ${bytesMax} bytes`);
}

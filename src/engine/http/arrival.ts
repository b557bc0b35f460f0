/** A request body that is read as it comes, no faster than it is asked for: what nobody reads stays with the client. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import { tooLarge } from './body-buffer';
import { fail } from './deadline';

const LATE = 'expected the body to be read before the answer is given';

export class Arrival {
  /** True while a handler waits for more. */
  isAwaited = false;
  private isTaken = false;
  private isOver = false;

  constructor(
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly bytesMax: number,
  ) {}

  /** The pieces of the body, once. Throws an ApiError for one that is too large or does not arrive, and an Error once the request is answered. */
  async *chunks(): AsyncGenerator<Buffer, void> {
    if (this.isTaken) throw new Error('expected the body to be read once');
    this.isTaken = true;
    let length = 0;
    askFor(this.req, this.res);
    this.isAwaited = true;
    try {
      // Destroyed by a loop that ends early, it would close the connection before the answer.
      for await (const chunk of this.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        this.isAwaited = false;
        this.refuseLate();
        length += chunk.length;
        if (length > this.bytesMax) throw tooLarge(this.bytesMax);
        yield chunk;
        this.refuseLate();
        this.isAwaited = true;
      }
    } catch (error) {
      this.refuseLate();
      throw this.req.destroyed && !this.req.readableEnded ? failureOf(this.req) : error;
    } finally {
      this.isAwaited = false;
    }
    this.refuseLate();
  }

  /** Ends the reading: the request is answered. */
  release(): void {
    this.isOver = true;
    if (this.req.complete)
      this.req.resume(); // discards what nobody has read
    else if (this.isAwaited) fail(this.req, new ApiError(ErrorCode.Internal, LATE)); // Node would leave the reader waiting
  }

  private refuseLate(): void {
    if (this.isOver) throw new Error(LATE);
  }
}

/** Sends `100 Continue` to a client that waits for it. */
export function askFor(req: IncomingMessage, res: ServerResponse): void {
  if (req.headers.expect !== undefined && req.httpVersion === '1.1' && !res.headersSent) res.writeContinue();
}

/** The error of an incomplete body: the one with which parser-errors.ts has destroyed the request, or a broken connection. */
export function failureOf({ errored }: IncomingMessage): ApiError {
  if (errored instanceof ApiError) return errored;
  return new ApiError(ErrorCode.MalformedRequest, 'the connection closed before the body was complete');
}

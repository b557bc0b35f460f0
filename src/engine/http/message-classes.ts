/** The classes of requests and responses that Node makes for an Express app. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { ApiError } from '../errors/api-error';

/** The length of chunks that are copied together. */
const SMALL_BYTES_MAX = 1_024;
const TOGETHER_BYTES = 16_384;

/**
 * Classes with the prototypes that Express sets on every request and response. Setting another prototype would discard the object's hidden
 * class in V8, and cost three quarters of the speed.
 */
export function messageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class AppRequest extends IncomingMessage {
    /** Small chunks behind others that wait to be read: one buffer, as each of one byte would take 300 bytes of its own. */
    private together: Buffer | undefined;
    private togetherLength = 0;

    override push(chunk: Buffer | null): boolean {
      if (chunk === null || this.readableLength === 0 || chunk.length > SMALL_BYTES_MAX) {
        this.pushTogether();
        return super.push(chunk);
      }
      if (this.togetherLength + chunk.length > TOGETHER_BYTES) this.pushTogether();
      this.together ??= Buffer.allocUnsafeSlow(TOGETHER_BYTES);
      this.togetherLength += chunk.copy(this.together, this.togetherLength);
      return this.readableLength + this.togetherLength < this.readableHighWaterMark;
    }

    override read(size?: number): Buffer | null {
      this.pushTogether();
      return super.read(size) as Buffer | null;
    }

    private pushTogether(): void {
      if (!this.together) return;
      const bytes = this.together.subarray(0, this.togetherLength);
      this.together = undefined;
      this.togetherLength = 0;
      super.push(bytes);
    }

    /** Keeps the connection open if the request is destroyed with an ApiError, which is answered; Node would close it. */
    override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
      if (error instanceof ApiError) done();
      else super._destroy(error, done);
    }
  }
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = based(AppRequest.prototype, app.request);
  app.response = based(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function based<Base extends object>(prototype: object, base: Base): Base {
  return Object.setPrototypeOf(prototype, base) as Base;
}

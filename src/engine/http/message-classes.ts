/** The classes of requests and responses that Node makes for an Express app. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { ApiError } from '../errors/api-error';

/**
 * Classes with the prototypes that Express sets on every request and response. Setting another prototype would discard the object's hidden
 * class in V8, and cost three quarters of the speed.
 */
export function messageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class AppRequest extends IncomingMessage {
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

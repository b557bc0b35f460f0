/** The context of a request, for its handler; each part is made when it is first used. */
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Principal, RequestContext } from '../contract/handler-types';
import { clientOf } from '../http/client-network';
import type { Exchange } from '../http/exchange';
import { requestId } from '../http/request-id';
import { acceptedOf } from './accept';

export class RequestSurroundings implements RequestContext {
  private ownLog: Logger | undefined;
  private abort: AbortController | undefined;

  constructor(
    private readonly exchange: Exchange,
    readonly principals: Readonly<Record<string, Principal>>,
    private readonly serviceLog: Logger,
    private readonly serviceUrl: () => string,
  ) {}

  get requestId(): string {
    return requestId(this.exchange.req);
  }

  get log(): Logger {
    const { operation, principal } = this.exchange;
    return (this.ownLog ??= this.serviceLog.child({
      id: this.requestId,
      operation: operation?.id,
      principal: principal?.name,
    }));
  }

  get signal(): AbortSignal {
    return (this.abort ??= abortedWith(this.exchange.res)).signal;
  }

  get client(): string | undefined {
    return clientOf(this.exchange.req);
  }

  get baseUrl(): string {
    return this.serviceUrl();
  }

  /** A function that handlers may take out of the context, as they do with its other parts. */
  get accepts(): RequestContext['accepts'] {
    return (...mediaTypes) => acceptedOf(this.exchange.req, mediaTypes);
  }
}

function abortedWith(res: Response): AbortController {
  const controller = new AbortController();
  const end = (): void => {
    if (!res.writableFinished) controller.abort(new Error('the client has gone'));
  };
  if (res.closed || res.destroyed) end();
  else res.once('close', end).once('abandon', () => controller.abort(new Error('the server ends')));
  return controller;
}

/** A request and its properties for the log and metrics, which are added on its way. */
import type { Request, Response } from 'express';
import type { ContractOperation } from '../contract/operations';

export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  /** The operation, once the request is matched to one. */
  operation?: ContractOperation;
  /** The path parameters of the request, as they were sent. */
  path?: Readonly<Record<string, string>>;
  /** The sender, once the request is authenticated. */
  principal?: { readonly name: string } | undefined;
  /** The number of its `readOnly` properties that were left out. */
  leftOut?: number;
  /** The code of the error in its answer. */
  error?: number;
  /** True if its answer was broken off, because an item of the body could not be sent. */
  isBrokenOff?: boolean;
  /** The reason why a credential was refused. */
  reason?: string | undefined;
}

/** Called when a request begins; listens for the end of the response itself. */
export type Observe = (exchange: Exchange) => void;

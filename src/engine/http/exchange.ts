/** A request with all that is known of it so far: it is logged and measured by that once it is answered. */
import type { Request, Response } from 'express';

export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  /** The contract's operation, once the request is matched to one. */
  operation?: {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    /** The names of the path parameters that may be logged. */
    readonly ids: readonly string[];
  };
  /** The path parameters of the request, as they were sent. */
  path?: Readonly<Record<string, string>>;
  /** Who sent the request, once it is authenticated. */
  principal?: { readonly name: string } | undefined;
  /** The code of the error that answers it. */
  error?: number;
  /** Why a credential was refused. */
  reason?: string | undefined;
}

/** Called when a request begins; listens for the end of the response itself. */
export type Observe = (exchange: Exchange) => void;

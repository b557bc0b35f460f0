/** Failures that clients are told of: thrown anywhere on a request's way, written once, at its end. */

/** One thing that is wrong with a request. */
export interface Violation {
  /** Where, as a JSON pointer: `/body/name`, `/query/limit`. */
  place: string;
  /** What was expected there, and what came. */
  text: string;
}

export interface ApiErrorOptions extends ErrorOptions {
  /** Headers of the answer, such as `Allow` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
  /** Why a credential was refused, in words for the log: the client is not told. */
  reason?: string | undefined;
  /** All that is wrong with the request, of which `message` tells the first. */
  violations?: readonly Violation[];
}

/** What a thrown thing says, whatever it is. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A failure that the client is told of. `message` is sent as it stands: it says what was expected and what came, and
 * has none of the client's bytes in it but those that `JSON.stringify` or a JSON pointer has made harmless.
 * What only the log may know goes into `cause`, or `reason`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;
  readonly violations: readonly Violation[];

  constructor(
    readonly code: number,
    message: string,
    { headers, reason, violations, ...options }: ApiErrorOptions = {},
  ) {
    // No stack for errors of the client: nobody reads it, and capturing it took a third of the time of a refusal.
    const { stackTraceLimit } = Error;
    if (code < 500_00) Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.headers = headers ?? {};
    this.reason = reason;
    this.violations = violations ?? [];
  }

  /** Whether its status is one of errors: another one, such as 100, would end no request. */
  get isOfError(): boolean {
    return this.status >= 400 && this.status <= 599;
  }

  /** The HTTP status: an error code is the status times 100, plus a number. */
  get status(): number {
    return Math.floor(this.code / 100);
  }
}

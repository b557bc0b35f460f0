/** Failures that clients are told of: thrown anywhere on a request's way, written once, at its end. */

export interface ApiErrorOptions extends ErrorOptions {
  /** Headers of the answer, such as `Allow` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
}

/** What a thrown thing says, whatever it is. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A failure that the client is told of. `message` is sent as it stands: it says what was expected and what came, and
 * has none of the client's bytes in it but those that `JSON.stringify` or a JSON pointer has made harmless.
 * What only the log may know goes into `cause`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: number,
    message: string,
    { headers, ...options }: ApiErrorOptions = {},
  ) {
    // No stack for errors of the client: nobody reads it, and capturing it took a third of the time of a refusal.
    const { stackTraceLimit } = Error;
    if (code < 500_00) Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.headers = headers ?? {};
  }

  /** The HTTP status: an error code is the status times 100, plus a number. */
  get status(): number {
    return Math.floor(this.code / 100);
  }
}

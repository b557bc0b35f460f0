/** Errors that are sent to clients: thrown at any stage of a request, and written at its end. */

/** One violation of the contract by a request. */
export interface Violation {
  /** Its place as a JSON pointer: `/body/name`, `/query/limit`. */
  place: string;
  /** The message: what was expected there, and what was sent. */
  text: string;
}

export interface ApiErrorOptions extends ErrorOptions {
  /** Headers of the answer, such as `Allow` or `WWW-Authenticate`. */
  headers?: Record<string, string>;
  /** The reason why a credential was refused: for the log, never sent. */
  reason?: string | undefined;
  /** All violations by the request; `message` has the first one. */
  violations?: readonly Violation[];
}

/**
 * The message of a thrown value.
 *
 * @example
 * try {
 *   await database.ping();
 * } catch (error) {
 *   log.warn(`no connection: ${messageOf(error)}`);
 * }
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Marks errors of every copy of this module: under `npm run dev` a mock throws errors of the tools' copy, and a service
 * catches them.
 */
const MARK = Symbol.for('openapi-in-charge.ApiError');

/**
 * An error that is sent to the client. `message` is sent as it is: it says what was expected and what was sent, with no
 * bytes of the client's but those that `JSON.stringify` or a JSON pointer has escaped. `cause` and `reason` are for the log only.
 *
 * @example
 * throw new ApiError(errorCodes.NoSuchBed, `expected the id of a bed, got ${path.id}`);
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly [MARK] = true;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;
  readonly violations: readonly Violation[];

  constructor(
    readonly code: number,
    message: string,
    { headers, reason, violations, ...options }: ApiErrorOptions = {},
  ) {
    // No stack for client errors: nobody reads it, and capturing it took a third of the time of a refusal.
    const { stackTraceLimit } = Error;
    if (code < 500_00) Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.headers = headers ?? {};
    this.reason = reason;
    this.violations = violations ?? [];
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value;
  }

  /**
   * True if the status is 4xx or 5xx: a handler may throw an error with another status, such as 100, which would never
   * end the request.
   */
  get isOfError(): boolean {
    return this.status >= 400 && this.status <= 599;
  }

  /** The HTTP status: a code is the status times 100, plus a number. */
  get status(): number {
    return Math.floor(this.code / 100);
  }
}

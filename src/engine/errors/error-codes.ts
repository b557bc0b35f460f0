/**
 * The codes of the server's own errors: the HTTP status times 100, plus a number for each case. If a contract lists error codes, it is
 * checked against this table and that of the handlers (`handlers.ts`).
 *
 * @example
 * throw new ApiError(ErrorCode.StoreUnavailable, 'the store does not answer', { cause });
 */
export const ErrorCode = {
  MalformedBody: 40001,
  ContractViolation: 40002,
  MalformedRequest: 40003,
  TokenMissing: 40101,
  TokenInvalid: 40102,
  InsufficientScope: 40301,
  NoSuchPath: 40401,
  MethodNotAllowed: 40501,
  NotAcceptable: 40601,
  RequestTimeout: 40801,
  BodyTooLarge: 41301,
  UnsupportedMediaType: 41501,
  RangeNotSatisfiable: 41601,
  ExpectationFailed: 41701,
  TooManyRequests: 42901,
  HeadersTooLarge: 43101,
  Internal: 50001,
  StoreUnavailable: 50301,
  Overloaded: 50302,
  VersionNotSupported: 50501,
} as const;

export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

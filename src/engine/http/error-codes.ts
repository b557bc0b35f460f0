/**
 * The server's own errors: the HTTP status times 100, plus a number that tells the cases of one status apart. A contract
 * that lists error codes is checked against this table and that of the handlers (`handlers.ts`); one that does not may be
 * served as well.
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
  RequestTimeout: 40801,
  BodyTooLarge: 41301,
  UnsupportedMediaType: 41501,
  ExpectationFailed: 41701,
  TooManyRequests: 42901,
  HeadersTooLarge: 43101,
  Internal: 50001,
  StoreUnavailable: 50301,
  Overloaded: 50302,
  VersionNotSupported: 50501,
} as const;

export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

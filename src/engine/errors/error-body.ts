/** Error bodies and their media types: the shapes that a service may define, and those of the engine. */
import { STATUS_CODES } from 'node:http';
import type { ApiError } from './api-error';

/**
 * A shape of errors: their media type, and the body that is made of each.
 *
 * @example
 * const errorBody: ErrorShape = {
 *   mediaType: 'application/problem+json',
 *   body: ({ status, message }) => ({ status, title: message }),
 * };
 */
export interface ErrorShape {
  mediaType: string;
  body: (error: ApiError) => unknown;
}

/**
 * Shapes by the schemas that responses declare: by the name of a component, or by the `$ref` of a schema that has none
 * (`#/components/responses/NotFound/content/application~1json/schema`). `default` is for all others, and for errors that are not declared.
 *
 * @example
 * const errorBody: ErrorTable = { default: problem, LegacyError: { mediaType: 'application/json', body: ({ message }) => ({ message }) } };
 */
export interface ErrorTable {
  readonly default: ErrorShape;
  readonly [schema: string]: ErrorShape;
}

/**
 * The error bodies of a service: one shape for all, or a table of several.
 *
 * @example
 * export const errorBody: ErrorBody = { mediaType: 'application/json', body: ({ code, message }) => ({ error: code, message }) };
 */
export type ErrorBody = ErrorShape | ErrorTable;

/** Makes the body of an error; undefined if the contract declares none. */
export type WriteBody = (error: ApiError) => { mediaType: string; body: unknown } | undefined;

/** The bodies of errors for each operation and status, chosen at startup by what the contract declares. */
export interface ErrorBodies {
  /** The writer of an operation's errors; without an operation, that of requests that match none. */
  of(operation?: { id: string }): WriteBody;
}

/** The engine's own shape: RFC 9457, with the error's code and, if there are several violations, all of them. */
export const problemShape: ErrorShape = {
  mediaType: 'application/problem+json',
  body: ({ code, status, message, violations }) => ({
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
    ...(violations.length > 0 && { errors: violations.map(({ place, text }) => ({ pointer: place, detail: text })) }),
  }),
};

/** The plain shape, for a contract that declares exactly these two fields. */
export const plainShape: ErrorShape = {
  mediaType: 'application/json',
  body: ({ code, message }) => ({ error: code, message }),
};

/** The message alone, for responses that declare text; as a page without markup, and in ASCII, so that no charset matters. */
export const textShapes: ReadonlyMap<string, ErrorShape> = new Map([
  ['text/plain', { mediaType: 'text/plain', body: ({ message }) => message }],
  [
    'text/html',
    {
      mediaType: 'text/html',
      body: ({ message }) => message.replaceAll(/[&<>"']|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`),
    },
  ],
]);

/** The shape of a service for a schema; undefined if the service has none. */
export function shapeFor(own: ErrorBody | undefined, schema: string): ErrorShape | undefined {
  if (own === undefined || isShape(own)) return own;
  return Object.hasOwn(own, schema) ? own[schema] : own.default;
}

/** True for one shape rather than a table. */
export function isShape(own: ErrorBody): own is ErrorShape {
  return typeof own.mediaType === 'string';
}

/** Uses the same shape for all errors. */
export function everywhere({ mediaType, body }: ErrorShape): WriteBody {
  return (error) => ({ mediaType, body: body(error) });
}

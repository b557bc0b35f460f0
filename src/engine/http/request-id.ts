/** The id of a request, which is in the log, in its answer, and often in logs of the client. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** Cached by `requestId`. */
    requestId?: string;
  }
}

/** The syntax of accepted ids: short, and harmless in a log or a terminal. */
const ID = /^[\w.-]{1,64}$/;
/** https://www.w3.org/TR/trace-context/#traceparent-header; a trace of zeros is invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})(?<trace>[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/** The client's `X-Request-Id` if it is well-formed, else the id of its trace, else a new one. The first call decides which of these `fits`. */
export function requestId(req: IncomingMessage, fits: (id: string) => boolean = () => true): string {
  return (req.requestId ??= [givenId(req), traceId(req)].find((id) => id !== undefined && fits(id)) ?? randomUUID());
}

/** The id of the trace that the request is a part of, if its `traceparent` names one. */
export function traceId({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups?.trace : undefined;
}

function givenId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return isId(id) ? id : undefined;
}

/** True for a text that is accepted as an id. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id);
}

/** The id by which a request is found again: in the log, in the answer, and in the logs of whoever has sent it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** As `requestId` gives it, once somebody has asked. */
    requestId?: string;
  }
}

/** Short, and nothing that a log or a terminal would not show as it is. */
const ID = /^[\w.-]{1,64}$/;
/** https://www.w3.org/TR/trace-context/#traceparent-header; a trace of zeros is none. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})(?<trace>[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/** The client's own `X-Request-Id` if it is well-formed, else the id of its trace, else a new one; always the same for a request. */
export function requestId(req: IncomingMessage): string {
  return (req.requestId ??= givenId(req) ?? traceId(req) ?? randomUUID());
}

/** The id of the trace that the request is a part of, if its `traceparent` names one. */
export function traceId({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups?.trace : undefined;
}

function givenId({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && ID.test(id) ? id : undefined;
}

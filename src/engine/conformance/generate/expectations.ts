/** How a request must be answered. */
import type { Answer } from '../client';

export interface Expectation {
  /** What is sent: `an invalid body/name`. */
  request: string;
  /** What must come of it, in words. */
  wanted: string;
  isMet: (answer: Answer) => boolean;
}

/** Refusals that depend on what the server has stored, and so may meet a valid request. */
const OF_THE_STATE: ReadonlySet<number> = new Set([404, 409]);

export function accepted(request: string): Expectation {
  return { request, wanted: 'it to be accepted', isMet: ({ status }) => isAccepted(status) };
}

export function refused(request: string, wanted: number): Expectation {
  return { request, wanted: String(wanted), isMet: ({ status }) => status === wanted };
}

/** Whether the request passed validation. */
export function isAccepted(status: number): boolean {
  return isSuccess(status) || OF_THE_STATE.has(status);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}

/** What is to come of a request. */
import type { Answer } from './client';

export interface Expectation {
  /** What was asked: `a request with /body/name missing`. */
  asked: string;
  /** What is to come of it, in words. */
  wanted: string;
  isMet: (answer: Answer) => boolean;
}

/** What a valid request may be refused with: that depends on what the server has. */
const OF_THE_STATE: ReadonlySet<number> = new Set([404, 409]);

export function accepted(asked: string): Expectation {
  return {
    asked,
    wanted: 'it to be accepted',
    isMet: ({ status }) => isLetPass(status),
  };
}

export function refused(asked: string, wanted: number): Expectation {
  return { asked, wanted: String(wanted), isMet: ({ status }) => status === wanted };
}

/** Whether the request got as far as to what it asks for. */
export function isLetPass(status: number): boolean {
  return isSuccess(status) || OF_THE_STATE.has(status);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}

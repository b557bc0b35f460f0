/** Expected answers to a request. */
import type { Answer } from '../client';

export interface Expectation {
  /** The request in words: `an invalid body/name`. */
  request: string;
  /** The same in fewer words, if many are answered alike. */
  kind?: string;
  /** The expected answer in words. */
  wanted: string;
  /** `yes`, `nearly` for an answer that the contract leaves open and that is a warning, or `no`. */
  met: (answer: Answer) => 'yes' | 'nearly' | 'no';
  /** Whether it must be refused before a handler sees it. */
  isRefusal: boolean;
}

/** Refusals that depend on what the server has stored, and so may meet a valid request. */
const STATE_REFUSALS: ReadonlySet<number> = new Set([404, 409]);
/** Statuses of a request that is wrong in itself. */
const REQUEST_REFUSALS: ReadonlySet<number> = new Set([400, 404, 405, 406, 413, 414, 415, 422]);

/** A handler may refuse what no schema can say, with a status that the contract declares. */
export function accepted(request: string): Expectation {
  return {
    request,
    wanted: 'it to be accepted',
    isRefusal: false,
    met: ({ status }) => (isSuccess(status) || STATE_REFUSALS.has(status) ? 'yes' : 'nearly'),
  };
}

/** Refused with a status, or with another one of its kind; without credentials, with any that is no success. */
export function refused(request: string, wanted: number): Expectation {
  const isNear = (status: number): boolean => (wanted === 401 ? status >= 400 : REQUEST_REFUSALS.has(status));
  return {
    request,
    wanted: String(wanted),
    isRefusal: true,
    met: ({ status }) => (status === wanted ? 'yes' : isNear(status) ? 'nearly' : 'no'),
  };
}

/** Refused by custom, as the contract is silent. */
export function refusedByHabit(request: string, wanted: number): Expectation {
  return {
    request,
    wanted: String(wanted),
    isRefusal: true,
    met: ({ status }) => (status === wanted ? 'yes' : 'nearly'),
  };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}

/** Expected answers to a request. */
import type { Answer } from '../client';

export interface Expectation {
  /** The request in words: `an invalid body/name`. */
  request: string;
  /** A shorter description, for many requests with the same kind of answer. */
  kind?: string;
  /** The expected answer in words. */
  wanted: string;
  /** `yes`; `nearly` for an answer that the contract leaves open, which is a warning; or `no`. */
  met: (answer: Answer) => 'yes' | 'nearly' | 'no';
  /** True if the request must be refused before it reaches a handler. */
  isRefusal: boolean;
}

/** Refusals that depend on stored state, so that a valid request may get them. */
const STATE_REFUSALS: ReadonlySet<number> = new Set([404, 409]);
/** Statuses for a request that is wrong in itself. */
const REQUEST_REFUSALS: ReadonlySet<number> = new Set([400, 404, 405, 406, 413, 414, 415, 422]);

/** An accepted request. A handler may refuse what no schema can express, with a status that the contract declares. */
export function accepted(request: string): Expectation {
  return {
    request,
    wanted: 'it to be accepted',
    isRefusal: false,
    met: ({ status }) => (isSuccess(status) || STATE_REFUSALS.has(status) ? 'yes' : 'nearly'),
  };
}

/**
 * A request that is refused with a status, or with another one of its kind; without credentials, with any error status.
 */
export function refused(request: string, wanted: number): Expectation {
  const isNear = (status: number): boolean => (wanted === 401 ? status >= 400 : REQUEST_REFUSALS.has(status));
  return {
    request,
    wanted: String(wanted),
    isRefusal: true,
    met: ({ status }) => (status === wanted ? 'yes' : isNear(status) ? 'nearly' : 'no'),
  };
}

/** An invalid request whose answer has a status that valid ones were refused with, too: whether it is refused for itself is left open. */
export function refusedAsValid({ wanted }: Expectation): Expectation {
  return { request: 'invalid requests as to valid ones', wanted, isRefusal: true, met: () => 'nearly' };
}

/** A request that is refused by convention, as the contract says nothing about it; another status is a warning. */
export function refusedByHabit(request: string, wanted: number): Expectation {
  return { ...refused(request, wanted), met: ({ status }) => (status === wanted ? 'yes' : 'nearly') };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}

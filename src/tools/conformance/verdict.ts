/** The input of the suite besides the contract, and its result. */
import type { Answer, Request } from './client';
import type { Coverage } from './coverage';

/** The server under test. */
export interface Target {
  /** The address of the contract's API. One that ends with its host, without a slash, is taken with the path of the contract's server. */
  url: string;
  credentials: Credentials;
}

/** Credentials that the server accepts. */
export interface Credentials {
  /** Behind `Bearer`, also for the types `oauth2` and `openIdConnect`. */
  token?: string | undefined;
  /** `NAME:PASSWORD` of HTTP basic. */
  user?: string | undefined;
  /** API keys by the names of their schemes, or of their headers, query parameters or cookies. */
  keys?: Readonly<Record<string, string>> | undefined;
}

export interface Finding {
  /** `POST /notes`, or the path. */
  where: string;
  problem: string;
  /** The declaration that is broken, with its place in the contract. */
  contract?: string;
  /** The smallest request that shows it, and its answer. */
  request?: Request;
  answer?: Answer | undefined;
  /** Why no answer came. */
  reason?: string;
}

export interface Progress {
  /** `POST /notes`, the `index`-th of `count`, counted from 0. */
  operation: string;
  index: number;
  count: number;
  /** The number of requests that have been sent. */
  requests: number;
}

/** The result of a run. */
export interface Verdict {
  seed: number;
  /** The address of the contract's API. */
  url: string;
  /** The operations that valid requests were sent to. */
  operations: readonly string[];
  /** Those of them that accepted one. */
  accepted: readonly string[];
  /** The number of requests that were sent. */
  requests: number;
  /** Deviations from the contract, each with the smallest request that shows it. */
  findings: readonly Finding[];
  /** Deviations from custom that the contract leaves open. */
  warnings: readonly Finding[];
  /** Operations and parts of them that could not be tried, and why. */
  untried: readonly Untried[];
  /** The names of operations whose handlers are not written, if `unwritten` was asked for. */
  unwritten: readonly string[];
  /** The parts of the contract, and which of them were tried. */
  coverage: Coverage;
}

/** An operation, or the path of some, of which something could not be tried. */
export interface Untried {
  where: string;
  why: string;
}

/**
 * Why a run says nothing about the server: nothing was tried, or nothing accepted; undefined if it does. A server of another contract, or at
 * another path, may refuse everything as this one declares.
 */
export function nothingKnown(verdict: Verdict): string | undefined {
  const { operations, accepted, findings, unwritten, untried } = verdict;
  if ([accepted, findings, unwritten].flat().length > 0) return undefined;
  if (operations.length === 0) return `no operation was tried: ${reasonsOf(untried) || 'the contract has none'}`;
  const refused = untried.filter(({ where }) => operations.includes(where));
  return `no operation has accepted a request: ${reasonsOf(refused)}`;
}

function reasonsOf(untried: readonly Untried[]): string {
  return [...new Set(untried.map(({ why }) => why))].join('; ');
}

/** What the suite is given besides the contract, and what it says. */
import type { Answer, Request } from './client';

/** The server under test. */
export interface Target {
  /** Where the contract is served. An address that ends with its host, without a slash, is taken with the path of the contract's server. */
  url: string;
  credentials: Credentials;
}

/** What it accepts. */
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
  /** What the contract says, with its place. */
  contract?: string;
  /** The smallest request that shows it, and its answer. */
  request?: Request;
  answer?: Answer | undefined;
  /** Why there is none. */
  reason?: string;
}

export interface Progress {
  /** `POST /notes`, the `index`-th of `count`, counted from 0. */
  operation: string;
  index: number;
  count: number;
  /** How many requests have been sent. */
  requests: number;
}

/** What has come of it. */
export interface Verdict {
  seed: number;
  /** Where the contract is served. */
  url: string;
  /** The operations that valid requests were sent to. */
  operations: readonly string[];
  /** How many requests were sent. */
  requests: number;
  /** What deviates from the contract, each with the smallest request that shows it. */
  findings: readonly Finding[];
  /** What the contract leaves open, and is worth knowing. */
  told: readonly Finding[];
  /** What could not be tried, and why. */
  untried: readonly Untried[];
  /** The names of operations whose handlers are not written, if `unwritten` was asked for. */
  unwritten: readonly string[];
}

/** An operation, or the path of some, of which something could not be tried. */
export interface Untried {
  where: string;
  why: string;
}

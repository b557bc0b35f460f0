/**
 * The conformance suite: holds a running server to its contract, whatever that declares. For every operation, what is valid
 * is accepted, what is invalid is refused, and nobody is let in without a credential; nothing else is served; and every
 * answer is one that the contract declares.
 */
import { randomInt } from 'node:crypto';
import type { Contract, Operation } from './contract';
import { bodiesOf } from './generate/bodies';
import { withNeedlessToken, withoutToken, withToken } from './generate/credentials';
import { KnownValues } from './generate/known-values';
import { Parameters } from './generate/parameters';
import { type Case, type Cases, casesOf } from './generate/requests';
import { otherMethods, otherPaths } from './generate/undeclared';
import { Unmakeable } from './generate/variants';
import { Oracle } from '../samples/oracle';
import { Probe } from './probe';
import type { Progress, Target, Verdict } from './verdict';

/** How many requests of each kind are sent, and how often it is tried to shrink a failing one. */
export type Runs = Readonly<
  Record<'valid' | 'edge' | 'invalid' | 'unauthenticated' | 'undeclared' | 'shrinks', number>
>;
const RUNS: Runs = { valid: 50, edge: 2, invalid: 2, unauthenticated: 8, undeclared: 3, shrinks: 150 };
/** What creates something comes before what reads it, and what deletes it last. */
const ORDER = ['POST', 'PUT', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'DELETE'];

/** What the requests are made with. */
export interface Options {
  /** Repeats the requests of a run; `random` unless given. */
  seed?: number;
  runs?: Runs;
  /** Operations that alone are tried, by operationId or as `GET /notes`; all of them unless given. */
  only?: readonly string[];
  /** Whether operations that may change something are tried: all but GET, HEAD, OPTIONS and TRACE. */
  write?: boolean;
  /** Whether 501 to a valid request means that a handler is not written yet: its operation is named, and not failed. */
  unwritten?: boolean;
  /** Called before each operation. */
  onProgress?: (progress: Progress) => void;
}

/** Holds the server at an address to a contract: the same verdict for the same seed and server. Rejects if it cannot be reached. */
export async function checkConformance(
  contract: Contract,
  target: Target,
  { seed = randomInt(2 ** 31), runs = RUNS }: Options = {},
): Promise<Verdict> {
  const oracle = new Oracle(contract.document);
  const known = new KnownValues();
  const parameters = new Parameters(contract, oracle, known);
  const probe = new Probe(target, contract, oracle, known, seed, runs.shrinks);
  const requestsOfPaths = new Map<string, Case>();
  const inOrder = contract.operations.toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
  try {
    for (const operation of inOrder) {
      try {
        const { body, path } = operation;
        // Made only now: parameters take values that the operations before have left known.
        const cases = casesOf(
          operation,
          (each) => parameters.variants(each, path),
          body && bodiesOf(contract, oracle, body.content),
        );
        await checkOperation(probe, operation, cases, target.credentials.token ?? '', runs);
        if (cases.valid[0]) requestsOfPaths.set(path, cases.valid[0]);
      } catch (error) {
        if (!(error instanceof Unmakeable)) throw error;
        probe.findings.push({ where: operation.name, problem: error.message });
      }
    }
    for (const [path, { requests }] of requestsOfPaths) {
      const declared = (contract.methods.get(path) ?? []).map(({ method }) => method);
      const [method = 'GET'] = declared;
      for (const each of [...otherMethods(declared, requests), ...otherPaths(contract, requests, method)])
        await probe.check(path, each, runs.undeclared);
    }
  } finally {
    probe.close();
  }
  return { seed, requests: probe.requests, findings: probe.findings, told: [], untried: [], unwritten: [] };
}

async function checkOperation(
  probe: Probe,
  operation: Operation,
  { valid, invalid }: Cases,
  token: string,
  runs: Runs,
): Promise<void> {
  const { name, security, parameters } = operation;
  if (security === 'unknown') {
    probe.findings.push({ where: name, problem: 'asks for a credential that is no bearer token' });
    return;
  }
  const run = async (cases: Case[], times: number): Promise<void> => {
    for (const each of cases) await probe.check(name, each, times, operation);
  };
  const authorized = (cases: Case[]): Case[] => (security === 'none' ? cases : withToken(cases, token));
  if (security === 'bearer') await run(withoutToken({ valid, invalid }, token), runs.unauthenticated);
  if (security === 'optional') await run(valid.slice(0, 1), runs.unauthenticated);
  if (security === 'none') await run(withNeedlessToken(valid.slice(0, 1)), runs.unauthenticated);
  const before = probe.findings.length;
  await run(authorized(valid.slice(0, 1)), runs.valid);
  // What is wrong with any valid request would be repeated for each edge.
  if (probe.findings.length === before) await run(authorized(valid.slice(1)), runs.edge);
  await run(authorized(invalid), runs.invalid);
  // With a path parameter, nothing may be there yet that a request could name.
  const canSucceed = parameters.every(({ in: location }) => location !== 'path');
  const isFaultless = probe.findings.every(({ where }) => where !== name);
  if (canSucceed && isFaultless && !probe.successful.has(operation))
    probe.findings.push({ where: name, problem: 'accepts no valid request' });
}

/**
 * What is found of a server that does not keep to its contract. For every operation: what is valid is accepted, what is
 * invalid is refused, nobody is let in without a credential; and nothing else is served. Whatever the request, the answer
 * has to be one that the contract declares.
 */
import { Bodies } from './bodies';
import type { Contract, Operation } from './contract';
import { GivenParameters } from './given-parameters';
import { Memory } from './memory';
import { Oracle } from './oracle';
import { type Case, type Cases, Requests } from './requests';
import { Unmakeable } from './samples';
import { type Finding, Probe, type Target } from './probe';
import { asStrangers, withNeedlessToken, withToken } from './strangers';
import { otherMethods, otherPaths } from './undeclared';
import { Values } from './values';

/** How many requests of each kind are sent, and how many to make a failing one smaller. */
export type Runs = Readonly<Record<'valid' | 'edge' | 'invalid' | 'stranger' | 'undeclared' | 'smaller', number>>;
const RUNS: Runs = { smaller: 150, valid: 50, edge: 2, invalid: 4, stranger: 8, undeclared: 3 };
/** What makes something comes before what reads it, and what ends it last. */
const ORDER = ['POST', 'PUT', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'DELETE'];

/** What can be said of any server by a contract. */
export class Suite {
  private readonly oracle: Oracle;
  private readonly values: Values;
  private readonly bodies: Bodies;

  constructor(private readonly contract: Contract) {
    this.oracle = new Oracle(contract.document);
    this.values = new Values(contract.document);
    this.bodies = new Bodies(this.values, this.oracle);
  }

  /** All that is found; the same for the same seed and server. */
  async findings(target: Target, seed: number, runs = RUNS): Promise<Finding[]> {
    const { contract, oracle, values, bodies } = this;
    const memory = new Memory();
    const requests = new Requests(new GivenParameters(values, oracle, memory), bodies);
    const probe = new Probe(target, contract, oracle, memory, seed, runs.smaller);
    const ofPaths = new Map<string, Case>();
    try {
      for (const operation of inOrder(contract.operations)) {
        try {
          // Not before those before it have been sent: what the server has by then is asked for.
          const cases = requests.of(operation);
          await checkOperation(probe, operation, cases, target.token, runs);
          if (cases.valid[0]) ofPaths.set(operation.path, cases.valid[0]);
        } catch (error) {
          if (!(error instanceof Unmakeable)) throw error;
          probe.findings.push({ where: operation.name, problem: error.message });
        }
      }
      for (const [path, any] of ofPaths) await checkPath(probe, contract, path, any, runs.undeclared);
    } finally {
      probe.close();
    }
    return probe.findings;
  }
}

function inOrder(operations: readonly Operation[]): Operation[] {
  return operations.toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
}

async function checkOperation(
  probe: Probe,
  operation: Operation,
  { valid, invalid }: Cases,
  token: string,
  runs: Runs,
): Promise<void> {
  const { name, security } = operation;
  if (security === 'unknown') {
    probe.findings.push({ where: name, problem: 'asks for a credential that is no bearer token' });
    return;
  }
  const run = async (cases: Case[], times: number): Promise<void> => {
    for (const each of cases) await probe.check(name, each, times, operation);
  };
  const asking = (cases: Case[]): Case[] => (security === 'none' ? cases : withToken(cases, token));
  if (security === 'bearer') await run(asStrangers({ valid, invalid }, token), runs.stranger);
  if (security === 'optional') await run(valid.slice(0, 1), runs.stranger);
  if (security === 'none') await run(withNeedlessToken(valid.slice(0, 1)), runs.stranger);
  const before = probe.findings.length;
  await run(asking(valid.slice(0, 1)), runs.valid);
  // Where something is wrong well within the edges, it would be said of each of them again.
  if (probe.findings.length === before) await run(asking(valid.slice(1)), runs.edge);
  await run(asking(invalid), runs.invalid);
  const isStateless = operation.parameters.every(({ in: where }) => where !== 'path');
  const isFaultless = probe.findings.every(({ where }) => where !== name);
  if (isStateless && isFaultless && !probe.accepting.has(name))
    probe.findings.push({ where: name, problem: 'accepts no valid request' });
}

async function checkPath(
  probe: Probe,
  contract: Contract,
  path: string,
  { requests }: Case,
  runs: number,
): Promise<void> {
  const declared = (contract.methods.get(path) ?? []).map(({ method }) => method);
  const [method = 'GET'] = declared;
  for (const each of [...otherMethods(declared, requests), ...otherPaths(contract, requests, method)]) {
    await probe.check(path, each, runs);
  }
}

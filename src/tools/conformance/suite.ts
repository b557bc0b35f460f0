/**
 * The conformance suite: holds a running server to its contract, whatever that declares. For every operation, what is valid
 * is accepted, what is invalid and what has no credential is refused; nothing else is served; and every
 * answer is one that the contract declares.
 */
import { randomInt } from 'node:crypto';
import { canCome, oneLine } from '../../engine/reading';
import { type Answer, Client } from './client';
import type { Contract, Operation } from './contract';
import { Counter } from './coverage';
import { bodiesOf } from './generate/bodies';
import {
  type Access,
  accessesTo,
  headWithoutAccess,
  isForEveryone,
  namesOf,
  withAccess,
  withNeedlessToken,
  withoutAccess,
} from './generate/credentials';
import { KnownValues } from './generate/known-values';
import { nameOf, Parameters, takesAnyName } from './generate/parameters';
import { settingReadOnly } from './generate/read-only';
import { type Case, type Cases, casesOf } from './generate/requests';
import { otherMethods, otherPaths, otherPathsWithoutAccess, SAFE_METHODS } from './generate/undeclared';
import { chosen, chosenConstraints, type Limit, Unmakeable } from './generate/variants';
import { explainer } from './judge/explain';
import { Judge } from './judge/judge';
import { blindSpot, Oracle } from '../samples/oracle';
import { Hanging, Probe } from './probe';
import type { Progress, Target, Untried, Verdict } from './verdict';

/** The number of requests of each kind, and of attempts to shrink a failing one. */
export type Runs = Readonly<
  Record<'valid' | 'edge' | 'invalid' | 'unauthenticated' | 'undeclared' | 'shrinks', number>
> & {
  /**
   * The number of changes of a request that are tried: valid ones, and twice as many invalid ones, at least a quarter of this number
   * beside those that break one constraint alone, of which there may be three times as many; all of them unless given.
   */
  readonly changes?: number;
};
const RUNS: Runs = { valid: 50, edge: 2, invalid: 2, unauthenticated: 8, undeclared: 3, shrinks: 150 };
/** The order of operations: those that create come before those that read, and those that delete come last. */
const ORDER = ['POST', 'PUT', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'DELETE'];

/** Runs of about this number of requests for an operation. */
export function runsFor(requests: number): Runs {
  const few = Math.max(1, Math.round(requests / 8));
  const changes = Math.max(1, Math.round((requests - 2 * few) / 3));
  return { ...RUNS, valid: few, edge: 1, invalid: 1, unauthenticated: Math.ceil(few / 9), undeclared: 1, changes };
}

/** Options for how the requests are made. */
export interface Options {
  /** Repeats the requests of a run; a random one unless given. */
  seed?: number | undefined;
  runs?: Runs | undefined;
  /** Operations that alone are tried, by operationId or as `GET /notes`; all of them unless given. */
  only?: readonly string[] | undefined;
  /** Also tries operations that may change something: all but GET, HEAD, OPTIONS and TRACE. */
  write?: boolean | undefined;
  /** Takes 501 to a valid request for a handler that is not written yet: its operation is named, and not failed. */
  unwritten?: boolean | undefined;
  /** The size of the largest body that the server reads, where the contract does not say it: larger ones are not sent. */
  bodyBytesMax?: number | undefined;
  /** The time limit of a whole answer in milliseconds; 30 s unless given. */
  answerMs?: number | undefined;
  /** Called before each operation. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Holds the server at an address to a contract: the same verdict for the same seed and server. */
export async function checkConformance(contract: Contract, target: Target, options: Options = {}): Promise<Verdict> {
  const url = servedAt(target.url, contract);
  const client = new Client(url, options.answerMs);
  try {
    return await new Run(contract, { ...target, url: url.href }, options, client).verdict();
  } finally {
    client.close();
  }
}

/** `http://host` with the path of the contract's server; any other address as it is. Without a slash at the end. */
export function servedAt(url: string, { basePath }: Pick<Contract, 'basePath'>): URL {
  const address = new URL(url);
  if (/^[a-z]+:\/\/[^/?#]*$/i.test(url)) address.pathname = basePath;
  address.pathname = address.pathname.replace(/(?<!\/)\/+$/, '');
  return address;
}

/** The operations that `only` names; throws a TypeError for a name that the contract does not have. */
function named({ operations }: Contract, only: readonly string[]): Operation[] {
  return only.flatMap((name) => {
    const found = operations.filter((each) => each.id === name || each.name.toLowerCase() === name.toLowerCase());
    if (found.length > 0) return found;
    const known = operations.slice(0, 10).map(({ id }) => id);
    throw new TypeError(
      `expected an operationId or METHOD PATH of the contract, got ${name}; it has ${known.join(', ')}`,
    );
  });
}

/** Valid requests, and the credentials for them. */
interface Sent {
  requests: Case['requests'];
  access: Access;
}

type TriedCases = Pick<Cases, 'valid' | 'known' | 'invalid' | 'constraints'>;

class Run {
  private readonly seed: number;
  private readonly runs: Runs;
  private readonly probe: Probe;
  private readonly judge: Judge;
  private readonly parameters: Parameters;
  private readonly limit: Limit;
  private readonly oracle: Oracle;
  private readonly counter: Counter;
  private readonly known = new KnownValues();
  private readonly untried: Untried[] = [];
  /** The names of operations that valid requests were sent to. */
  private readonly tried = new Set<string>();
  /** The security schemes that operations ask for, each alone, and the alternatives of several. */
  private readonly alternatives: Operation['security'];
  /** By path. */
  private readonly requestsOfPaths = new Map<string, Sent>();

  constructor(
    private readonly contract: Contract,
    private readonly target: Target,
    private readonly options: Options,
    client: Client,
  ) {
    this.seed = options.seed ?? randomInt(2 ** 31);
    this.runs = options.runs ?? RUNS;
    this.oracle = new Oracle(contract.document);
    this.counter = new Counter(contract.document, this.oracle);
    const alternatives = contract.operations.flatMap(({ security }) => [
      ...security.flat().map((each) => [each]),
      ...security,
    ]);
    this.alternatives = [...new Map(alternatives.map((each) => [namesOf(each), each])).values()];
    const { bodyBytesMax = Infinity } = options;
    const { changes = Infinity } = this.runs;
    this.limit = { changes, constraints: 3 * changes, seed: this.seed, bodyBytesMax };
    this.parameters = new Parameters(contract, this.oracle, this.known, this.limit);
    this.judge = new Judge(contract, new Oracle(contract.answers));
    this.probe = new Probe({
      client,
      known: this.known,
      counter: this.counter,
      judge: this.judge,
      explain: explainer(contract, this.oracle),
      seed: this.seed,
      basePath: new URL(target.url).pathname.replace(/\/$/, ''),
      shrinksMax: this.runs.shrinks,
      unwritten: options.unwritten ?? false,
    });
  }

  async verdict(): Promise<Verdict> {
    const { only, write = false, onProgress } = this.options;
    const wanted = only ? named(this.contract, only) : this.contract.operations;
    for (const each of wanted) this.counter.declare(each);
    const allowed = wanted.filter(({ method }) => write || SAFE_METHODS.has(method));
    for (const each of wanted)
      if (!allowed.includes(each)) this.leave(each, 'it may change something: --write tries it');
    const inOrder = allowed.toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
    for (const [index, operation] of inOrder.entries()) {
      onProgress?.({ operation: operation.name, index, count: inOrder.length, requests: this.probe.requests });
      await this.attempt(operation.name, () => this.check(operation));
    }
    for (const [path, sent] of this.requestsOfPaths)
      await this.attempt(oneLine(path), () => this.checkUndeclared(path, sent, write));
    const { findings, warnings, requests, unwritten, successful } = this.probe;
    return {
      ...{ seed: this.seed, url: this.target.url, operations: [...this.tried], requests, findings, warnings },
      accepted: [...successful].map(({ name }) => name),
      ...{ untried: this.untried, unwritten: [...unwritten].map(({ name }) => name) },
      coverage: this.counter.coverage,
    };
  }

  private leave({ name }: Pick<Operation, 'name'>, why: string): void {
    this.untried.push({ where: name, why });
  }

  /** Leaves an operation or a path when nothing more of it can be tried. */
  private async attempt(name: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Unmakeable || error instanceof Hanging)) throw error;
      this.leave({ name }, error.message);
    }
  }

  private async check(operation: Operation): Promise<void> {
    this.assertJudged(operation);
    // Made only now, as parameters take values from the answers of earlier operations.
    const cases = this.casesOf(operation);
    await this.checkCases(operation, cases);
  }

  private async checkUndeclared(path: string, { requests, access }: Sent, write: boolean): Promise<void> {
    const declared = (this.contract.methods.get(path) ?? []).map(({ method }) => method);
    const mayBeSent = (method: string): boolean => write || SAFE_METHODS.has(method);
    const [method = 'GET'] = declared.filter(mayBeSent);
    const cases = [...otherMethods(declared, requests, mayBeSent), ...otherPaths(this.contract, requests, method)];
    for (const each of withAccess(cases, access)) await this.probe.check(oneLine(path), each, this.runs.undeclared);
  }

  private assertJudged({ method, parameters, body, responses }: Operation): void {
    if (!canCome(method)) throw new Unmakeable(`no server takes the method ${method}: letter case counts`);
    const { document, answers } = this.contract;
    const answered = [...responses.values()].map(({ headers, content }) => [...headers.values(), content]);
    const why = blindSpot(document, [parameters, body?.content ?? {}]) ?? blindSpot(answers, answered);
    if (why !== undefined) throw new Unmakeable(why);
  }

  /** The cases that are tried: all of those that are misshapen, and of others some where there are too many. */
  private casesOf(operation: Operation): TriedCases {
    const { body, path, parameters } = operation;
    const { valid, known, invalid, misshapen, otherTypes, constraints } = casesOf(
      operation,
      (each) => {
        try {
          return this.parameters.variants(each, path);
        } catch (error) {
          if (!(error instanceof Unmakeable) || each.required === true) throw error;
          this.leave(operation, `${error.message}, ${nameOf(each)} is left out`);
          return undefined;
        }
      },
      body && bodiesOf(this.contract, this.oracle, body.content, this.limit, (why) => this.leave(operation, why)),
      parameters.some((each) => takesAnyName(this.contract.document, each)),
    );
    const [first, ...edges] = valid;
    const { changes, constraints: broken, seed } = this.limit;
    const others = invalid.filter(({ breaks }) => breaks === undefined);
    const breaking = chosenConstraints(
      invalid.filter(({ breaks }) => breaks !== undefined),
      ({ breaks = '' }) => breaks,
      broken,
      seed,
    );
    const surely = [...misshapen, ...breaking, ...chosen(otherTypes, changes, seed)];
    return {
      valid: [...(first ? [first] : []), ...chosen(edges, changes, seed)],
      known,
      invalid: [...surely, ...chosen(others, Math.max(Math.ceil(changes / 4), 2 * changes - surely.length), seed)],
      constraints,
    };
  }

  private async checkCases(operation: Operation, { valid, known, invalid, constraints }: TriedCases): Promise<void> {
    const { name, security, path } = operation;
    const { probe, runs } = this;
    const { credentials } = this.target;
    const run = async (cases: readonly Case[], times: number): Promise<void> => {
      for (const each of cases) await probe.check(name, each, times, operation);
    };
    this.counter.constraints(operation, constraints, false);
    const { accesses, untried } = accessesTo(operation, credentials);
    const [access, ...others] = accesses;
    const [first] = valid;
    if (!first) throw new Unmakeable('no valid request could be made');
    const atFirst = probe.findings.length;
    if (security.length === 0) await run([withNeedlessToken(first)], runs.unauthenticated);
    await run(withoutAccess({ known, invalid }, operation, credentials, this.alternatives), runs.unauthenticated);
    const hasHead = this.contract.methods.get(path)?.some(({ method }) => method === 'HEAD');
    for (const each of hasHead ? [] : headWithoutAccess({ known }, operation))
      await probe.check(name, each, runs.unauthenticated);
    const isOfOperation = (answer: Answer): boolean => this.judge.isOf(operation, answer);
    for (const each of otherPathsWithoutAccess(this.contract, { known }, operation, isOfOperation))
      await probe.check(oneLine(path), each, runs.undeclared);
    if (!isForEveryone(security) && probe.findings.length === atFirst && !probe.denied.has(operation))
      this.leave(
        operation,
        'no request without access was answered with 401 or 403: whether it is open to everyone is not known',
      );
    for (const why of untried) this.leave(operation, why);
    if (!access) return;
    const before = probe.findings.length;
    this.tried.add(name);
    this.requestsOfPaths.set(path, { requests: first.requests, access });
    await run(withAccess([first], access), runs.valid);
    // A fault that any valid request shows would be repeated for each edge.
    if (probe.findings.length === before) await run(withAccess(valid.slice(1), access), runs.edge);
    await run(withAccess(invalid, access), runs.invalid);
    if (probe.successful.has(operation))
      await run(withAccess(settingReadOnly(this.contract, operation, { known }, this.known), access), runs.edge);
    // Only now: how they are refused says nothing about the credentials of the invalid ones.
    for (const other of others) await run(withAccess([first], other), runs.unauthenticated);
    const refusal = probe.refusals.get(operation)?.at(-1);
    const isFaultless = probe.findings.length === before;
    if (refusal !== undefined && isFaultless && !probe.successful.has(operation))
      this.leave(
        operation,
        `no valid request was accepted, the last one was answered with ${refusal}: its success is not known`,
      );
  }
}

/** Sends the requests of a case, has the answers judged, and keeps the smallest request that shows a problem. */
import fc from 'fast-check';
import { type Answer, Client, type Request } from './client';
import type { Contract, Operation } from './contract';
import { type Expectation, isSuccess } from './expectations';
import { integerOf, integersIn, type Json, readJson } from './json';
import { Judge } from './judge';
import type { Memory } from './memory';
import type { Oracle } from './oracle';
import type { Case, Meant } from './requests';

/** The server that is looked at. */
export interface Target {
  port: number;
  /** A bearer token that it accepts. */
  token: string;
}

export interface Finding {
  /** `POST /plants`, or the path. */
  where: string;
  problem: string;
  /** The smallest request that shows it, and what came back. */
  request?: Request;
  answer?: Answer | undefined;
}

export class Probe {
  readonly findings: Finding[] = [];
  /** Where a request was accepted. */
  readonly accepting = new Set<string>();
  private readonly client: Client;
  private readonly judge: Judge;

  constructor(
    { port }: Target,
    contract: Contract,
    oracle: Oracle,
    private readonly memory: Memory,
    private readonly seed: number,
    /** How often a request that shows a problem is tried to be made smaller. */
    private readonly triesMax: number,
  ) {
    this.client = new Client(port);
    this.judge = new Judge(contract, oracle);
  }

  /** Of each problem that a place has, the first is kept: one fault shows in many cases. */
  async check(where: string, { requests, expected }: Case, runs: number, operation?: Operation): Promise<void> {
    let first: string | undefined;
    let tries = 0;
    const property = fc.asyncProperty(requests, async (meant) => {
      if (first !== undefined && ++tries > this.triesMax) return;
      const failure = await this.failureOf(meant, expected, operation);
      if (!failure || this.isKnown(where, failure.problem)) return;
      // What is made smaller is to stay the problem that it was.
      first ??= failure.problem;
      if (failure.problem === first) throw failure;
    });
    const { failed, errorInstance } = await fc.check(property, { seed: this.seed, numRuns: runs });
    if (!failed) return;
    if (!(errorInstance instanceof Failure)) throw errorInstance;
    const { problem, request, answer } = errorInstance;
    this.findings.push({ where, problem, request, answer });
  }

  close(): void {
    this.client.close();
  }

  private isKnown(where: string, problem: string): boolean {
    return this.findings.some((finding) => finding.where === where && finding.problem === problem);
  }

  private async failureOf(meant: Meant, expected: Expectation, operation?: Operation): Promise<Failure | undefined> {
    const { request } = meant;
    let answer: Answer;
    try {
      answer = await this.client.send(request);
    } catch (error) {
      return new Failure('gives no answer in HTTP', request, undefined, { cause: error });
    }
    const problem = this.judge.problem({ request, answer, expected, operation });
    if (problem !== undefined) return new Failure(problem, request, answer);
    if (!operation || !isSuccess(answer.status)) return undefined;
    const said = jsonIn(answer);
    if (isRounded(meant, said)) return new Failure('answers with a number of the request, rounded', request, answer);
    this.accepting.add(operation.name);
    for (const each of [meant.parameters, meant.body, said])
      if (each !== undefined) this.memory.keep(operation.path, each);
    return undefined;
  }
}

class Failure extends Error {
  constructor(
    readonly problem: string,
    readonly request: Request,
    readonly answer: Answer | undefined,
    options?: ErrorOptions,
  ) {
    super(problem, options);
  }
}

function jsonIn({ headers, body }: Answer): Json | undefined {
  return body !== '' && /[/+]json\b/i.test(headers['content-type'] ?? '') ? readJson(body) : undefined;
}

/** Beyond these a rounded integer is the limit of int64 itself, or out of its range. */
const NEAR_LIMIT = 2n ** 63n - 2048n;

/** Whether the answer has an integer of the request, but as a double says it: the double's own value, or its shortest text. */
function isRounded({ parameters, body = null }: Meant, said: Json = null): boolean {
  const came = new Set(integersIn(said));
  const sent = integersIn([parameters, body]).filter((each) => -NEAR_LIMIT < each && each < NEAR_LIMIT);
  return sent.some(
    (each) => !came.has(each) && (came.has(BigInt(Number(each))) || came.has(integerOf(String(Number(each))) ?? each)),
  );
}

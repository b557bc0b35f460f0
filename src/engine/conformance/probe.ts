/** Sends the requests of a case, has the answers judged, and shrinks a request that shows a problem. */
import fc from 'fast-check';
import { type Answer, Client, type Request } from './client';
import type { Contract, Operation } from './contract';
import type { KnownValues } from './generate/known-values';
import type { Case, GeneratedRequest } from './generate/requests';
import { type Expectation, isSuccess } from './generate/expectations';
import { Judge } from './judge/judge';
import type { Oracle } from '../samples/oracle';
import type { Finding, Target } from './verdict';
import { integersIn, type Json, JsonNumber, readJson } from '../samples/json';

export class Probe {
  readonly findings: Finding[] = [];
  /** Operations that have answered a request with success. */
  readonly successful = new Set<Operation>();
  requests = 0;
  private readonly client: Client;
  private readonly judge: Judge;

  constructor(
    { url }: Target,
    contract: Contract,
    oracle: Oracle,
    private readonly known: KnownValues,
    private readonly seed: number,
    /** How often it is tried to shrink a request. */
    private readonly shrinksMax: number,
  ) {
    this.client = new Client(Number(new URL(url).port));
    this.judge = new Judge(contract, oracle);
  }

  /** Of each problem at one place the first finding is kept: one fault shows in many cases. */
  async check(where: string, { requests, expected }: Case, runs: number, operation?: Operation): Promise<void> {
    let first: string | undefined;
    let shrinks = 0;
    const property = fc.asyncProperty(requests, async (generated) => {
      if (first !== undefined && ++shrinks > this.shrinksMax) return;
      const failure = await this.failureOf(generated, expected, operation);
      if (!failure || this.isKnown(where, failure.problem)) return;
      first ??= failure.problem;
      // A smaller request that shows another problem does not count.
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

  private async failureOf(
    { request, parameters, body }: GeneratedRequest,
    expected: Expectation,
    operation?: Operation,
  ): Promise<Failure | undefined> {
    let answer: Answer;
    try {
      this.requests++;
      answer = await this.client.send(request);
    } catch (error) {
      return new Failure('gives no HTTP answer', request, undefined, { cause: error });
    }
    const problem = this.judge.problem(answer, request.method, expected, operation);
    if (problem !== undefined) return new Failure(problem, request, answer);
    if (!operation || !isSuccess(answer.status)) return undefined;
    const sent = [parameters, body ?? null];
    const received = jsonIn(answer);
    if (isRounded(sent, received)) return new Failure('answers with a number of the request, rounded', request, answer);
    this.successful.add(operation);
    for (const each of [...sent, received]) this.known.add(operation.path, each);
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

function jsonIn({ headers, body }: Answer): Json {
  return body !== '' && /[/+]json\b/i.test(headers['content-type'] ?? '') ? readJson(body) : null;
}

/** Beyond it, the rounded integer is the limit of int64 itself, or out of its range. */
const NEAR_LIMIT = 2n ** 63n - 2048n;

/** Whether an integer of the request comes back as a double prints it: in full, or in its shortest text. */
function isRounded(sent: Json[], received: Json): boolean {
  const came = new Set(integersIn(received));
  const isChanged = (each: bigint): boolean => {
    const double = Number(each);
    const printed = new JsonNumber(double).integer;
    return !came.has(each) && (came.has(BigInt(double)) || (printed !== undefined && came.has(printed)));
  };
  return integersIn(sent).some((each) => -NEAR_LIMIT < each && each < NEAR_LIMIT && isChanged(each));
}

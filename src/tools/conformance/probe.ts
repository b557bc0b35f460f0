/** Sends the requests of a case, has the answers judged, and shrinks a request that shows a problem. */
import fc from 'fast-check';
import { messageOf } from '../../engine';
import { type Answer, type Client, LateAnswer, type Request, TOO_MANY } from './client';
import type { Operation } from './contract';
import type { Counter } from './coverage';
import type { KnownValues } from './generate/known-values';
import type { Case, GeneratedRequest } from './generate/requests';
import { isSuccess, refusedAsValid } from './generate/expectations';
import type { Explain } from './judge/explain';
import type { Judge } from './judge/judge';
import { integersIn, type Json, JsonNumber } from '../samples/json';
import type { Finding } from './verdict';

/** The parts that send and judge every request of a run. */
export interface Means {
  client: Client;
  judge: Judge;
  explain: Explain;
  known: KnownValues;
  counter: Counter;
  seed: number;
  /** The path of the contract's API: empty, or `/v1`. */
  basePath: string;
  /** The number of attempts to shrink a request. */
  shrinksMax: number;
  /** True to accept 501 from handlers that are not written yet. */
  unwritten: boolean;
}

const NOT_IMPLEMENTED = 501;
const DENIALS: ReadonlySet<number> = new Set([401, 403]);
/** Refusals for what a request holds: one with another status says nothing about a constraint. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 413, 414, 415, 422, 431]);

export class Probe {
  readonly findings: Finding[] = [];
  readonly warnings: Finding[] = [];
  /** Operations that have answered a request with success. */
  readonly successful = new Set<Operation>();
  /** Operations that have refused a request for its credential. */
  readonly denied = new Set<Operation>();
  /** Operations that have answered a valid request with 501. */
  readonly unwritten = new Set<Operation>();
  /** The statuses of the answers of an operation to valid requests that it has not accepted. */
  readonly refusals = new Map<Operation, number[]>();
  requests = 0;
  /** The number of cases so far: with one seed for all, each would have the same parameters. */
  private cases = 0;

  constructor(private readonly means: Means) {}

  /**
   * Keeps the first finding of each problem at a place: one fault shows in many cases. Throws Hanging after an answer that is too late, as
   * each of many others may take as long.
   */
  async check(where: string, each: Case, runs: number, operation?: Operation): Promise<void> {
    let first: string | undefined;
    let late: LateAnswer | undefined;
    const property = fc.asyncProperty(fc.limitShrink(each.requests, this.means.shrinksMax), async (generated) => {
      if (late) return; // a smaller request would hang as well
      const failure = await this.failureOf(where, generated, each, operation);
      if (failure?.cause instanceof LateAnswer) late = failure.cause;
      if (!failure || isKnown(this.findings, failure.finding)) return;
      first ??= failure.finding.problem;
      // Ignore a smaller request that shows another problem.
      if (failure.finding.problem === first) throw failure;
    });
    const seed = (this.means.seed + this.cases++) | 0;
    const { failed, errorInstance } = await fc.check(property, { seed, numRuns: runs });
    if (failed && !(errorInstance instanceof Failure)) throw errorInstance;
    if (errorInstance instanceof Failure) this.findings.push(errorInstance.finding);
    if (late) throw new Hanging(`${late.message}: nothing more is sent`);
  }

  private async failureOf(
    where: string,
    generated: GeneratedRequest,
    { expected, breaks, problemOf }: Case,
    operation?: Operation,
  ): Promise<Failure | undefined> {
    const { judge, explain, known, counter, client, basePath } = this.means;
    const { parameters, body, faultless } = generated;
    const atServer = (request: Request): Request => ({ ...request, target: basePath + request.target });
    const request = atServer(generated.request);
    const finding = (problem: string, answer?: Answer): Finding => ({
      ...{ where, problem, request, answer },
      contract: explain(generated, expected, operation),
    });
    const send = async (each: Request): Promise<Answer | Failure> => {
      try {
        this.requests++;
        return await client.send(each);
      } catch (error) {
        const silent = { ...finding('gives no HTTP answer'), request: each };
        return new Failure({ ...silent, reason: messageOf(error) }, { cause: error });
      }
    };
    const answer = await send(request);
    if (answer instanceof Failure) return answer;
    if (operation && DENIALS.has(answer.status)) this.denied.add(operation);
    if (operation) counter.tried(operation, generated, expected.isRefusal, answer);
    if (operation && breaks !== undefined && !counter.isTried(operation, breaks)) {
      // A server that refuses the same without the fault as well may not have seen the fault.
      const without = faultless && OF_CONTENT.has(answer.status) ? await send(atServer(faultless)) : undefined;
      if (without instanceof Failure) return without;
      const isSeen = without !== undefined && !OF_CONTENT.has(without.status);
      if (isSeen || isSuccess(answer.status)) counter.constraints(operation, [breaks], true);
    }
    if (operation && answer.status === NOT_IMPLEMENTED && this.means.unwritten && !expected.isRefusal) {
      this.unwritten.add(operation);
      return undefined;
    }
    const refusals = (operation && this.refusals.get(operation)) ?? [];
    const isRefused = answer.status < 500 && [TOO_MANY, ...refusals].includes(answer.status);
    const isAsValid = isRefused && expected.met(answer) === 'no';
    const judged = isAsValid ? refusedAsValid(expected) : expected;
    const deviations = judge.deviations(answer, request.method, judged, operation);
    for (const { problem, isWarning } of deviations) {
      if (!isWarning) return new Failure(finding(problem, answer));
      const warning = finding(problem, answer);
      if (!isKnown([...this.findings, ...this.warnings], warning)) this.warnings.push(warning);
    }
    if (!operation) return undefined;
    const received = isSuccess(answer.status) ? judge.valueOf(answer, operation) : null;
    const problem = problemOf?.(generated, received);
    if (problem !== undefined) return new Failure(finding(problem, answer));
    if (expected.isRefusal) return undefined;
    if (!isSuccess(answer.status)) {
      this.refusals.set(operation, [...refusals, answer.status]);
      return undefined;
    }
    const sent = [parameters, body ?? null];
    if (isRounded(sent, received)) return new Failure(finding('answers with a number of the request, rounded', answer));
    this.successful.add(operation);
    for (const each of [...sent, received]) known.add(operation.path, each);
    return undefined;
  }
}

class Failure extends Error {
  constructor(
    readonly finding: Finding,
    options?: ErrorOptions,
  ) {
    super(finding.problem, options);
  }
}

/** Thrown after an answer that is too late. */
export class Hanging extends Error {}

function isKnown(findings: readonly Finding[], { where, problem }: Finding): boolean {
  return findings.some((finding) => finding.where === where && finding.problem === problem);
}

/** The limit beyond which integers round to the limit of int64 itself, or out of its range. */
const NEAR_LIMIT = 2n ** 63n - 2048n;

/** True if an integer of the request comes back as a double prints it: in full, or in its shortest text. */
function isRounded(sent: Json[], received: Json): boolean {
  const given = new Set(integersIn(sent));
  const came = new Set(integersIn(received));
  const isChanged = (each: bigint): boolean => {
    const double = Number(each);
    const printed = new JsonNumber(double).integer;
    // An integer that was itself sent does not count as a rounded one.
    const rounded = [BigInt(double), printed].filter((other) => other !== undefined && !given.has(other));
    return !came.has(each) && rounded.some((other) => other !== undefined && came.has(other));
  };
  return [...given].some((each) => -NEAR_LIMIT < each && each < NEAR_LIMIT && isChanged(each));
}

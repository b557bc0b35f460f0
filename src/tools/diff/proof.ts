/**
 * Proof of a change that breaks clients: a request that the earlier contract takes and the new one refuses, or an answer that
 * the new one allows and the earlier one did not. Made by the generators: values of one contract, at the bounds of both.
 */
import fc, { type Arbitrary } from 'fast-check';
import {
  conjoinedSchemas,
  type Contract,
  type ContractOperation,
  type Document,
  isSchema,
  lookUp,
  oneLine,
  type Path,
  placedSchemas,
  reachableSchemas,
  type Schema,
} from '../../engine/reading';
import { printable } from '../samples/curl';
import { applied, type Change, changesOf } from '../conformance/generate/changes';
import { type Json, writeJson } from '../samples/json';
import { Oracle } from '../samples/oracle';
import { pairedInRequests } from './paired';
import { plausibleValuesOf, valuesOf } from '../samples/values';

/** Values made at random, and changes of some of them. */
const SAMPLES = 200;
const SAMPLES_ALONE = 40;
const CHANGED = 5;
const CHANGES_MAX = 2_000;
const LENGTH_MAX = 2_000;
/** Further changes have no proof, and neither have those that are left after the time: a value may take long to be judged. */
const PROOFS_MAX = 50;
const PROOFS_MS_MAX = 10_000;

/** A contract that values are held to. */
interface Side {
  contract: Contract;
  oracle: Oracle;
}

function sideOf(contract: Contract): Side {
  return { contract, oracle: new Oracle(contract.document) };
}

/** A part of a contract where a value of a request fits two branches now, and a proof. */
interface Overlap {
  path: Path;
  proof: string;
}

/** Makes proofs of changes between two contracts. */
export class Prover {
  private readonly before: Side;
  private readonly now: Side;
  private made = 0;
  private readonly until: number;

  /** Proofs are looked for `msMax` milliseconds long. */
  constructor(base: Contract, revised: Contract, msMax = PROOFS_MS_MAX) {
    this.before = sideOf(base);
    this.now = sideOf(revised);
    this.until = performance.now() + msMax;
  }

  /** The proof of a change, by its path in the document; undefined where there is none to be made. */
  proofOf(path: Path): string | undefined {
    const { before, now } = this;
    const twice = fitsTwice(now, path);
    if (twice !== undefined) return twice;
    const [paths, name, method, kind, which, ...rest] = path.map(String);
    if (paths !== 'paths' || method === undefined) return undefined;
    const find = ({ contract }: Side): ContractOperation | undefined =>
      contract.operations.find((each) => each.path === name && each.at[2] === method);
    const [old, renewed] = [find(before), find(now)];
    if (!old || !renewed) return undefined;
    if (kind !== 'parameters' && !rest.includes('schema')) return undefined;
    if (++this.made > PROOFS_MAX || performance.now() > this.until) return undefined;
    const type = kind === 'requestBody' ? rest[0] : rest[1];
    // `schema/properties/name/maxLength` is about the value at `/name`.
    const within = rest.slice(rest.indexOf('schema') + 1);
    const at = within.flatMap((step, index) => (within[index - 1] === 'properties' ? `/${step}` : [])).join('');
    const parts = [{ kind, which, type }, ...(kind === 'parameters' ? [] : bodiesOf(renewed))];
    for (const part of parts) {
      const proof = proofAt({ before, now, until: this.until }, old, renewed, part, at);
      if (proof !== undefined) return proof;
    }
    return undefined;
  }

  /** Each `oneOf` in requests of which a branch takes more than before, so that a value which was taken fits two branches now. */
  *overlapsIn(changed: readonly Path[]): Generator<Overlap> {
    const { before, now } = this;
    const { document } = now.contract;
    const parts = new Set(
      changed.flatMap((path) => path.map((_, index) => lookUp(document, path.slice(0, index + 1)))),
    );
    const isChanged = (branch: unknown): boolean =>
      [...reachableSchemas(document, branch)].some((schema) => parts.has(schema));
    const paths = new Map(placedSchemas(document));
    const found = new Set<Schema>();
    for (const [earlier, later] of pairedInRequests(before.contract, now.contract))
      for (const holder of conjoinedSchemas(document, later)) {
        const branches = found.has(holder) ? [] : (holder.oneOf ?? []).filter(isChanged);
        const taken = (value: Json): boolean => before.oracle.accepts(earlier, value);
        const [proof] = branches.flatMap((branch) => overlapOf(now, holder, branch, taken) ?? []);
        if (proof === undefined) continue;
        found.add(holder);
        yield { path: paths.get(holder) ?? [], proof };
      }
  }
}

/** A value that fitted a `oneOf` before a branch was added, and now fits two; undefined for other changes, or where there is none to be made. */
function fitsTwice(now: Side, path: Path): string | undefined {
  const holder = lookUp(now.contract.document, path.slice(0, -2));
  const [keyword, index] = path.slice(-2);
  if (keyword !== 'oneOf' || !isSchema(holder) || !holder.oneOf) return undefined;
  const branches = holder.oneOf;
  const added = branches[Number(index)];
  if (added === undefined) return undefined;
  const without = withBranches(
    holder,
    branches.filter((branch) => branch !== added),
  );
  return overlapOf(now, holder, added, (value) => now.oracle.accepts(without, value));
}

/** A value that fits a branch and another of a `oneOf`, which is refused, and was `taken` before. */
function overlapOf(
  { contract: { document }, oracle }: Side,
  holder: Schema,
  branch: Schema | boolean,
  taken: (value: Json) => boolean,
): string | undefined {
  const branches = branchesOf(document, holder);
  const own = branches.find(({ schema }) => schema === branch);
  if (!own) return undefined;
  const all = withBranches(holder, holder.oneOf ?? []);
  for (const other of branches.filter((each) => each !== own)) {
    const both = [other.alone, own.alone];
    const fitsBoth = (value: Json): boolean => both.every((each) => oracle.accepts(each, value));
    const made = sampledOf(document, { allOf: both }, SAMPLES).filter(fitsBoth);
    // Of two patterns no value may be made, but one of the one may fit the other.
    const samples = made.length > 0 ? made : [...other.samples(), ...own.samples()].filter(fitsBoth);
    const shortest = shortestOf(samples.filter((value) => taken(value) && !oracle.accepts(all, value)).map(writeJson));
    if (shortest !== undefined) return `this value fits two branches now, and is refused:\n${shortest}`;
  }
  return undefined;
}

interface Branch {
  schema: Schema | boolean;
  /** The same choice with this branch alone. */
  alone: Schema;
  /** Some of its values. */
  samples: () => readonly Json[];
}

const known = new WeakMap<Schema, readonly Branch[]>();

/** The branches of a `oneOf`, the same each time: each is compared with all others. */
function branchesOf(document: Document, holder: Schema): readonly Branch[] {
  const branches =
    known.get(holder) ??
    (holder.oneOf ?? []).map((schema): Branch => {
      const alone = withBranches(holder, [schema]);
      let samples: readonly Json[] | undefined;
      return { schema, alone, samples: () => (samples ??= sampledOf(document, alone, SAMPLES_ALONE)) };
    });
  known.set(holder, branches);
  return branches;
}

function sampledOf(document: Document, schema: Schema, numRuns: number): Json[] {
  const values = valuesOf(document, schema);
  return values ? fc.sample(values, { seed: 0, numRuns }) : [];
}

function withBranches({ discriminator }: Schema, oneOf: readonly (Schema | boolean)[]): Schema {
  return { oneOf: [...oneOf], ...(discriminator !== undefined && { discriminator }) };
}

/** The bodies of an operation: a change of a schema that several share is listed for one of them alone. */
function bodiesOf({ requestBody, responses }: ContractOperation): Part[] {
  const inRequest = Object.keys(requestBody?.content ?? {}).map((type) => ({ kind: 'requestBody', which: '', type }));
  const inResponses = Object.entries(responses).flatMap(([which, { content = {} }]) =>
    Object.keys(content).map((type) => ({ kind: 'responses', which, type })),
  );
  return [...inRequest, ...inResponses];
}

interface Part {
  /** `requestBody`, `parameters` or `responses`. */
  kind: string | undefined;
  /** The index of the parameter in the new contract, or the status of the response. */
  which: string | undefined;
  /** The media type. */
  type: string | undefined;
}

interface Sides {
  before: Side;
  now: Side;
  /** The time until which proofs are looked for. */
  until: number;
}

function proofAt(
  { before, now, until }: Sides,
  old: ContractOperation,
  renewed: ContractOperation,
  { kind, which = '', type = '' }: Part,
  at: string,
): string | undefined {
  const line = oneLine(`${old.method} ${old.path}`);
  if (kind === 'responses') {
    const [schema, wanted] = [renewed, old].map((each) => each.responses[which]?.content?.[type]?.schema);
    const value = between(now, schema, before, wanted, { at, until });
    return (
      value &&
      `the new contract allows this answer, the earlier one does not:\n${line} is answered with ${oneLine(which)} and\n${value}`
    );
  }
  if (kind === 'requestBody') {
    const [schema, wanted] = [old, renewed].map((each) => each.requestBody?.content[type]?.schema);
    const value = between(before, schema, now, wanted, { at, until });
    return (
      value &&
      `the earlier contract takes this request, the new one refuses it:\n${line}\nContent-Type: ${oneLine(type)}\n\n${value}`
    );
  }
  if (kind !== 'parameters') return undefined;
  const parameter = renewed.parameters[Number(which)];
  const same = old.parameters.find((each) => each.name === parameter?.name && each.in === parameter.in);
  if (!parameter) return undefined;
  const refused = `the earlier contract takes this request, the new one refuses it:\n${line}`;
  if (parameter.required && !same?.required)
    return `${refused}\nwithout the ${parameter.in} parameter ${oneLine(parameter.name)}`;
  const value = between(before, same?.schema, now, parameter.schema, { at, until });
  return value && `${refused}\nwith the ${parameter.in} parameter ${oneLine(parameter.name)}: ${value}`;
}

/**
 * The shortest text of a value that fits the schema of one contract, and not that of the other: it is wrong at a place, a JSON pointer
 * without the indices of arrays. Values as a person writes them are tried first.
 */
function between(
  from: Side,
  schema: unknown,
  to: Side,
  wanted: unknown,
  { at, until }: { at: string; until: number },
): string | undefined {
  if (!isSchema(schema) || !isSchema(wanted)) return undefined;
  const { document } = from.contract;
  const changes = [...changesOf(document, schema), ...changesOf(to.contract.document, wanted)].slice(0, CHANGES_MAX);
  for (const values of [plausibleValuesOf(document, schema, () => []), valuesOf(document, schema)]) {
    const samples = values ? sampled(values, until) : [];
    const proofs: string[] = [];
    for (const value of withChanges(samples, changes)) {
      if (performance.now() > until) break;
      const problem = from.oracle.accepts(schema, value) ? to.oracle.problem(wanted, value) : undefined;
      const [pointer = ''] = /^(?:\/\S*)?/.exec(problem ?? '') ?? [];
      if (problem !== undefined && pointer.replaceAll(/\/\d+/g, '') === at) proofs.push(writeJson(value));
    }
    const shortest = shortestOf(proofs);
    if (shortest !== undefined) return shortest;
  }
  return undefined;
}

/** Values as they are made until a time. */
function sampled(values: Arbitrary<Json>, until: number): Json[] {
  const samples: Json[] = [];
  const taking = fc.property(values, (value) => void samples.push(value));
  const interruptAfterTimeLimit = Math.max(0, until - performance.now());
  fc.check(taking, { seed: 0, numRuns: SAMPLES, interruptAfterTimeLimit });
  return samples;
}

/** Values, and the first of them with each of the changes that can be applied. */
function* withChanges(samples: readonly Json[], changes: readonly Change[]): Generator<Json> {
  yield* samples;
  for (const value of samples.slice(0, CHANGED)) {
    for (const change of changes) {
      const changed = applied(value, change);
      if (changed !== undefined) yield changed;
    }
  }
}

function shortestOf(texts: string[]): string | undefined {
  const [shortest] = texts.sort((a, b) => a.length - b.length);
  return shortest !== undefined && shortest.length <= LENGTH_MAX ? printable(shortest) : undefined;
}

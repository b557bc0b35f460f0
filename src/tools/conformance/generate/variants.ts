/** Variants of a part of a request, its body or a parameter: valid, or changed in one place and then valid or invalid. */
import fc, { type Arbitrary } from 'fast-check';
import { type Document, pointerOf, type Schema } from '../../../engine/reading';
import { fitting } from '../../samples/arbitraries';
import type { Json } from '../../samples/json';
import { breaking, waysToBreak } from './breaking';
import { applied, changesOf } from './changes';
import { isNearMiss } from './near-misses';
import { plausibleValuesOf, valuesOf } from '../../samples/values';

export interface Variant<T> {
  /** The place of the change: `body/id`. */
  what: string;
  made: Arbitrary<T>;
  /** The constraint that alone is broken, if that is known: `body/id minimum 1`. */
  breaks?: string | undefined;
}

/** A part of a request. */
export interface Made<T> {
  value?: Json;
  /** What it was made from, by breaking one constraint. */
  faultless?: T | undefined;
}

export interface Variants<T> {
  valid: Arbitrary<T>;
  /** Changed, and still valid. */
  edges: Variant<T>[];
  /** Changed, and no longer valid. */
  wrongs: Variant<T>[];
  /** All constraints, but those that no request can break: a path has no empty text. */
  constraints: readonly string[];
}

/** Functions that turn a value into what is sent, and judge it: valid, wrong, or neither. */
export interface Making<T> {
  /** Undefined for a value that cannot be sent. */
  make: (value: Json) => T | undefined;
  isValid: (made: T) => boolean;
  isWrong: (made: T) => boolean;
  /** Judges a value by any schema. */
  accepts: (schema: Schema, value: Json) => boolean;
}

/** Sample values per change. */
const SAMPLES = 8;
/** The greatest number of alternatives of a place in which a constraint is tried. */
const WAYS_MAX = 4;

/** Limits of what is made: changes of each sort, constraints that are broken, the seed by which they are chosen, and the size of the largest body. */
export interface Limit {
  changes: number;
  constraints: number;
  seed: number;
  bodyBytesMax: number;
}

/** Candidates tried per wanted change. */
const CANDIDATES = 4;

/** The changes of a valid value, up to the limit: of another one, a server could refuse each for what is wrong beside it. */
export function changedIn<T extends Made<T>>(
  place: string,
  document: Document,
  schema: Schema,
  making: Making<T>,
  valid: Arbitrary<T>,
  { changes, constraints: most, seed }: Limit,
): Pick<Variants<T>, 'edges' | 'wrongs' | 'constraints'> {
  const { make, isValid, isWrong } = making;
  const fits = (value: Json): boolean => [make(value)].some((each) => each !== undefined && isValid(each));
  const all = valuesOf(document, schema, 'full');
  const some = valid.map(({ value }) => value ?? null);
  const full = (all && fitting(all, fits)) ?? some;
  const written = plausibleValuesOf(document, schema, () => []);
  const plausible = written && fitting(written, fits);
  const tried = fc.sample(full, { seed: 0, numRuns: SAMPLES });
  const edges: Variant<T>[] = [];
  const wrongs: Variant<T>[] = [];
  for (const change of chosenInAnyOrder(changesOf(document, schema), changes * CANDIDATES, seed)) {
    if (edges.length >= changes && wrongs.length >= changes) break;
    const changed = (value: Json): T | undefined => {
      const after = applied(value, change);
      return after === undefined ? undefined : make(after);
    };
    const samples = tried.map(changed).filter((each) => each !== undefined);
    for (const [kind, isOf] of [[edges, isValid] as const, [wrongs, isWrong] as const]) {
      if (kind.length >= changes || !samples.some(isOf)) continue;
      const sent = full.map(changed).filter((each): each is T => each !== undefined && isOf(each));
      kind.push({ what: `${place}${pointerOf(change.path)}`, made: sent });
    }
  }
  const ways = waysToBreak(document, schema, place);
  // Beside a bound of another sort, a smaller value may have room for a change.
  const samples = [...tried, ...fc.sample(some, { seed: 0, numRuns: SAMPLES })];
  const plausibles = plausible ? fc.sample(plausible, { seed: 0, numRuns: SAMPLES }) : [];
  const constraints = new Set(ways.keys());
  const broken = chosenConstraints([...ways], ([name]) => name, most, seed).flatMap(([breaks, all]): Variant<T>[] => {
    const { path, isBroken, change } = breaking(document, all.slice(0, WAYS_MAX), making, samples, fits);
    if (isBroken && !change) constraints.delete(breaks);
    if (!change) return [];
    // A server may refuse odd values: what is wrong with one of them would hide that it takes the change.
    const isWritten = plausible && plausibles.some((each) => change(each) !== undefined);
    const made = (isWritten ? plausible : fc.oneof(full, some)).map(change).filter((each) => each !== undefined);
    return [{ what: `${place}${pointerOf(path)}`, made, breaks }];
  });
  return { edges, wrongs: [...broken, ...wrongs], constraints: [...constraints] };
}
/** A random choice in the order of the list, the same for the same seed. */
export function chosen<T>(all: readonly T[], count: number, seed: number): T[] {
  if (all.length <= count) return [...all];
  return drawn(fc.subarray([...all], { minLength: count, maxLength: count }), seed);
}

/** A random choice of what breaks constraints, those whose names say no more than the constraint before near misses of it. */
export function chosenConstraints<T>(all: readonly T[], nameOf: (each: T) => string, count: number, seed: number): T[] {
  const isNear = (each: T): boolean => isNearMiss(nameOf(each));
  const plain = chosen(
    all.filter((each) => !isNear(each)),
    count,
    seed,
  );
  const found = new Set([...plain, ...chosen(all.filter(isNear), count - plain.length, seed)]);
  return all.filter((each) => found.has(each));
}

/** The same in a random order, where not all of the choice may be used: each could be among the first. */
function chosenInAnyOrder<T>(all: readonly T[], count: number, seed: number): T[] {
  if (count === Infinity) return [...all];
  const length = Math.min(all.length, count);
  return drawn(fc.shuffledSubarray([...all], { minLength: length, maxLength: length }), seed);
}

function drawn<T>(values: Arbitrary<T[]>, seed: number): T[] {
  return fc.sample(values, { seed, numRuns: 1 }).flat();
}

/** Thrown if no valid value can be made; a schema can help with `examples`. */
export class Unmakeable extends Error {}

/** What a part of a request, the body or a parameter, may be: valid, or changed in one place, for better or worse. */
import fc, { type Arbitrary } from 'fast-check';
import { type Document, pointerOf, type Schema } from '../../../engine/reading';
import type { Json } from '../../samples/json';
import { applied, changesOf } from './changes';
import { valuesOf } from '../../samples/values';

export interface Variant<T> {
  /** `body/id`, or another text that tells where the change is. */
  what: string;
  made: Arbitrary<T>;
}

export interface Variants<T> {
  valid: Arbitrary<T>;
  /** Changed, and still valid. */
  edges: Variant<T>[];
  /** Changed, and no longer valid. */
  wrongs: Variant<T>[];
}

/** What can be sent of values, and whether that is valid; it may be neither. */
export interface Making<T> {
  /** Undefined for a value that cannot be sent. */
  make: (value: Json) => T | undefined;
  isValid: (made: T) => boolean;
  isWrong: (made: T) => boolean;
}

/** On so many values it is tried whether a change makes something valid, or wrong. */
const TRIED = 4;

/** How many changes of each sort are looked for, the seed by which they are chosen, and the size of the largest body that is sent. */
export interface Limit {
  changes: number;
  seed: number;
  bodyBytesMax: number;
}

/** Of so many times more it is tried whether they are of a sort. */
const LOOKED_AT = 4;

/** Changes of a value, all of them as far as the limit allows. */
export function changedIn<T>(
  place: string,
  document: Document,
  schema: Schema,
  { make, isValid, isWrong }: Making<T>,
  { changes, seed }: Limit,
): Pick<Variants<T>, 'edges' | 'wrongs'> {
  const full = valuesOf(document, schema, 'full') ?? fc.constant(null);
  const tried = fc.sample(full, { seed: 0, numRuns: TRIED });
  const edges: Variant<T>[] = [];
  const wrongs: Variant<T>[] = [];
  for (const change of chosen(changesOf(document, schema), changes * LOOKED_AT, seed)) {
    if (edges.length >= changes && wrongs.length >= changes) break;
    const changed = (value: Json): T | undefined => {
      const after = applied(value, change);
      return after === undefined ? undefined : make(after);
    };
    const made = tried.map(changed).filter((each) => each !== undefined);
    for (const [kind, fits] of [[edges, isValid] as const, [wrongs, isWrong] as const]) {
      if (kind.length >= changes || !made.some(fits)) continue;
      const fitting = full.map(changed).filter((each): each is T => each !== undefined && fits(each));
      kind.push({ what: `${place}${pointerOf(change.path)}`, made: fitting });
    }
  }
  return { edges, wrongs };
}

/** So many of them, in their order, the same for the same seed. */
export function chosen<T>(all: readonly T[], count: number, seed: number): T[] {
  if (all.length <= count) return [...all];
  const [some = []] = fc.sample(fc.subarray([...all], { minLength: count, maxLength: count }), { seed, numRuns: 1 });
  return some;
}

/** Thrown if no valid value can be made; a schema can help with `examples`. */
export class Unmakeable extends Error {}

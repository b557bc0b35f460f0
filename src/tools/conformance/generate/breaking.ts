/** Finds changes of valid values that break one constraint and nothing else. */
import fc from 'fast-check';
import { type Document, type Path, pointerOf, type Schema } from '../../../engine/reading';
import { sampled } from '../../samples/arbitraries';
import { isObject, type Json } from '../../samples/json';
import { listedIn } from '../../samples/types';
import { plausibleValuesOf, valuesOf } from '../../samples/values';
import { applied, type Change, changesAt, memberAt } from './changes';
import { type Constraint, constraintsOf } from './constraints';
import { type Place, placesOf } from './places';
import type { Made, Making } from './variants';

/** A constraint, and the place that has it. */
export interface Way {
  place: Place;
  constraint: Constraint;
}

/** The constraints by name, `body/id minimum 1`: each has several ways where a place has alternatives. */
export function waysToBreak(document: Document, schema: Schema, value: string): Map<string, Way[]> {
  const ways = new Map<string, Way[]>();
  for (const place of placesOf(document, schema))
    for (const constraint of place.flats.flatMap((flat) => constraintsOf(document, flat))) {
      const name = `${value}${pointerOf(place.path)} ${constraint.name}`;
      ways.set(name, [...(ways.get(name) ?? []), { place, constraint }]);
    }
  return ways;
}

interface Breaking<T> {
  path: Path;
  /** True if a value breaks the constraint alone, even if it cannot be sent. */
  isBroken: boolean;
  /** Undefined for a value that it does not fit, and with what it was made from; no change if none of the samples has one. */
  change?: (value: Json) => T | undefined;
}

/** The number of samples in which a change breaks the constraint and the request is not wrong, after which it is given up: in a query, say, all is text. */
const VAIN_MAX = 2;

/** A change that breaks a constraint alone, in one of the ways. */
export function breaking<T extends Made<T>>(
  document: Document,
  ways: readonly Way[],
  { make, isWrong, accepts }: Making<T>,
  samples: readonly Json[],
  isValid: (value: Json) => boolean,
): Breaking<T> {
  let isBroken = false;
  for (const { place, constraint } of ways) {
    const { path } = place;
    const { schema, rest, contrary } = constraint;
    const breaks = (value: Json | undefined): boolean =>
      value !== undefined && !accepts(schema, value) && accepts(rest, value);
    // A value may have no room for one more member, and a member may be of another alternative.
    const isThere = samples.some((sample) => memberAt(sample, path) !== undefined);
    const completed = completing(document, place.within, accepts);
    const entered = entering(document, place.path, schema, isValid);
    for (const change of candidates(document, place, contrary)) {
      let vain = 0;
      const isOfPlace = change.path.length === path.length;
      if (isOfPlace && !breaks(change.value)) continue;
      const changed = (sample: Json): T | undefined => {
        const value = isThere ? sample : entered(completed(sample) ?? sample);
        if (value === undefined || (value !== sample && !isValid(value))) return undefined;
        const before = memberAt(value, path);
        const after = (before === undefined ? isThere : !accepts(schema, before)) ? undefined : applied(value, change);
        if (after === undefined || !(isOfPlace || breaks(memberAt(after, path)))) return undefined;
        isBroken = true;
        const made = make(after);
        if (made && isWrong(made) && breaks(memberAt(made.value ?? null, path)))
          return { ...made, faultless: make(value) };
        vain++;
        return undefined;
      };
      const isTried = samples.some((sample) => vain < VAIN_MAX && changed(sample) !== undefined);
      if (isTried) return { path, isBroken, change: changed };
    }
  }
  return { path: [], isBroken };
}

/**
 * Puts a right member at a path that values lack, such as an entry of a map, beside the others or in the place of one of them: one more could be too
 * many, and be refused for that. Undefined for a value that has no room for it; a value stays as it is if no right member can be made.
 */
function entering(
  document: Document,
  path: Path,
  schema: Schema,
  isValid: (value: Json) => boolean,
): (value: Json) => Json | undefined {
  let members: Json[] | undefined;
  return (value) => {
    const [member] = (members ??= sampled(plausibleValuesOf(document, schema, () => [])));
    if (member === undefined || memberAt(value, path) !== undefined) return value;
    const around = path.slice(0, -1);
    const holder = memberAt(value, around);
    const others = isObject(holder) ? Object.keys(holder) : [];
    return [value, ...others.map((name) => applied(value, { path: [...around, name], value: undefined }))]
      .flatMap((each) => (each === undefined ? [] : (applied(each, { path, value: member }) ?? [])))
      .find(isValid);
  };
}

/**
 * Completes values that lack the place within which another one is, such as an entry of a map, whose name differs from sample to sample: a
 * member of the alternative is put there, and before that at the places around it.
 */
function completing(
  document: Document,
  within: Place['within'],
  accepts: (schema: Schema, value: Json) => boolean,
): (value: Json) => Json | undefined {
  if (!within) return (value) => value;
  const { path, within: outer } = within.place;
  const around = completing(document, outer, accepts);
  let members: Json[] | undefined;
  return (value) => {
    const there = memberAt(value, path);
    if (there !== undefined && accepts(within.flat, there)) return value;
    const [member] = (members ??= sampled(plausibleValuesOf(document, within.flat, () => [])));
    const whole = member === undefined ? undefined : around(value);
    return whole === undefined ? undefined : applied(whole, { path, value: member });
  };
}

/** Values that are listed and notable changes first: drawn values are harder to read. */
function* candidates(document: Document, place: Place, contrary: Schema): Generator<Change> {
  for (const value of listedIn(contrary) ?? []) yield { path: place.path, value };
  yield* changesAt(document, place);
  for (const extent of ['full', 'any'] as const) {
    const values = valuesOf(document, contrary, extent);
    for (const value of values ? fc.sample(values, { seed: 0, numRuns: DRAWN }) : []) yield { path: place.path, value };
  }
}

/** Values drawn of each extent. */
const DRAWN = 12;

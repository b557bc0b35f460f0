/** The sizes of values: bounds of the work for them. */
import { ExactNumber } from '../json/number';

/** The steps for going once through the characters of a text, one for 256 of them, or the names of an object, one for two: none for a short one. */
export function stepsThrough(value: unknown): number {
  if (typeof value === 'string') return value.length >> 8;
  return typeof value === 'object' && value !== null ? countNames(value) >> 1 : 0;
}

/** The numbers of names of large objects, as they were counted first: that takes as long as going through them. */
const counted = new WeakMap<object, number>();
const LARGE = 64;

function countNames(object: object): number {
  const known = counted.get(object);
  if (known !== undefined) return known;
  const count = Object.keys(object).length;
  if (count > LARGE) counted.set(object, count);
  return count;
}

/** The number of values in a value, itself included, where a long text counts as several. */
export function countValues(value: unknown): number {
  if (typeof value === 'string') return 1 + stepsThrough(value);
  if (value instanceof ExactNumber) return countValues(value.text);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, each) => count + countValues(each), 1);
}

/** True if a value has more values in it than so many: found without going through all of them. */
export function isLargerThan(most: number, value: unknown): boolean {
  let left = most;
  const fits = (each: unknown): boolean => {
    if (--left < 0) return false;
    if (typeof each !== 'object' || each === null || each instanceof ExactNumber) return true;
    if (Array.isArray(each) && each.length > left) return false;
    return Object.values(each).every(fits);
  };
  return !fits(value);
}

/** What a part of a request (the body, a parameter) may be: valid, and changed in one place, for better or worse. */
import type { Arbitrary } from 'fast-check';

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

/** Thrown where no valid value can be made; a schema can help with `examples`. */
export class Unmakeable extends Error {}

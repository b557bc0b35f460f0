/** What a part of a request, the body or a parameter, may be: valid, or changed in one place, for better or worse. */
import fc, { type Arbitrary } from 'fast-check';
import { type Document, pointerOf, type Schema } from '../../contract/document';
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

/** Every change of a value, as far as `make` can make something of it. */
export function changedIn<T>(
  place: string,
  document: Document,
  schema: Schema,
  make: (values: Arbitrary<Json | undefined>) => Arbitrary<T> | undefined,
): Variant<T>[] {
  const full = valuesOf(document, schema, 'full') ?? fc.constant(null);
  return changesOf(document, schema).flatMap((change) => {
    const made = make(full.map((value) => applied(value, change)));
    return made ? [{ what: `${place}${pointerOf(change.path)}`, made }] : [];
  });
}

/** Thrown where no valid value can be made; a schema can help with `examples`. */
export class Unmakeable extends Error {}

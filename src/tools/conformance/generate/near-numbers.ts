/**
 * Texts that begin with a number, where a request has numbers as texts: a lenient reader takes them for numbers. Those that only write one
 * in another way, as +5 or 007, are not sent, because OpenAPI does not say how numbers are written there.
 */
import type { Arbitrary } from 'fast-check';
import { type Document, pointerOf, type Schema } from '../../../engine/reading';
import { fitting } from '../../samples/arbitraries';
import { JsonNumber } from '../../samples/json';
import { typesIn } from '../../samples/types';
import { applied, memberAt } from './changes';
import { placesOf } from './places';
import type { Made, Making, Variant } from './variants';

/** Valid values, but for letters behind one number. */
export function nearlyNumbers<T extends Made<T>>(
  part: string,
  document: Document,
  schema: Schema,
  { make, isWrong }: Making<T>,
  valid: Arbitrary<T>,
): Variant<T>[] {
  const places = placesOf(document, schema).filter(({ flats }) =>
    flats.some((flat) => /integer|number/.test(String(typesIn(flat)))),
  );
  return places.flatMap(({ path }): Variant<T>[] => {
    const followed = (faultless: T): T | undefined => {
      const { value = null } = faultless;
      const number = memberAt(value, path);
      const after = number instanceof JsonNumber && applied(value, { path, value: `${number.text}abc` });
      const made = after ? make(after) : undefined;
      return made && isWrong(made) ? { ...made, faultless } : undefined;
    };
    const made = fitting(valid.map(followed), (each): each is T => each !== undefined);
    const what = `${part}${pointerOf(path)}`;
    return made ? [{ what, made, breaks: `${what} type of a number, got letters after it` }] : [];
  });
}

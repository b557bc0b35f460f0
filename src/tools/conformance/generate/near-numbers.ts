/** Texts that are nearly numbers, where a request has numbers as texts: a lenient reader takes them for numbers. */
import type { Arbitrary } from 'fast-check';
import { type Document, pointerOf, type Schema } from '../../../engine/reading';
import { fitting } from '../../samples/arbitraries';
import { type Json, JsonNumber } from '../../samples/json';
import { typesIn } from '../../samples/types';
import { applied, memberAt } from './changes';
import { placesOf } from './places';
import type { Making, Variant } from './variants';

const SLIPS: Readonly<Record<string, (number: string) => string>> = {
  'a plus sign before it': (number) => `+${number}`,
  'a zero before it': (number) => number.replace(/^-?/, '$&0'),
  'letters after it': (number) => `${number}abc`,
};

/** Valid values, but for one number that is written with a slip. */
export function nearlyNumbers<T extends { value?: Json }>(
  part: string,
  document: Document,
  schema: Schema,
  { make, isWrong }: Making<T>,
  valid: Arbitrary<T>,
): Variant<T>[] {
  const places = placesOf(document, schema).filter(({ flats }) =>
    flats.some((flat) => /integer|number/.test(String(typesIn(flat)))),
  );
  return places.flatMap(({ path }) =>
    Object.entries(SLIPS).flatMap(([slip, written]): Variant<T>[] => {
      const slipped = ({ value = null }: T): T | undefined => {
        const number = memberAt(value, path);
        const after = number instanceof JsonNumber && applied(value, { path, value: written(number.text) });
        const made = after ? make(after) : undefined;
        return made && isWrong(made) ? made : undefined;
      };
      const made = fitting(valid.map(slipped), (each): each is T => each !== undefined);
      const what = `${part}${pointerOf(path)}`;
      return made ? [{ what, made, breaks: `${what} type of a number, got ${slip}` }] : [];
    }),
  );
}

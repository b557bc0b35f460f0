/** Bodies from a contract's examples, or generated from a schema, with the message of an error in them. */
import type { Schema } from '../../engine/reading';
import { isHolder, isMessage, isTitle } from './fields';
import { CODE, constant, listOf, MESSAGE, objectOf, type Part, STATUS, STATUS_PHRASE } from './part';

/** The part for a schema that leaves its fields open. */
export const plainPart: Part = objectOf([
  ['error', CODE],
  ['message', MESSAGE],
]);

/** The part of RFC 9457, whose fields most schemas leave open that name others. */
export const problemPart: Part = objectOf([
  ['type', constant('about:blank')],
  ['title', STATUS_PHRASE],
  ['status', STATUS],
  ['detail', MESSAGE],
  ['code', CODE],
]);

/** The examples in a schema. */
export function exampleParts({ example, examples }: Schema): unknown[] {
  const all = [example, ...(Array.isArray(examples) ? (examples as unknown[]) : [])];
  return all.filter((each) => each !== undefined);
}

/** The value with the message in each field that is named like one; a title beside it gets the name of the status. */
export function withMessage(value: unknown): Part {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? MESSAGE : constant(value);
  if (Array.isArray(value)) return listOf(value.map(withMessage));
  const members = Object.entries(value);
  const hasMessage = members.some(([name, member]) => isMessage(name) && typeof member === 'string');
  return objectOf(
    members.map(([name, member]: [string, unknown]) => {
      if (typeof member === 'string' && isTitle(name)) return [name, hasMessage ? STATUS_PHRASE : MESSAGE];
      const isSaid = isMessage(name) || (isHolder(name) && typeof member === 'object');
      return [name, isSaid ? withMessage(member) : constant(member)];
    }),
  );
}

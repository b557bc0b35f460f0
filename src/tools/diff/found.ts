/** The changes that redocly finds. */
import { MAPS, type Path, pathOf } from '../../engine/reading';
import type { Impact } from './verdict';

/** A change in redocly's report. */
export interface Found {
  path: string;
  kind: string;
  impact: Impact;
  property?: string;
  verdicts: { ruleId: string; message: string }[];
  base?: { pointer: string; value?: unknown };
  revision?: { pointer: string; value?: unknown };
}

/** Keywords that say nothing of what is valid, or sent. */
export const HARMLESS: ReadonlySet<unknown> = new Set([
  ...['title', 'summary', 'description', 'example', 'examples', 'deprecated', '$comment'],
  ...['tags', 'operationId', 'externalDocs'],
]);
/** Keywords of which the members have names of the author's own. */
export const NAMING: ReadonlySet<unknown> = new Set([...MAPS, 'dependentRequired', 'paths']);

/** The place of a change, with its keyword. */
export function stepsOf({ path, property }: Found): Path {
  return [...pathOf(path), ...(property === undefined ? [] : [property])];
}

/** True for a change of what says nothing of what is valid. */
export function isHarmless(found: Found): boolean {
  const steps = stepsOf(found);
  return HARMLESS.has(steps.at(-1)) && !NAMING.has(steps.at(-2));
}

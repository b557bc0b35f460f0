/** Problems of a contract, and the lines that report them. */
import { oneLine } from '../process/printable';
import { type Path, type PlacePart, pointerOf } from './document';
import type { Contract } from './operations';

/**
 * A problem with a contract, or a warning, and its place; an empty path is the whole document. The same problem at many places has the
 * same text, and what differs between them in `detail`. `part` is `name` where the member's name is wrong, rather than its value.
 */
export type Problem = [path: Path, text: string, detail?: string | undefined, part?: PlacePart];

/** A problem with the name of the member at this path. */
export function named(path: Path, text: string, detail?: string): Problem {
  return [path, text, detail, 'name'];
}

/** Thrown with all problems of a contract: a line each, with its place. */
export class ContractProblems extends Error {
  override readonly name = 'ContractProblems';

  readonly problems: readonly string[];

  constructor(
    problems: readonly string[],
    /** Their places, if they are in the document. */
    readonly paths: readonly Path[] = [],
  ) {
    const lines = problems.map(oneLine);
    super(`the contract is not fit to be served:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.problems = lines;
  }
}

/** The number of places that a line names. */
const PLACES_MAX = 3;

/** Problems as lines: one for each text, with its first places and their number. */
export function problemLines(problems: readonly Problem[], place: Contract['place']): string[] {
  const places = new Map<string, Map<string, Problem>>();
  for (const problem of problems) {
    const [path, text, detail = ''] = problem;
    const ofText = places.get(text) ?? new Map<string, Problem>();
    places.set(text, ofText.set(pointerOf(path) + detail, problem));
  }
  return [...places].map(([text, all]) => {
    const first = [...all.values()].slice(0, PLACES_MAX);
    const shown = first.map(
      ([path, , detail, part]) => place(path, part) + (detail === undefined ? '' : ` (${detail})`),
    );
    if (all.size === 1) return oneLine(`${shown.join('')} ${text}`);
    return oneLine(`${text}: ${all.size} places, ${shown.join(', ')}${all.size > PLACES_MAX ? ', ...' : ''}`);
  });
}

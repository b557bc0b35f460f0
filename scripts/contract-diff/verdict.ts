/** Whether the version number of a contract says what has changed in it. */
import type { Change } from './changes';
import { bumped, type Impact, isAtLeast } from './version';

export interface Verdict {
  /** False where something breaks and the major version is the old one, or where the number goes back. */
  isFit: boolean;
  /** What the changes call for, and what the contract says. */
  text: string;
}

export interface Versions {
  /** What the contract is compared with, and its version. */
  base: string;
  before: string;
  now: string;
}

const IMPACTS: readonly Impact[] = ['major', 'minor', 'patch'];

/** Throws where a version is none. */
export function verdict(changes: readonly Change[], { base, before, now }: Versions): Verdict {
  const impact = IMPACTS.find((each) => changes.some((change) => change.impact === each));
  const wanted = impact === undefined ? before : bumped(before, impact);
  const isFit = isAtLeast(now, impact === 'major' ? wanted : before);
  if (impact === undefined && isFit) return { isFit, text: `nothing has changed since ${base} (${before})` };
  const text = `the changes since ${base} (${before}) call for ${wanted}, and openapi.yaml says ${now}`;
  return { isFit, text: isFit ? text : `${text}. A break that is meant is said by the version number` };
}

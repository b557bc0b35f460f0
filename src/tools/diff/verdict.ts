/** Compares the version number of a contract (semver.org) with the impact of its changes. */

export type Impact = 'major' | 'minor' | 'patch';
export const IMPACTS: readonly Impact[] = ['major', 'minor', 'patch'];

export interface Versions {
  /** The name of the base; `before` is its version, and `now` that of the contract. */
  base: string;
  before: string;
  now: string;
}

/** `ok` is false if the version number is lower than the changes require, or has decreased. Throws if one of the versions is not three numbers. */
export function verdictOn(impacts: readonly Impact[], { base, before, now }: Versions): { ok: boolean; text: string } {
  const impact = IMPACTS.find((each) => impacts.includes(each));
  const wanted = impact === undefined ? before : increased(before, impact);
  // Other changes, such as those of descriptions, may wait for the next version.
  const ok = isAtLeast(now, impact === 'patch' ? before : wanted);
  if (impact === undefined && ok) return { ok, text: `nothing has changed since ${base} (${before})` };
  const text = `the changes since ${base} (${before}) call for ${wanted}, and openapi.yaml says ${now}`;
  return { ok, text: ok || impact !== 'major' ? text : `${text}. A deliberate break needs a new major version` };
}

function increased(version: string, impact: Impact): string {
  const [major, minor, patch] = numbersOf(version);
  if (impact === 'major') return `${major + 1}.0.0`;
  return impact === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

function isAtLeast(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  const differing = a.findIndex((number, index) => number !== b[index]);
  return differing < 0 || (a[differing] ?? 0) > (b[differing] ?? 0);
}

function numbersOf(version: string): [major: number, minor: number, patch: number] {
  const [, major, minor, patch] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(version) ?? [];
  if (patch === undefined)
    throw new Error(`expected a version of three numbers such as 1.0.0, got ${JSON.stringify(version)}`);
  return [Number(major), Number(minor), Number(patch)];
}

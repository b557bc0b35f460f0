/** Version numbers of the contract (semver.org), and what a change makes of them. */

export type Impact = 'major' | 'minor' | 'patch';

type Version = readonly [major: number, minor: number, patch: number];

/** The number that a change of this impact calls for; throws where the old one is no version number. */
export function bumped(version: string, impact: Impact): string {
  const [major, minor, patch] = parse(version);
  if (impact === 'major') return `${major + 1}.0.0`;
  return impact === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Whether one version number is as high as the other; throws where one of them is none. */
export function isAtLeast(version: string, other: string): boolean {
  const [one, two] = [parse(version), parse(other)];
  const differs = one.findIndex((number, index) => number !== two[index]);
  return differs < 0 || (one[differs] ?? 0) > (two[differs] ?? 0);
}

function parse(version: string): Version {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(version);
  if (!match)
    throw new Error(`expected info.version to be three numbers such as 1.0.0, got ${JSON.stringify(version)}`);
  const [, major, minor, patch] = match;
  return [Number(major), Number(minor), Number(patch)];
}

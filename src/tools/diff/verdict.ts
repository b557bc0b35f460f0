/** Compares the version number of a contract (semver.org) with the impact of its changes. */

export type Impact = 'major' | 'minor' | 'patch';
export const IMPACTS: readonly Impact[] = ['major', 'minor', 'patch'];

export interface Versions {
  /** The name of the base; `before` is its version, and `now` that of the contract. */
  base: string;
  before: string;
  now: string;
}

/**
 * `ok` is false if the version number is lower than the changes require, or has decreased. Of versions that are not written as semver.org
 * does, it is only seen whether they differ.
 */
export function verdictOn(impacts: readonly Impact[], { base, before, now }: Versions): { ok: boolean; text: string } {
  const impact = IMPACTS.find((each) => impacts.includes(each));
  const [from, to] = [versionIn(before), versionIn(now)];
  const since = `since ${base} (${before})`;
  if (impact === undefined && (!from || !to || isAtLeast(to, from)))
    return { ok: true, text: `nothing has changed ${since}` };
  if (!from || !to) {
    const why = 'of versions other than three numbers such as 1.0.0, it is only seen whether they differ';
    const text = `the changes ${since} call for another version, and openapi.yaml says ${now}: ${why}`;
    return { ok: impact === 'patch' || before !== now, text };
  }
  const wanted = impact === undefined ? from : increased(from, impact);
  // Other changes, such as those of descriptions, may wait for the next version.
  const mayWait = impact === undefined || impact === 'patch';
  // A preview of a version says what the version does.
  const ok = mayWait ? isAtLeast(to, from) : isAtLeast({ ...to, preview: '' }, wanted) && !isAtLeast(from, to);
  const text = `the changes ${since} call for ${textOf(wanted)}, and openapi.yaml says ${now}`;
  return { ok, text: ok || impact !== 'major' ? text : `${text}. A deliberate break needs a new major version` };
}

interface Version {
  major: number;
  minor: number;
  patch: number;
  /** `rc.1`; empty for the version itself. */
  preview: string;
}

/** The version that changes call for; a preview has promised nothing of the one that it leads to. */
function increased({ major, minor, patch, preview }: Version, impact: Impact): Version {
  const isPreview = preview !== '';
  const release = { major, minor, patch, preview: '' };
  if (impact === 'major')
    return isPreview && minor + patch === 0 ? release : { ...release, major: major + 1, minor: 0, patch: 0 };
  if (impact === 'minor') return isPreview && patch === 0 ? release : { ...release, minor: minor + 1, patch: 0 };
  return isPreview ? release : { ...release, patch: patch + 1 };
}

function isAtLeast(a: Version, b: Version): boolean {
  const difference = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  if (difference !== 0 || a.preview === '' || b.preview === '')
    return difference > 0 || (difference === 0 && a.preview === '');
  return a.preview.localeCompare(b.preview, 'en', { numeric: true }) >= 0;
}

function textOf({ major, minor, patch, preview }: Version): string {
  return `${major}.${minor}.${patch}${preview && `-${preview}`}`;
}

/** The version of a text (semver.org), without what it says of its build; undefined if it has another form. */
function versionIn(text: string): Version | undefined {
  const [, major, minor, patch, preview = ''] =
    /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(text) ?? [];
  if (patch === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), preview };
}

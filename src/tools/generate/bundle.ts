/** `generated/openapi.yaml`: a contract of several files as one, by redocly. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import {
  bundleHead,
  ContractProblems,
  Folders,
  isText,
  readYaml,
  refuseReferences,
  sourcesOf,
} from '../../engine/reading';
import { lintRules } from '../project/own-package';
import { runRedocly } from '../project/run-command';
import { lint } from './lint';

/** The text of the bundle, of files in the contract's folder and the allowed ones; rejects if they cannot be bundled. */
export async function bundleText(contract: string, allowed: readonly string[] = []): Promise<string> {
  const folders = new Folders(contract, allowed);
  refuseReferences(contract, folders);
  refuseLargeNumbers(contract, folders);
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const file = join(folder, 'openapi.yaml');
    const args = ['bundle', contract, '--keep-url-references', '--output', file];
    const { ok, output } = await runRedocly(args, [dirname(contract), ...allowed], lintRules());
    if (!ok) {
      const { problems } = await lint(allowed, contract);
      throw problems.length > 0 ? new ContractProblems(problems) : new Error(output);
    }
    return bundleHead(contract, folders) + readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The bundler reads numbers as doubles. */
function refuseLargeNumbers(contract: string, folders: Folders): void {
  const problems = [...sourcesOf(contract, folders)].flatMap((file) => {
    if (isText(file)) return [];
    const { value, place } = readYaml(file, relative(dirname(contract), file));
    return pathsOfLarge(value).map(
      ([path, number]) =>
        `${place(path)} ${number} would be rounded in the bundle: expected no integer beyond ±9007199254740991`,
    );
  });
  if (problems.length > 0) throw new ContractProblems(problems);
}

function pathsOfLarge(value: unknown, path: (string | number)[] = []): [(string | number)[], bigint][] {
  if (typeof value === 'bigint') return String(Number(value)) === String(value) ? [] : [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => pathsOfLarge(member, [...path, key]));
}

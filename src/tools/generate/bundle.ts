/** `generated/openapi.yaml`: a contract of several files as one, by redocly. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseDocument, visit } from 'yaml';
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
  const integers = largeIntegers(contract, folders);
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const file = join(folder, 'openapi.yaml');
    const args = ['bundle', contract, '--keep-url-references', '--output', file];
    const { ok, output } = await runRedocly(args, [dirname(contract), ...allowed], lintRules());
    if (!ok) {
      const { problems } = await lint(allowed, contract);
      throw problems.length > 0 ? new ContractProblems(problems) : new Error(output);
    }
    return bundleHead(contract, folders) + withExact(readFileSync(file, 'utf8'), integers);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The integers of a contract's files that doubles may round, by their doubles: the bundler writes these. */
function largeIntegers(contract: string, folders: Folders): Map<number, bigint> {
  const found = new Map<number, bigint>();
  const problems = [...sourcesOf(contract, folders)].flatMap((file) => {
    if (isText(file)) return [];
    const { value, place } = readYaml(file, relative(dirname(contract), file));
    return largeIn(value).flatMap(([path, integer]) => {
      const other = found.get(Number(integer)) ?? integer;
      found.set(Number(integer), other);
      return other === integer ? [] : [`${place(path)} ${integer} would be the same as ${other} in the bundle`];
    });
  });
  if (problems.length > 0) throw new ContractProblems(problems);
  return found;
}

function largeIn(value: unknown, path: (string | number)[] = []): [(string | number)[], bigint][] {
  if (typeof value === 'bigint') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => largeIn(member, [...path, key]));
}

/** A bundle with its integers as the files have them. */
function withExact(text: string, integers: ReadonlyMap<number, bigint>): string {
  if (integers.size === 0) return text;
  const edits: [start: number, end: number, integer: bigint][] = [];
  visit(parseDocument(text), {
    Scalar(_key, { value, range }) {
      const integer = typeof value === 'number' ? integers.get(value) : undefined;
      if (integer !== undefined && range) edits.push([range[0], range[1], integer]);
    },
  });
  return edits.reduceRight(
    (exact, [start, end, integer]) => `${exact.slice(0, start)}${integer}${exact.slice(end)}`,
    text,
  );
}

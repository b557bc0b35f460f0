/**
 * Checks README.md and package.json against the code and the contract: commands, variables and their defaults, files, and
 * the title, version, license and address of the service.
 *
 *   tsx scripts/check/docs.ts
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../read-contract';
import { root } from '../run-command';
import { commandProblems } from './docs/commands';
import { identityProblems, type Manifest } from './docs/identity';
import { mentions } from './docs/markdown';
import { variableProblems } from './docs/variables';

const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Manifest & { scripts: Record<string, string> };
const lock = JSON.parse(read('package-lock.json')) as Manifest;

const problems = [
  ...commandProblems(readme, Object.keys(manifest.scripts)),
  ...variableProblems(readme),
  ...identityProblems(readme, manifest, lock, readContract(join(root, 'openapi.yaml'))),
  ...fileProblems(),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Files and folders that the README names must exist. */
function fileProblems(): string[] {
  return mentions(readme, /`((?:src|scripts|test)\/[\w./-]*)`/g)
    .filter(({ text }) => !existsSync(join(root, text)))
    .map(({ line, text }) => `README.md:${line} names ${text}, which is not there`);
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/**
 * Checks the documentation and package.json against the code and the contract: commands, variables and their defaults, files,
 * links, and the title, version, license and address of the service.
 *
 *   tsx scripts/check/docs.ts
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readContract } from '../read-contract';
import { root } from '../run-command';
import { commandProblems } from './docs/commands';
import { identityProblems, type Manifest } from './docs/identity';
import { mentions } from './docs/markdown';
import { variableProblems } from './docs/variables';

const PAGES = [
  'README.md',
  'src/README.md',
  'src/plants/sqlite/README.md',
  'src/plants/postgres/README.md',
  'scripts/bench/README.md',
  'scripts/deploy/README.md',
];
/** The page with the table of variables. */
const VARIABLES = 'src/README.md';

const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Manifest & { scripts: Record<string, string> };
const lock = JSON.parse(read('package-lock.json')) as Manifest;

const problems = [
  ...commandProblems(readme, Object.keys(manifest.scripts)),
  ...variableProblems(VARIABLES, read(VARIABLES)),
  ...identityProblems(readme, manifest, lock, readContract(join(root, 'openapi.yaml'))),
  ...PAGES.flatMap((page) => [...fileProblems(page), ...linkProblems(page)]),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Files and folders that a page names must exist. */
function fileProblems(page: string): string[] {
  return mentions(read(page), /`((?:src|scripts|test)\/[\w./-]*)`/g)
    .filter(({ text }) => !existsSync(join(root, text)))
    .map(({ line, text }) => `${page}:${line} names ${text}, which is not there`);
}

/** Files of the project that a page links to, or shows, must exist. */
function linkProblems(page: string): string[] {
  return mentions(read(page), /(?:\]\(|\ssrc=")(?!https?:|#)([^)#"]+)/g)
    .filter(({ text }) => !existsSync(join(root, dirname(page), text)))
    .map(({ line, text }) => `${page}:${line} links to ${text}, which is not there`);
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

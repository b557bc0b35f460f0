/**
 * Checks the documentation and package.json against the code and the contract: commands, files, links, and the title, version,
 * license and address of the service. The table of variables is compared by `test/config.test.ts`.
 *
 *   tsx scripts/check/docs.ts
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readConfig } from '../../src/config';
import { readContract } from '../read-contract';
import { root } from '../run-command';

/** Those of the project, and of the folders that are there. */
const PAGES = ['README.md', ...['src', 'scripts', 'test'].flatMap(pagesIn)];

const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Manifest & { scripts: Record<string, string> };

const problems = [...commandProblems(), ...identityProblems(), ...PAGES.flatMap(fileProblems)];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function pagesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => basename(name) === 'README.md' && !name.includes('node_modules'))
    .map((name) => join(folder, name).replaceAll('\\', '/'));
}

/** Every script has a row in a table, and every script that the text names exists. */
function commandProblems(): string[] {
  const known = Object.keys(manifest.scripts)
    .filter((script) => !script.startsWith('pre'))
    .map((script) => (script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`));
  const rows = mentions(readme, /^\| `(npm (?:run )?[\w:-]+)/g).map(({ text }) => text);
  return [
    ...mentions(readme, /\bnpm (?:run [\w:-]+|start\b|test\b)/g)
      .filter(({ text }) => !known.includes(text))
      .map(({ line, text }) => `README.md:${line} names ${text}, which is no script of package.json`),
    ...known
      .filter((command) => !rows.includes(command))
      .map((command) => `README.md has no row for ${command}, a script of package.json`),
  ];
}

/** Files and folders that a page names, links to or shows must exist. */
function fileProblems(page: string): string[] {
  const text = read(page);
  const named = mentions(text, /`((?:src|scripts|test)\/[\w./-]*)`/g);
  const linked = mentions(text, /(?:\]\(|\ssrc=")(?!https?:|#)([^)#"]+)/g);
  return [
    ...named.filter((each) => !existsSync(join(root, each.text))),
    ...linked.filter((each) => !existsSync(join(root, dirname(page), each.text))),
  ].map((each) => `${page}:${each.line} names ${each.text}, which is not there`);
}

/** The parts of package.json and package-lock.json that repeat the contract. */
interface Manifest {
  name: string;
  version: string;
  license: string;
}

/** Parts of the contract that the server does not use. */
interface Published {
  info: { title: string; version: string; license?: { identifier?: string } };
  servers?: { url: string; variables?: { base_url?: { default?: string } } }[];
}

function identityProblems(): string[] {
  const contract = readContract(join(root, 'openapi.yaml'));
  const { info, servers }: Published = contract.document;
  const { title, version, license } = info;
  const lock = JSON.parse(read('package-lock.json')) as Manifest;
  const address = `http://localhost:${readConfig({}).port}`;
  const base = servers?.[0]?.variables?.base_url?.default ?? address;
  const repeated: [where: string, is: string | undefined, should: string | undefined][] = [
    ['package.json', manifest.version, version],
    ['package-lock.json', lock.version, version],
    ['README.md:1', mentions(readme, /^# (.*)/g)[0]?.text, title],
    ['package.json', manifest.name, title.toLowerCase().replaceAll(' ', '-')],
    ['package.json', manifest.license, license?.identifier],
  ];
  const addresses: typeof repeated = [
    [contract.place(['servers']), base, address],
    ...mentions(readme, /http:\/\/(?:localhost|127\.0\.0\.1):\d+/g).map(({ line, text }): (typeof repeated)[number] => [
      `README.md:${line}`,
      text,
      address,
    ]),
  ];
  const differ = (all: typeof repeated, why: string): string[] =>
    all
      .filter(([, is, should]) => is !== should)
      .map(([where, is, should]) => `${where} says ${is ?? 'nothing'}, but ${why} ${should}`);
  return [...differ(repeated, `${contract.place(['info'])} has`), ...differ(addresses, 'the default is')];
}

/** Every match of the expression in a line, as the text of its first group if it has one. */
function mentions(text: string, expression: RegExp): { line: number; text: string }[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(expression)].map((match) => ({ line: index + 1, text: match[1] ?? match[0] })),
    );
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

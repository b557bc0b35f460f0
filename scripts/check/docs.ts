/**
 * Checks the documentation and package.json against the code and the contract: commands, files, links, the tests that hold each
 * promise, and the title, version and address of the service. The table of variables is compared by `test/config.test.ts`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfig } from '../../src/config';
import { readContract } from '../../src/tools/project/read-contract';
import { root } from '../../src/tools/project/run-command';

const PAGES = ['README.md', ...['src', 'scripts', 'test'].flatMap(pagesIn)];

const readme = read('README.md');
const { scripts, version } = JSON.parse(read('package.json')) as { scripts: Record<string, string>; version: string };

const problems = [...commandProblems(), ...identityProblems(), ...promiseProblems(), ...PAGES.flatMap(fileProblems)];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function pagesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

/** Every script has a row in README.md, and every script that a page names exists. */
function commandProblems(): string[] {
  const known = Object.keys(scripts)
    .filter((script) => !script.startsWith('pre'))
    .map((script) => (script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`));
  const rows = mentions(readme, /^\| `(npm (?:run )?[\w:-]+)/g).map(({ text }) => text);
  return [
    ...PAGES.flatMap((page) =>
      mentions(read(page), /\bnpm (?:run [\w:-]+|start\b|test\b)/g)
        .filter(({ text }) => !known.includes(text))
        .map(({ line, text }) => `${page}:${line} names ${text}, which is no script of package.json`),
    ),
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

/** Every promise has a row in the table of tests, in its words, and is held by tests that are there: one of them runs with `npm test`. */
function promiseProblems(): string[] {
  const [, promised = ''] = /^## What it promises\n([^]*?)^## /m.exec(readme) ?? [];
  const promises = [...promised.matchAll(/^(\d+)\. \*\*(.*?)\.?\*\*/gm)].map(
    ([, number, text]) => `${number}. ${text}`,
  );
  const rows = [...read('test/README.md').matchAll(/^\| (\d+\. .*?) \| (.*?) \|$/gm)];
  const held = rows.map(([, promise = '']) => promise);
  return [
    ...(promises.length === 0 ? ['README.md names no promise'] : []),
    ...promises.filter((each) => !held.includes(each)).map((each) => `test/README.md has no row for "${each}"`),
    ...held.filter((each) => !promises.includes(each)).map((each) => `README.md does not promise "${each}"`),
    ...rows.flatMap(([, promise = '', files = '']) => testProblems(promise, mentions(files, /`([^`]+)`/g))),
  ];
}

function testProblems(promise: string, tests: { text: string }[]): string[] {
  const named = tests.map(({ text }) => text);
  const missing = named.filter((file) => !existsSync(join(root, 'test', file)));
  return [
    ...missing.map((file) => `test/README.md names ${file}, which is not there`),
    ...(named.some((file) => /(?<!\.slow)\.test\.ts$/.test(file)) ? [] : [`no test of npm test holds "${promise}"`]),
  ];
}

function identityProblems(): string[] {
  const { document, place } = readContract(join(root, 'openapi.yaml'));
  const { info, servers }: Published = document;
  const address = `http://localhost:${readConfig({}).port}`;
  const base = servers?.[0]?.variables?.base_url?.default ?? address;
  const inContract = `but ${place(['info'])} has`;
  const repeated: [where: string, is: string | undefined, why: string, should: string][] = [
    ['package.json', version, inContract, info.version],
    ['README.md:1', mentions(readme, /^# (.*)/g)[0]?.text, inContract, info.title],
    [place(['servers']), base, 'but the default is', address],
  ];
  for (const { line, text } of mentions(readme, /http:\/\/(?:localhost|127\.0\.0\.1):\d+/g))
    repeated.push([`README.md:${line}`, text, 'but the default is', address]);
  return repeated
    .filter(([, is, , should]) => is !== should)
    .map(([where, is, why, should]) => `${where} says ${is ?? 'nothing'}, ${why} ${should}`);
}

/** Parts of the contract that the server does not use. */
interface Published {
  info: { title: string; version: string };
  servers?: { variables?: { base_url?: { default?: string } } }[];
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

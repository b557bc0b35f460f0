/** The table of promises in README.md of this folder: every promise that the project makes, and files that are there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, promises = ''] = /^## What it promises\n([^]*?)^## /m.exec(read('../README.md')) ?? [];
const rows = [...read('README.md').matchAll(/^\| (\d+)\. (.*?) \| (.*?) \|$/gm)];

it('has a row for every promise of the README, in its words', () => {
  const made = [...promises.matchAll(/^(\d+)\. \*\*(.*?)\.?\*\*/gm)].map(([, number, text]) => `${number}. ${text}`);
  expect(made.length).toBeGreaterThan(5);
  expect(rows.map(([, number, text]) => `${number}. ${text}`)).toEqual(made);
});

it.each(rows.map(([, , text = '', files = '']) => [text, files]))(
  '%s: held by files that npm test runs',
  (_text, files) => {
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(join(__dirname, file)))).toEqual([]);
    expect(named.filter((file) => !file.endsWith('.slow.test.ts'))).not.toEqual([]);
  },
);

function read(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}

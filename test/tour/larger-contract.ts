/** Grows a copy of the project: a larger contract, and handlers for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { addMember } from './edit-code';
import type { Project, ProjectCopy } from './project-copy';

const fixture = (name: string): string => readFileSync(join(__dirname, 'larger-contract', name), 'utf8');

/** The operations that it adds, and what each handler is made with. */
const HANDLERS: Readonly<Record<string, string>> = {
  listAllotments: '(allotments)',
  createAllotment: '(allotments)',
  getAllotment: '(allotments)',
  deleteAllotment: '(allotments)',
  updateAllotment: '(allotments)',
  writeNote: '()',
  getSeason: '()',
};
/** That of "Adding an operation" in README.md, by a name of its own: a copy may have followed the page. */
const OF_README = 'describeGardenOfReadme';
export const addedOperations = [...Object.keys(HANDLERS), OF_README];

/** Merges the larger contract into the copy's: objects by key, arrays by appending. */
export function growContract(copy: Project): void {
  const read = (text: string): unknown => parse(text, { intAsBigInt: true, merge: true });
  const contract = merged(read(copy.read('openapi.yaml')), read(fixture('openapi.yaml')));
  copy.write('openapi.yaml', stringify(contract, { aliasDuplicateObjects: false, lineWidth: 0 }));
}

function merged(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])];
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return b;
  const all = new Map(Object.entries(a));
  for (const [key, value] of Object.entries(b)) all.set(key, all.has(key) ? merged(all.get(key), value) : value);
  return Object.fromEntries(all);
}

/** Writes the handlers, with the snippet of README.md, and adds them to the table: nothing else of `src` has to change. */
export function writeHandlers(copy: ProjectCopy): void {
  copy.write('src/allotments/handlers.ts', fixture('handlers.ts.txt'));
  const [, snippet = ''] =
    /^## Adding an operation\n[^]*?^ {3}```ts\n([^]*?)^ {3}```$/m.exec(copy.read('README.md')) ?? [];
  copy.write('src/gardens/describe.ts', snippet.replaceAll(/^ {3}/gm, '').replaceAll('describeGarden', OF_README));
  const rows = Object.entries(HANDLERS).map(([id, given]) => `${id}: ${id}${given}`);
  addMember(copy, 'src/handlers.ts', 'handlersOn', [...rows, OF_README].join(', '));
  copy.write(
    'src/handlers.ts',
    `import { ${Object.keys(HANDLERS).join(', ')}, type Allotments } from './allotments/handlers';
import { ${OF_README} } from './gardens/describe';
const allotments: Allotments = new Map();
${copy.read('src/handlers.ts')}`,
  );
}

/** Adds code that deviates from the contract, every deviation under an `@ts-expect-error`. */
export function writeUndeclared(copy: ProjectCopy): void {
  copy.write('src/allotments/undeclared.ts', fixture('undeclared.ts.txt'));
}

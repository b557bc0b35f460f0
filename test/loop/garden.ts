/** A larger contract and its handlers: what a copy of the project grows into. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isSeq, parseDocument } from 'yaml';
import type { ProjectCopy } from './project-copy';

const fixture = (name: string): string => readFileSync(join(__dirname, 'garden', name), 'utf8');

/** The operations that the larger contract has besides ours. */
export const gardenOperations = [
  ...['listGardens', 'createGarden', 'getGarden', 'deleteGarden', 'updateGarden', 'writeNote', 'getSeason'],
];

/** Puts the larger contract in the place of ours: maps are merged, lists are appended to. */
export function growContract(copy: ProjectCopy): void {
  const contract = parseDocument(copy.read('openapi.yaml'));
  merge(contract.contents, parseDocument(fixture('openapi.yaml')).contents);
  copy.write('openapi.yaml', contract.toString({ lineWidth: 0 }));
}

/** Writes the handlers, and adds them to the table: all that there is to do in `src`. */
export function writeHandlers(copy: ProjectCopy): void {
  copy.write('src/gardens/handlers.ts', fixture('src/handlers.ts.txt'));
  const needsGardens = (id: string): boolean => !['writeNote', 'getSeason'].includes(id);
  const rows = gardenOperations.map((id) => `    ${id}: ${id}(${needsGardens(id) ? 'gardens' : ''}),\n`);
  const line = '    createPlant: createPlant(plants),\n';
  copy.replace('src/handlers.ts', line, line + rows.join(''));
  copy.replace('src/handlers.ts', 'export const', 'const gardens: Gardens = new Map();\n\nexport const');
  copy.write(
    'src/handlers.ts',
    `import { ${gardenOperations.join(', ')}, type Gardens } from './gardens/handlers';\n${copy.read('src/handlers.ts')}`,
  );
}

/** Adds code that does what the contract does not declare, and says of each line that it is an error. */
export function writeUndeclared(copy: ProjectCopy): void {
  copy.write('src/gardens/undeclared.ts', fixture('src/undeclared.ts.txt'));
}

function merge(into: unknown, from: unknown): void {
  if (isSeq(into) && isSeq(from)) {
    into.items.push(...from.items);
  } else if (isMap(into) && isMap(from)) {
    for (const { key, value } of from.items) {
      if (into.has(key)) merge(into.get(key, true), value);
      else into.set(key, value);
    }
  }
}

/** Generates `generated/` from `openapi.yaml`: the types of handlers and clients. */
import { readArguments } from '../../engine';
import { createPatch } from 'diff';
import { join } from 'node:path';
import { readContract } from '../project/read-contract';
import { root } from '../project/run-command';
import { typed } from '../project/typed';
import { generate, strayNames } from './files';
import { writeStubs } from './stubs';

const usage = `${typed('generate', '[--check] [--allow-folder FOLDER]')}
Writes generated/ from openapi.yaml, or says what the start would refuse there, and a stub for an operation that has no handler; --check compares instead, and exits 1 with a diff.
The contract may name files of its own folder, and of each FOLDER that is allowed.`;

export async function run(args: string[]): Promise<number> {
  const { values } = readArguments({
    args,
    options: {
      check: { type: 'boolean' },
      'allow-folder': { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { files, warnings } = await generate(values.check !== true, values['allow-folder']);
  const changed = files.filter(({ is, should }) => is !== should);
  if (values.check) {
    for (const { name, is, should } of changed) {
      console.error(createPatch(name, is, should, 'as it is', 'as generated'));
      console.error(`${name} does not match openapi.yaml. Fix it with: ${typed('generate')}`);
    }
    const stray = strayNames(files);
    for (const name of stray) console.error(`${name} is not generated from openapi.yaml: remove it`);
    return changed.length + stray.length === 0 ? 0 : 1;
  }
  for (const file of files) console.log(`${file.name} ${changed.includes(file) ? 'written' : 'is up to date'}`);
  for (const line of await writeStubs(readContract(join(root, 'openapi.yaml')))) console.log(line);
  for (const line of warnings) console.error(`The start will tell: ${line}`);
  return 0;
}

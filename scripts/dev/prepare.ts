/** From a changed contract or source to a program that can be started: lint, generate, type-check and compile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../src/engine/http/api-error';
import { sourcesOf } from '../../src/engine/contract/sources';
import { generatedFiles, writeGenerated } from '../generate/files';
import { root, runTool } from '../run-command';

/** The contract that types were last generated from: a change of code alone costs no generation. */
let generatedFrom: string | undefined;

/** Resolves to what is wrong and what to do about it, or to undefined where the program is ready. */
export async function prepare(): Promise<string | undefined> {
  const contract = [...sourcesOf(join(root, 'openapi.yaml'))].map((file) => readFileSync(file, 'utf8')).join('\0');
  if (contract !== generatedFrom) {
    const problem = (await lint()) ?? (await generate());
    if (problem !== undefined) return `${problem}\n\nCorrect openapi.yaml there, and save.`;
    generatedFrom = contract;
  }
  const { ok, output } = await runTool(['tsc', '--build', 'src', ...(process.stdout.isTTY ? ['--pretty'] : [])]);
  return ok ? undefined : `${output}\nCorrect these places, and save; a missing handler goes into src/handlers.ts.`;
}

async function lint(): Promise<string | undefined> {
  const { ok, output } = await runTool(['redocly', 'lint', '--config', 'redocly.yaml', 'openapi.yaml']);
  return ok ? undefined : output;
}

async function generate(): Promise<string | undefined> {
  try {
    for (const file of await generatedFiles()) writeGenerated(file);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

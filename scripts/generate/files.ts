/** The files of `generated/`: as they are, and as the contract generates them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUNDLE, namesOtherFiles } from '../../src/engine/contract/bundle';
import { readYaml } from '../../src/engine/contract/source';
import { root } from '../run-command';
import { bundleText } from './bundle';
import { contractTypes } from './types';

export interface GeneratedFile {
  name: string;
  /** Its current text; empty where there is no file. */
  is: string;
  /** Its text as generated from the contract; empty where there is to be no file. */
  should: string;
}

const header =
  'Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and generate again.';

/** The types, and for a contract of several files its bundle, of which they are then made. Rejects where they cannot be made. */
export async function generatedFiles(project = root): Promise<GeneratedFile[]> {
  const contract = join(project, 'openapi.yaml');
  const head = `// ${header}\n/* eslint-disable */\n`;
  const types = async (from: string): Promise<GeneratedFile> =>
    file(project, 'generated/openapi.ts', head + (await contractTypes(from)));
  if (!namesOtherFiles(readYaml(contract).value)) {
    const stale = file(project, BUNDLE, '');
    return [await types(contract), ...(stale.is === '' ? [] : [stale])];
  }
  const bundle = file(project, BUNDLE, `# ${header}\n${await bundleText(contract)}`);
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const draft = join(folder, 'openapi.yaml');
    writeFileSync(draft, bundle.should);
    return [bundle, await types(draft)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the file if it is out of date; removes one that is not to be there. */
export function writeGenerated({ name, is, should }: GeneratedFile, project = root): void {
  if (is === should) return;
  if (should === '') return rmSync(join(project, name));
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), should);
}

function file(project: string, name: string, text: string): GeneratedFile {
  return { name, is: current(join(project, name)), should: text };
}

function current(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** The files of `generated/`: as they are, and as the contract generates them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run-command';
import { contractTypes } from './types';

export interface GeneratedFile {
  name: string;
  /** Its current text; empty where there is no file. */
  is: string;
  /** Its text as generated from the contract. */
  should: string;
}

const header = `\
// Generated from openapi.yaml by \`npm run generate\`. Do not edit: change the contract and generate again.
/* eslint-disable */
`;

/** Rejects where no types can be generated. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const contract = join(root, 'openapi.yaml');
  return [file('generated/openapi.ts', await contractTypes(contract))];
}

/** Writes the file if it is out of date. */
export function writeGenerated({ name, is, should }: GeneratedFile): void {
  if (is === should) return;
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), should);
}

function file(name: string, text: string): GeneratedFile {
  return { name, is: current(name), should: header + text };
}

function current(name: string): string {
  try {
    return readFileSync(join(root, name), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** The files of `generated/`: as they are, and as the contract generates them. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUNDLE, ContractProblems, Folders, namesOtherFiles, readYaml, sourcesOf } from '../../engine/reading';
import { judgeOwn } from '../project/read-contract';
import { root } from '../project/run-command';
import { bundleText } from './bundle';
import { clientManifest } from './client-manifest';
import { contractTypes } from './types';

export interface GeneratedFile {
  name: string;
  /** Its current text; empty if there is no file. */
  is: string;
  /** Its text as generated from the contract; empty if there is to be no file. */
  should: string;
}

const header =
  'Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and generate again.';

/**
 * The types, the package.json that makes a package of them, and the bundle of a contract of several files. Throws if they cannot be
 * made.
 */
export function generatedFiles(project = root): GeneratedFile[] {
  const bundle = bundleFile(project);
  return present(bundle, ...typesFiles(project, bundle));
}

/**
 * The same for this project, whose files are written if `write` says so, and what the start would tell of its contract. Rejects
 * with what it would refuse there. References may lead into the allowed folders, too.
 */
export async function generate(
  write: boolean,
  allowed: readonly string[] = [],
): Promise<{ files: GeneratedFile[]; warnings: readonly string[] }> {
  const bundle = bundleFile(root, allowed);
  if (write) writeGenerated(bundle);
  // A bundle of files that have changed since is not judged: that it is out of date is told.
  const isJudged = write || bundle.is === bundle.should;
  const { refusals, warnings, examples } = isJudged ? await judgeOwn() : { refusals: [], warnings: [], examples: [] };
  if (refusals.length > 0) throw new ContractProblems(refusals);
  const types = typesFiles(root, bundle);
  if (write) for (const each of types) writeGenerated(each);
  return { files: present(bundle, ...types), warnings: [...warnings, ...examples] };
}

/** The bundle of a contract of several files, which may lie in the allowed folders, too. */
export function bundleFile(project: string, allowed: readonly string[] = []): GeneratedFile {
  const contract = join(project, 'openapi.yaml');
  const areSeveral = sourcesOf(contract, new Folders(contract, allowed)).size > 1;
  const isOne = !areSeveral && !namesOtherFiles(readYaml(contract).value);
  return file(project, BUNDLE, isOne ? '' : `# ${header}\n${bundleText(contract, allowed)}`);
}

function typesFiles(project: string, { should: bundle }: GeneratedFile): GeneratedFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const draft = join(folder, 'openapi.yaml');
    writeFileSync(draft, bundle || readFileSync(join(project, 'openapi.yaml')));
    const head = `// ${header}\n/* eslint-disable */\n`;
    return [
      file(project, 'generated/openapi.ts', head + contractTypes(draft)),
      file(project, 'generated/package.json', clientManifest(draft)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Names in `generated/` that are neither these files nor of the client package that `npm pack` makes there. */
export function strayNames(files: readonly GeneratedFile[]): string[] {
  const known = new Set([...files.map(({ name }) => name), 'generated/dist', 'generated/node_modules']);
  const folder = join(root, 'generated');
  const names = existsSync(folder) ? readdirSync(folder).map((name) => `generated/${name}`) : [];
  return names.filter((name) => !known.has(name));
}

function present(...files: GeneratedFile[]): GeneratedFile[] {
  return files.filter(({ is, should }) => is !== '' || should !== '');
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

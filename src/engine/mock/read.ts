/** A contract as a mock reads it: of one file or several, wherever they are. Several are put together by redocly, if it is installed. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUNDLE, readServed, type ServedDocument } from '../contract/bundle';
import { normalize } from '../contract/normalize';
import { ContractProblems, readYaml } from '../contract/source';
import { placeInSources } from '../contract/sources';
import { partsOf } from '../contract/walk';

/** The frame around what redocly advertises. */
const BOX = /^ *[╔║╚].*\n/gm;

/**
 * Rejects with ContractProblems if the files cannot be read, or be put together; a lenient one is then the file as it is, in which
 * references to others lead nowhere.
 */
export async function readContract(file: string, lenient: boolean): Promise<ServedDocument> {
  const own = readYaml(file);
  try {
    if (needsOtherFiles(own.value)) return await readTogether(file);
  } catch (error) {
    if (!lenient) throw error;
  }
  return { ...own, warnings: normalize(own.value) };
}

/** Whether what is served refers to other files, and not what only describes it. */
function needsOtherFiles(document: unknown): boolean {
  return [...partsOf(document)].some(
    ({ part, isMap }) => !isMap && '$ref' in part && typeof part.$ref === 'string' && !part.$ref.startsWith('#'),
  );
}

async function readTogether(file: string): Promise<ServedDocument> {
  const redocly = redoclyBin();
  if (redocly === undefined) {
    if (existsSync(join(dirname(file), BUNDLE))) return readServed(file);
    throw new ContractProblems([
      `${file} names other files: expected @redocly/cli to be installed, which puts them together (npm install), or one file`,
    ]);
  }
  const folder = mkdtempSync(join(tmpdir(), 'mock-'));
  try {
    const bundle = join(folder, 'openapi.yaml');
    const output = await run([redocly, 'bundle', file, '--keep-url-references', '--output', bundle], dirname(file));
    if (!existsSync(bundle))
      throw new ContractProblems([`its files cannot be put together: ${output.replaceAll(BOX, '').trim()}`]);
    const { value, place } = readYaml(bundle);
    return { value, place: (path) => placeInSources(file, path) ?? place(path), warnings: normalize(value) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function redoclyBin(): string | undefined {
  try {
    const manifest = createRequire(__filename).resolve('@redocly/cli/package.json');
    return join(dirname(manifest), 'bin', 'cli.js');
  } catch {
    return undefined;
  }
}

/** What a program says, on either stream. */
function run(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => resolve(error.message));
    child.on('close', () => resolve(output));
  });
}

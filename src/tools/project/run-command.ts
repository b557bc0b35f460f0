/** Runs a tool to its end and collects its output. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the project: where npm runs its commands. */
export const root = process.cwd();

export interface Outcome {
  ok: boolean;
  seconds: number;
  stdout: string;
  stderr: string;
  /** stdout and stderr together, in the order of arrival. */
  output: string;
}

/** Stands for our own command line where a program is named. */
export const CLI = 'openapi-in-charge';

/** Node's arguments for a process that loads TypeScript of the project. */
export const LOAD_TYPESCRIPT = ['--import', pathToFileURL(require.resolve('tsx')).href];

/** Runs a command of ours, or a program of `node_modules/.bin`; resolves also if it fails. */
export function runTool([name = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return run([process.execPath, ...nodeArguments(root, name), ...args], env);
}

/** Runs redocly by a file of rules; it reads contracts in these folders only, and asks no other host. */
export function runRedocly(args: readonly string[], folders: readonly string[], rules: string): Promise<Outcome> {
  const guard = pathToFileURL(join(__dirname, '../generate/guard.mjs')).href; // for all threads
  const started = ['--import', guard, join(__dirname, '../generate/deep-stack.mjs'), ...nodeArguments(root, 'redocly')];
  const env = { ...quietRedocly, CONTRACT_FOLDERS: folders.join(delimiter), LINT_RULES: rules };
  return run([process.execPath, ...started, ...args, '--config', rules], env);
}

/** The arguments with which Node runs it; the `tsx` command would start a second process. */
export function nodeArguments(project: string, name: string): string[] {
  if (name === 'tsx') return LOAD_TYPESCRIPT;
  if (name === CLI) return [...LOAD_TYPESCRIPT, require.resolve('../cli')];
  return [programFile(project, name)];
}

/** A program of the project, or else one that came with these tools. */
function programFile(project: string, name: string): string {
  const folders = [join(project, 'node_modules'), ...(require.resolve.paths(name) ?? [])];
  const found = folders.map((folder) => join(folder, '.bin', name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`expected ${name} in node_modules of ${project}: npm ci installs it`);
  return found;
}

/** Variables that git sets for a hook: in a linked work tree git would take the project's folder for the top of it. */
const OF_HOOKS = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined, GIT_PREFIX: undefined };

/** Runs any program in the project's folder, on a text if it gets one; resolves also if it fails, or cannot be started. */
export function run(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input = '',
): Promise<Outcome> {
  const start = performance.now();
  let [stdout, stderr, output] = ['', '', ''];
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: 'pipe',
      env: { ...process.env, ...OF_HOOKS, ...env },
    });
    child.stdin.on('error', () => undefined).end(input); // also if the program does not read it
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      output += text;
    });
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (code) => {
      const seconds = (performance.now() - start) / 1000;
      resolve({ ok: code === 0, seconds, stdout, stderr: withoutBox(stderr), output: withoutBox(output) });
    });
  });
}

const quietRedocly = { NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** A text without the frame around redocly's advertisements. */
function withoutBox(text: string): string {
  return text.replaceAll(/^ *[╔║╚].*\n/gm, '').trim();
}

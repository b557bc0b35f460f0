/** Runs one of the project's tools to its end, and keeps what it says. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(__dirname, '..');

export interface Outcome {
  ok: boolean;
  seconds: number;
  /** What it wrote to stdout. */
  stdout: string;
  /** What it wrote to stdout and stderr, in the order in which it came. */
  output: string;
}

/** Runs a program of `node_modules/.bin`; resolves also where it fails. */
export function runTool([name = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return run([process.execPath, ...nodeArguments(root, name), ...args], { ...env, ...quietRedocly });
}

/** What Node is given to run a program of `node_modules/.bin` of a project. */
export function nodeArguments(project: string, name: string): string[] {
  // What tsx does is a matter of Node's own options; its program would be a second process.
  const program = name === 'tsx' ? ['--import', 'tsx'] : [join(project, 'node_modules', '.bin', name)];
  return [...shortLived, ...program];
}

/** Node 20 optimises so early that a program that lives for seconds spends a third of its time on it; later ones do not. */
export const shortLived = process.version.startsWith('v20.') ? ['--sparkplug', '--interrupt-budget=500000'] : [];

/** Runs any program in the project's folder; resolves also where it fails, or cannot be started. */
export function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const start = performance.now();
  let [stdout, output] = ['', ''];
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (code) => {
      const seconds = (performance.now() - start) / 1000;
      resolve({ ok: code === 0, seconds, stdout, output: output.replaceAll(BOX, '').trim() });
    });
  });
}

const quietRedocly = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** What redocly tells of itself rather than of the contract. */
const BOX = /^ *[╔║╚].*\n/gm;

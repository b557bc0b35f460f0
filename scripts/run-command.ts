/** Runs a tool to its end and collects its output. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(__dirname, '..');

export interface Outcome {
  ok: boolean;
  seconds: number;
  stdout: string;
  /** stdout and stderr together, in the order of arrival. */
  output: string;
}

/** Runs a program of `node_modules/.bin`; resolves also if it fails. */
export function runTool([name = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return run([process.execPath, ...nodeArguments(root, name), ...args], { ...env, ...quietRedocly });
}

/** The arguments with which Node runs a program of `node_modules/.bin`; the `tsx` command would start a second process. */
export function nodeArguments(project: string, name: string): string[] {
  return name === 'tsx' ? ['--import', 'tsx'] : [join(project, 'node_modules', '.bin', name)];
}

/** Runs any program in the project's folder; resolves also if it fails, or cannot be started. */
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

/** The frame around redocly's advertisements. */
const BOX = /^ *[╔║╚].*\n/gm;

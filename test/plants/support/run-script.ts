/** Commands of operators, each as a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the program on a store; what it tells once a second of its progress is left out. */
export function runScript(name: string, args: readonly string[], url: string, stdin = '', env = {}): Promise<Ended> {
  const child = spawnScript(name, args, url, env);
  child.stdin.on('error', () => undefined).end(stdin); // also if the command does not read it
  return endOf(child);
}

/** The same, begun only. Its stdin is a socket, as of every program that Node starts. */
export function spawnScript(
  name: string,
  args: readonly string[],
  url: string,
  env = {},
): ChildProcessWithoutNullStreams {
  const program = join(dirname(process.env.PROGRAM ?? ''), 'cli.js');
  return spawn(process.execPath, [program, name, ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, ...env },
  });
}

export function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout, stderr: stderr.replaceAll(/^\w+ \d+ plants, \d+\/s\n/gm, '') }),
    );
  });
}

/** The program as a process of its own: with a real environment, real signals, and what it prints. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a process ended, and all that it printed. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface ServiceProcess {
  pid: number;
  /** Where the service says it is. */
  baseUrl: string;
  /** The one-off token; empty where a tokens file is in charge. */
  token: string;
  /** What was printed so far. */
  readonly stdout: string;
  readonly stderr: string;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<Exit>;
}

/** The variables that matter to a test; the port is a free one and the log is quiet unless they say otherwise. */
export type Environment = Readonly<Record<string, string>>;

/** Starts the program and resolves when it says that it listens; rejects, with what it printed, if it ends before. */
export async function startProcess(env: Environment): Promise<ServiceProcess> {
  const program = spawnProgram(env);
  const { pid } = program.child;
  const baseUrl = await Promise.race([listening(program), program.exited]);
  if (typeof baseUrl !== 'string' || pid === undefined) {
    throw new Error(`the program has ended at its start: ${JSON.stringify(baseUrl)}`);
  }
  return {
    pid,
    baseUrl,
    token: /^Token, .*: (?<token>\S+)$/m.exec(program.printed.stdout)?.groups?.token ?? '',
    get stdout() {
      return program.printed.stdout;
    },
    get stderr() {
      return program.printed.stderr;
    },
    kill: (signal) => program.child.kill(signal),
    exited: program.exited,
  };
}

/** Starts the program where it should refuse to, and resolves to how it ended; rejects if it listens all the same. */
export async function refusal(env: Environment): Promise<Exit> {
  const program = spawnProgram(env);
  const exit = await Promise.race([listening(program), program.exited]);
  if (typeof exit === 'string') throw new Error(`the program has started at ${exit}`);
  return exit;
}

/** Starts the program and kills it after so many milliseconds, wherever it is then. */
export async function killedStart(env: Environment, afterMs: number): Promise<void> {
  const { child, exited } = spawnProgram(env);
  setTimeout(() => child.kill('SIGKILL'), afterMs);
  await exited;
}

interface Program {
  child: ChildProcess;
  printed: { stdout: string; stderr: string };
  exited: Promise<Exit>;
}

// A start takes a second, and many times that on a busy machine.
jest.setTimeout(120_000);

const running = new Set<Program>();
/** The working directory, where the default store would be. */
const cwd = mkdtempSync(join(tmpdir(), 'plants-program-'));

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all([...running].map(({ exited }) => exited));
  rmSync(cwd, { recursive: true });
});

function spawnProgram(env: Environment): Program {
  const child = spawn(process.execPath, [process.env.PROGRAM ?? ''], {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(program);
      resolve({ code, signal, ...printed });
    });
  });
  const program = { child, printed, exited };
  running.add(program);
  return program;
}

/** Resolves to the address that the program prints; never, if it does not. */
function listening({ child, printed }: Program): Promise<string> {
  return new Promise((resolve) => {
    const look = (): void => {
      const baseUrl = / at (?<baseUrl>\S+)\n/.exec(printed.stdout)?.groups?.baseUrl;
      if (baseUrl !== undefined) resolve(baseUrl);
    };
    child.stdout?.on('data', look);
  });
}

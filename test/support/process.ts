/** The program as a process, with a real environment, signals and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Banner } from '../../src/engine/banner';

/** How a process ended, and its output. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface ServiceProcess {
  pid: number;
  /** The address that it printed. */
  baseUrl: string;
  /** The one-off token; empty with a tokens file. */
  token: string;
  /** The output so far. */
  readonly stdout: string;
  readonly stderr: string;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<Exit>;
}

/** Variables in addition to the defaults of tests: a free port and a quiet log. */
export type Environment = Readonly<Record<string, string>>;

/**
 * Starts the program and resolves when it listens; rejects with its output where it ends before. Until then `told` is called
 * with all of stderr whenever there is more of it.
 */
export async function startProcess(
  env: Environment,
  told: (stderr: string) => void = () => undefined,
  file = process.env.PROGRAM,
): Promise<ServiceProcess> {
  const program = spawnProgram(env, [], file);
  program.child.stderr?.on('data', () => told(program.printed.stderr));
  const { pid } = program.child;
  const baseUrl = await Promise.race([listening(program), program.exited]);
  if (typeof baseUrl !== 'string' || pid === undefined) {
    throw new Error(`the program has ended at its start: ${JSON.stringify(baseUrl)}`);
  }
  return {
    pid,
    baseUrl,
    token: bannerOf(program.printed.stdout)?.token ?? '',
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

/** Stops the program as an operator does, and expects that it ends well. */
export async function stopProcess(service: ServiceProcess): Promise<Exit> {
  service.kill('SIGTERM');
  const exit = await service.exited;
  expect(exit).toMatchObject({ code: 0, signal: null });
  return exit;
}

/** The same with the contract of the engine's tests. */
export function startEngine(env: Environment): Promise<ServiceProcess> {
  return startProcess(env, undefined, process.env.ENGINE_PROGRAM);
}

/**
 * Starts the engine's program, or another, if it must refuse to start; resolves to its exit, of stderr what its lines say, and rejects
 * if it listens.
 */
export async function refusal(
  env: Environment,
  args: readonly string[] = [],
  file = process.env.ENGINE_PROGRAM,
): Promise<Exit> {
  const program = spawnProgram(env, args, file);
  const exit = await Promise.race([listening(program), program.exited]);
  if (typeof exit === 'string') throw new Error(`the program has started at ${exit}`);
  return { ...exit, stderr: messagesIn(exit.stderr) };
}

/** Starts the program and sends it a signal at a moment, whether it listens by then or not. */
export async function interruptedStart(
  env: Environment,
  signal: NodeJS.Signals,
  when: Promise<unknown>,
): Promise<Exit> {
  const { child, exited } = spawnProgram(env);
  await when;
  child.kill(signal);
  return exited;
}

interface Program {
  child: ChildProcess;
  printed: { stdout: string; stderr: string };
  exited: Promise<Exit>;
}

const running = new Set<Program>();
/** The working directory, where the default store would be. */
const cwd = mkdtempSync(join(tmpdir(), 'plants-program-'));

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all([...running].map(({ exited }) => exited));
  rmSync(cwd, { recursive: true });
});

function spawnProgram(env: Environment, args: readonly string[] = [], file = process.env.PROGRAM): Program {
  const child = spawn(process.execPath, [file ?? '', ...args], {
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

/** Resolves to the address that the program prints, if it prints one. */
function listening({ child, printed }: Program): Promise<string> {
  return new Promise((resolve) => {
    const look = (): void => {
      const baseUrl = bannerOf(printed.stdout)?.baseUrl;
      if (baseUrl !== undefined) resolve(baseUrl);
    };
    child.stdout?.on('data', look);
  });
}

/** Lines of the log as what they say. */
export function messagesIn(log: string): string {
  return log.replaceAll(/^\{.*\}$/gm, (line) => (JSON.parse(line) as { msg: string }).msg);
}

/** The line that the program prints when it listens; undefined until it has. */
function bannerOf(stdout: string): Banner | undefined {
  return /^\{.*\n$/.test(stdout) ? (JSON.parse(stdout) as Banner) : undefined;
}

/** A service as a process: its command line, its output, its signals and its end. */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { messageOf } from './http/api-error';
import { Lines, standardError, standardOutput } from './log/lines';
import type { Outputs, Running } from './serve';

/** How long the last lines may take to be written. */
const FLUSH_MS = 500;
/** Signals within this time are one: a terminal sends Ctrl-C to npm and to us, and npm passes it on. */
const SAME_SIGNAL_MS = 1_000;

export interface Program {
  /** What `--help` says. */
  usage: string;
  version: string;
  /** Starts the service from environment variables; rejects with an Error whose message says what is wrong. */
  start: (env: NodeJS.ProcessEnv, outputs: Outputs) => Promise<Running>;
}

const stdout = new Lines(standardOutput);
const stderr: Lines = new Lines(standardError, (lost) => {
  pino({}, stderr).error({ lost }, 'lines of the log could not be written and are lost');
});

/** Runs the program until it is asked to stop; ends the process with 0 then, and with 1 if it cannot start or go on. */
export function runProcess(program: Program): void {
  void run(program).catch(fail);
}

async function run({ usage, version, start }: Program): Promise<void> {
  const asked = answerArguments(process.argv.slice(2), usage, version);
  if (asked !== undefined) {
    stdout.write(asked);
    await exit(0);
  }
  const state: { running?: Running; endingSince?: number } = {};
  const end = (code: number): void => {
    state.endingSince = performance.now();
    // If it has not started yet there is nothing to finish.
    Promise.resolve(state.running?.close()).then(() => exit(code), fail);
  };
  const stop = (): void => {
    if (state.endingSince === undefined) end(0);
    else if (performance.now() - state.endingSince > SAME_SIGNAL_MS) process.exit(1);
  };
  // Before anybody can know that it runs. A parent that has given us a channel (scripts/dev) is gone when that is closed.
  process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
  state.running = await start(process.env, { print: (text) => stdout.write(text), logTo: stderr });
  stderr.write(`${(await state.running.broken).message}\n`);
  if (state.endingSince === undefined) end(1);
}

/** What to print instead of serving, if the arguments ask for that; throws if they are not understood. */
function answerArguments(args: string[], usage: string, version: string): string | undefined {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;
  try {
    const { values } = parseArgs({ args, options });
    if (values.help) return usage;
    return values.version ? `${version}\n` : undefined;
  } catch (error) {
    throw new Error(`${messageOf(error)}\n\n${usage}`, { cause: error });
  }
}

function fail(error: unknown): Promise<never> {
  stderr.write(`${messageOf(error)}\n`);
  return exit(1);
}

async function exit(code: number): Promise<never> {
  await Promise.all([stdout.flush(FLUSH_MS), stderr.flush(FLUSH_MS)]);
  process.exit(code);
}

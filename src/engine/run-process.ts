/** A service as a process: its command line, its output, its signals and its end. */
import { isatty } from 'node:tty';
import { parseArgs } from 'node:util';
import { messageOf } from './errors/api-error';
import { Lines, standardError, standardOutput } from './process/lines';
import { createLog } from './process/log';
import { once } from './process/once';
import { printable } from './process/printable';
import type { Outputs, Running } from './serve';

/** The time limit for writing the last lines. */
const FLUSH_MS = 500;
/** Signals within this time count as one: a terminal sends Ctrl-C to both npm and this process, and npm passes it on. */
const SAME_SIGNAL_MS = 1_000;

export interface Program {
  /** The text of `--help`. */
  usage: string;
  version: string;
  /** Starts the service from environment variables; rejects with an Error whose message says what is wrong. */
  start: (env: NodeJS.ProcessEnv, outputs: Outputs) => Promise<Running>;
}

// Made for a process that runs a program, and not for one that only imports this file.
const stdout = once(() => new Lines(standardOutput));
const stderr: () => Lines = once(
  () => new Lines(standardError, (lost) => log().error({ lost }, 'lines of the log could not be written and are lost')),
);
/** The log of the process itself, which does not depend on the level of the service's log. */
const log = once(() => createLog('info', process.env.LOG_TIME === 'epoch' ? 'epoch' : 'iso', stderr()));

/**
 * Runs the program until it is asked to stop; ends the process with 0 then, and with 1 if it cannot start or go on.
 *
 * @example
 * void runProcess({ usage, version, start: (env, outputs) => serve(service, readConfig(env), outputs) });
 */
export async function runProcess(program: Program, args = process.argv.slice(2)): Promise<never> {
  // Logged, because Node itself would write them as text.
  process.removeAllListeners('warning').on('warning', (err) => log().warn({ err }, 'Node warns'));
  process.on('uncaughtException', (err) => {
    log().fatal({ err }, 'a fault of the program ends the process');
    process.exit(1);
  });
  // Node would start its debugger, by which every user of the machine can run code here; logrotate for another server may send this signal.
  process.on('SIGUSR1', () => log().warn('SIGUSR1 does nothing here: no debugger is started'));
  const code = await run(program, args).catch((error: unknown) => {
    reportFatal(messageOf(error));
    return 1;
  });
  await Promise.all([stdout().flush(FLUSH_MS), stderr().flush(FLUSH_MS)]);
  process.exit(code);
}

async function run({ usage, version, start }: Program, args: string[]): Promise<number> {
  const asked = answerArguments(args, usage, version);
  if (asked instanceof Error) {
    // A person has typed it, also where nobody reads the log on a terminal.
    stderr().write(printable(`${asked.message}\n`));
    return 1;
  }
  if (asked !== undefined) {
    stdout().write(printable(asked));
    return 0;
  }
  return new Promise((resolve, reject) => {
    const state: { running?: Running; endingSince?: number; broken?: string } = {};
    const end = (code: number): void => {
      state.endingSince = performance.now();
      // If it has not started yet, there is nothing to finish.
      Promise.resolve(state.running?.close()).then(() => {
        // Again, behind what the end has logged: the last line says why.
        if (state.broken !== undefined) reportFatal(state.broken);
        resolve(state.broken === undefined ? code : 1);
      }, reject);
    };
    const stop = (): void => {
      if (state.endingSince === undefined) end(0);
      else if (performance.now() - state.endingSince > SAME_SIGNAL_MS) process.exit(1);
    };
    // SIGHUP asks for the tokens to be read again, and would end the process: the start reads them anyhow.
    const ignoreHangup = (): void => undefined;
    process.on('SIGHUP', ignoreHangup);
    // Installed before anything is printed. 'disconnect': the parent that opened an IPC channel (src/tools/dev/command) is gone.
    process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
    const print = (text: string): void => stdout().write(text);
    const printsJson = !isatty(standardOutput.descriptor);
    start(process.env, { print, printsJson, logTo: stderr(), linesLost: () => stderr().lostTotal })
      .then(async (running) => {
        state.running = running;
        process.off('SIGHUP', ignoreHangup);
        state.broken = (await running.broken).message;
        reportFatal(state.broken);
        if (state.endingSince === undefined) end(1);
      })
      .catch(reject);
  });
}

/** The text to print in place of serving, for `--help` and `--version`; an Error for unknown arguments. */
function answerArguments(args: string[], usage: string, version: string): string | Error | undefined {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;
  try {
    const { values } = parseArgs({ args, options });
    if (values.help) return usage;
    return values.version ? `${version}\n` : undefined;
  } catch (error) {
    return new Error(`${messageOf(error)}\n\n${usage}`, { cause: error });
  }
}

/** Reports why the process ends: as a line of the log, or on a terminal as text, which may have several lines. */
function reportFatal(message: string): void {
  if (isatty(standardError.descriptor)) stderr().write(`${printable(message)}\n`);
  else log().fatal(message);
}

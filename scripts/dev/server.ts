/** The service as a child process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PinoPretty } from 'pino-pretty';
import { trialVariables } from '../../src/config';
import { type Banner, bannerText } from '../../src/engine/banner';
import { root } from '../run-command';

export interface RunningServer {
  /** The address, and a curl line, for a person to read. */
  banner: string;
  /** Resolves when it has stopped, for whatever reason. */
  stopped: Promise<unknown>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
}

/** Thrown where it does not start; the message is its output. */
export class NotStarted extends Error {}

/** Starts `dist/src/main.js`; resolves once it listens. */
export async function startServer(env: NodeJS.ProcessEnv): Promise<RunningServer> {
  // In its own process group, so that Ctrl-C at the terminal does not reach it directly; with a channel that closes when
  // this process ends, however it ends, upon which the server stops.
  const child = spawn(process.execPath, [join(root, 'dist', 'src', 'main.js')], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const stopped = once(child, 'close');
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const banner = await Promise.race([firstText(child), stopped.then(() => undefined)]);
  if (banner === undefined) throw new NotStarted(messagesOf(said));
  const log = process.stderr.isTTY ? readableLog() : process.stderr;
  child.stderr?.removeAllListeners('data').pipe(log, { end: false });
  log.write(said);
  return {
    banner: bannerText(JSON.parse(banner) as Banner),
    stopped,
    async stop() {
      child.kill('SIGTERM');
      await stopped;
    },
  };
}

/** Takes lines of JSON and writes them to the terminal for a person to read; other lines as they are. */
function readableLog(): NodeJS.WritableStream {
  return PinoPretty({
    destination: 2,
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss',
    singleLine: true,
    errorLikeObjectKeys: ['err'], // `error` is a code, and would get a line of its own
  });
}

/** What lines of the log say; other lines as they are. */
function messagesOf(text: string): string {
  const message = (line: string): string => (line.startsWith('{') ? (JSON.parse(line) as { msg: string }).msg : line);
  return text.trim().split('\n').map(message).join('\n');
}

function firstText({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    stdout?.setEncoding('utf8').once('data', resolve);
  });
}

/** Starts and stops it on another port, with what it keeps in the folder; rejects with NotStarted where it does not start. */
export async function tryServer(env: NodeJS.ProcessEnv, folder: string): Promise<void> {
  const server = await startServer({ ...env, PORT: '0', LOG_LEVEL: 'fatal', ...trialVariables(folder) });
  await server.stop();
}

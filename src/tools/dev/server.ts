/** The service as a child process of the development server, which holds the port that they share (`node:cluster`). */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PinoPretty } from 'pino-pretty';
import { type Banner, bannerText } from '../../engine/tooling';
import { LOAD_TYPESCRIPT, root } from '../project/run-command';

// The servers accept connections by themselves: of a process that is killed, this one would keep those that it has not taken.
cluster.schedulingPolicy = cluster.SCHED_NONE;
cluster.setupPrimary({
  exec: require.resolve('./serve'),
  args: [],
  execArgv: LOAD_TYPESCRIPT,
  cwd: root,
  silent: true,
});

/** The time for a server to end by itself: a little more than it takes for a graceful stop (src/engine/serve.ts), and for load balancers to see it. */
const STOP_MS = 11_000;
const DRAIN_MS = 5_000;
/** The time for the last output of a server that has ended. */
const OUTPUT_MS = 500;

/** Messages to the process (serve.ts), and from it. */
export type Asked = 'serve' | 'open' | 'stop';
export interface Told {
  told: string;
}

/** A process that has loaded the program, or is about to, and serves on request. */
export class Server {
  private readonly worker: Worker;
  /** Resolves when the process has stopped, for whatever reason. */
  readonly stopped: Promise<unknown>;
  private readonly loaded: Promise<unknown>;
  /** The port that it listens at, once it does. */
  port = 0;
  private said = '';
  private isTold = false;
  private readonly stopMs: number;

  constructor(env: NodeJS.ProcessEnv) {
    this.stopMs = STOP_MS + (env.ADMIN_PORT === undefined ? 0 : DRAIN_MS);
    this.worker = cluster.fork(env);
    // Writing to one that has just been killed fails; its exit tells of that.
    this.worker.on('error', () => undefined);
    // The last port counts: the administration listens first, if it has one.
    this.worker.on('listening', ({ port }) => (this.port = port));
    this.loaded = this.told();
    // A process that it has started may keep its output open.
    const closed = once(this.worker.process, 'close');
    this.stopped = once(this.worker.process, 'exit').then(() => Promise.race([closed, sleep(OUTPUT_MS)]));
    const { stdout, stderr } = this.worker.process;
    stderr?.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    stdout?.pipe(process.stdout, { end: false });
  }

  /**
   * Starts to serve, and opens the service once `makeRoom` is done; resolves to the output, the address and a curl line, once it listens.
   * Rejects with the output if the process ends before.
   */
  async serve(makeRoom: () => Promise<void>): Promise<string> {
    await Promise.race([this.loaded, this.stopped]);
    this.isTold = true;
    if ((await this.ask('serve')) !== undefined) await makeRoom();
    const text = await this.ask('open');
    if (text === undefined) throw new Error(`${messagesOf(this.said)}\n\nThe server does not start.`);
    const log = process.stderr.isTTY ? readableLog() : process.stderr;
    this.worker.process.stderr?.removeAllListeners('data').pipe(log, { end: false });
    log.write(this.said);
    return bannerText(JSON.parse(text) as Banner);
  }

  /**
   * Accepts nothing more, finishes requests in progress, and ends; ends at once if it was never asked to serve. Resolves to false for one that
   * was killed, because it did not end, as with a loop without end.
   */
  async stop(): Promise<boolean> {
    // A `disconnect` would wait for all connections first.
    if (this.isTold) this.say('stop');
    else this.worker.process.kill('SIGKILL');
    const isStopped = this.stopped.then(() => true);
    if (await Promise.race([isStopped, sleep(this.stopMs, false, { ref: false })])) return true;
    this.worker.process.kill('SIGKILL');
    await this.stopped;
    return false;
  }

  /** Resolves to the next text that the program under development has not sent itself. */
  private told(): Promise<string> {
    return new Promise((resolve) => {
      const look = (message: unknown): void => {
        if (!isTold(message)) return;
        this.worker.off('message', look);
        resolve(message.told);
      };
      this.worker.on('message', look);
    });
  }

  private say(what: Asked): void {
    if (this.worker.isConnected()) this.worker.send(what);
  }

  /** Resolves to the answer of the process; to undefined if it ends before. */
  private async ask(what: Asked): Promise<string | undefined> {
    const answer = this.told();
    this.say(what);
    return Promise.race([answer, this.stopped.then(() => undefined)]);
  }
}

function isTold(message: unknown): message is Told {
  return typeof message === 'object' && message !== null && 'told' in message;
}

/** Writes JSON lines of the log to the terminal in readable form; other lines unchanged. */
function readableLog(): NodeJS.WritableStream {
  return PinoPretty({
    destination: 2,
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss',
    singleLine: true,
    errorLikeObjectKeys: ['err'], // `error` is a code, and would get a line of its own
  });
}

/** The messages in lines of the log; other lines unchanged, also those that only begin as JSON. */
function messagesOf(text: string): string {
  return text.trim().split('\n').map(messageIn).join('\n');
}

function messageIn(line: string): string {
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    return typeof msg === 'string' ? msg : line;
  } catch {
    return line;
  }
}

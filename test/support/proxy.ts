/** Real reverse proxies in front of servers, on a free port of the loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports';

export interface Proxy {
  port: number;
  stop(): Promise<void>;
}

/** How long a proxy keeps an idle connection to a server. */
const IDLE_SECONDS = 1;

export type ProxyName = 'nginx' | 'haproxy';

interface ProxyKind {
  configuration(port: number, servers: readonly number[], folder: string): string;
  arguments(file: string, folder: string): string[];
}

const kinds: Record<ProxyName, ProxyKind> = {
  nginx: {
    // The keep-alive that its documentation shows; failures of a server are remembered for a second.
    configuration: (port, servers, folder) => `
      daemon off;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      pid ${folder}/pid;
      error_log stderr crit;
      worker_processes 1;
      events { worker_connections 1024; }
      http {
        access_log off;
        client_body_temp_path ${folder}/body;
        proxy_temp_path ${folder}/proxy;
        upstream plants {
          ${servers.map((server) => `server 127.0.0.1:${server} fail_timeout=1s;`).join(' ')}
          keepalive 256;
          keepalive_timeout ${IDLE_SECONDS}s;
        }
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://plants;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
          }
        }
      }`,
    arguments: (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr'],
  },
  haproxy: {
    configuration: (port, servers) =>
      [
        'defaults',
        '  mode http',
        '  timeout connect 5s',
        '  timeout client 30s',
        '  timeout server 30s',
        '  option redispatch',
        'frontend clients',
        `  bind 127.0.0.1:${port}`,
        '  default_backend plants',
        'backend plants',
        ...servers.map(
          (server) => `  server s${server} 127.0.0.1:${server} check inter 200ms pool-purge-delay ${IDLE_SECONDS}s`,
        ),
        '',
      ].join('\n'),
    arguments: (file) => ['-db', '-q', '-f', file],
  },
};

/** The program of a proxy, or undefined where it is not installed. */
export function findProxy(name: string): string | undefined {
  // Where the superuser's programs are is on the path of the superuser alone.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts the proxy in front of the servers' ports, also with another configuration, and resolves when it accepts connections. */
export async function startProxy(
  name: ProxyName,
  servers: readonly number[],
  configuration = kinds[name].configuration,
): Promise<Proxy> {
  const program = findProxy(name);
  if (program === undefined) throw new Error(`expected ${name} to be installed`);
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const file = join(folder, 'configuration');
  const port = await freePort();
  writeFileSync(file, configuration(port, servers, folder));
  const child = spawn(program, kinds[name].arguments(file, folder), { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true });
  };
  while (!(await accepts(port))) {
    if (hasExited(child)) throw new Error(`${name} did not start: ${said}`);
    await sleep(20);
  }
  return { port, stop };
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

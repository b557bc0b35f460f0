/** Real reverse proxies in front of servers, on a free port of the loopback, and clients of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

/** Starts the proxy in front of the servers' ports, also with another configuration, and resolves when it accepts connections. */
export async function startProxy(
  name: ProxyName,
  servers: readonly number[],
  configuration = kinds[name].configuration,
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const file = join(folder, 'configuration');
  const port = await freePort();
  writeFileSync(file, configuration(port, servers, folder));
  const child = spawn(`/usr/sbin/${name}`, kinds[name].arguments(file, folder), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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

/** Clients that create plants by a proxy, each plant another, on connections that they keep: HAProxy shares its own only among such. */
export class ProxyClients {
  /** The status and the body of each answer, or what went wrong. */
  readonly answers: string[] = [];
  private readonly agent: Agent;
  private id = 0;

  constructor(
    private readonly origin: string,
    private readonly token: string,
  ) {
    this.agent = origin.startsWith('https:')
      ? new TlsAgent({ keepAlive: true, rejectUnauthorized: false })
      : new Agent({ keepAlive: true });
  }

  async create(): Promise<string> {
    const request = this.origin.startsWith('https:') ? httpsRequest : httpRequest;
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
    const answer = await new Promise<string>((resolve) => {
      const creation = request(`${this.origin}/plants`, { method: 'POST', headers, agent: this.agent });
      creation.on('error', ({ message }) => resolve(message));
      creation.on('response', (response) => {
        void text(response).then(
          (body) => resolve(`${response.statusCode} ${body}`),
          (error) => resolve(String(error)),
        );
      });
      creation.end(`{"id":${++this.id},"name":"Ficus"}`);
    });
    this.answers.push(answer);
    return answer;
  }

  /** Lets so many create one plant after another while something is done, which is given a wait for so many answers more. */
  async createDuring(count: number, act: (more: (answers: number) => Promise<void>) => Promise<void>): Promise<void> {
    let isOver = false;
    const clients = Array.from({ length: count }, async () => {
      while (!isOver) {
        await this.create();
        await sleep(10);
      }
    });
    const more = async (answers: number): Promise<void> => {
      const until = this.answers.length + answers;
      while (this.answers.length < until) await sleep(20);
    };
    await act(more).finally(() => (isOver = true));
    await Promise.all(clients);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** A client on one kept connection that sends what it is given, and reads bytes. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Client {
  /** The path is that below the address. */
  send(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>;
  close(): void;
}

export function connect(baseUrl: string): Client {
  const { hostname, port, pathname } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const base = pathname.replace(/\/$/, '');
  return {
    send: (method, path, headers = {}, body) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
        const sent = request({ agent, hostname, port, method, path: base + path, headers: { ...headers, ...length } });
        sent.on('error', reject).on('response', (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          );
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

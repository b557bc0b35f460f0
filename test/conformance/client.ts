/** Requests over HTTP as they are meant, on connections that are kept. */
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';

export interface Request {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** After how long a server that says nothing is taken for one that never will. */
const SILENCE_MS = 10_000;

export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly port: number) {}

  /** Rejects where what comes back is no HTTP, or nothing. */
  async send(request: Request): Promise<Answer> {
    try {
      return await this.attempt(request);
    } catch (error) {
      // The server may close an idle connection at the moment at which it is used again (RFC 9112 section 9.3.1).
      if (error instanceof Stale) return await this.attempt(request);
      throw error;
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private attempt({ method, target, headers, body }: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const all = body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) };
      const outgoing = httpRequest({
        agent: this.agent,
        host: '127.0.0.1',
        port: this.port,
        method,
        path: target,
        headers: all,
        timeout: SILENCE_MS,
      });
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer came')));
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        reject(outgoing.reusedSocket && error.code === 'ECONNRESET' ? new Stale(error.message) : error),
      );
      outgoing.end(body);
    });
  }
}

/** A connection that was closed before anything was said on it. */
class Stale extends Error {}

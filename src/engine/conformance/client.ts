/** An HTTP client on one kept connection that sends any method, target and header as it stands. */
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';

export interface Request {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly port: number) {}

  /** Rejects where no answer comes, or not the whole of one. */
  async send(request: Request): Promise<Answer> {
    try {
      return await this.attempt(request);
    } catch (error) {
      // The server may close an idle connection at the moment it is used again (RFC 9112 section 9.3.1).
      if (error instanceof StaleConnection) return await this.attempt(request);
      throw error;
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private attempt({ method, target, headers, body }: Request): Promise<Answer> {
    const length = body === undefined ? undefined : { 'Content-Length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = httpRequest({
        agent: this.agent,
        host: '127.0.0.1',
        port: this.port,
        method,
        path: target,
        headers: { ...headers, ...length },
      });
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET';
        reject(isStale ? new StaleConnection(error.message) : error);
      });
      sent.end(body);
    });
  }
}

/** The connection was closed before an answer began. */
class StaleConnection extends Error {}

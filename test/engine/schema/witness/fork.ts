/** A server that passes each request on to two others, and answers as the first of them. */
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '../../../support/ports';
import type { Running } from './middleware';

/** A request as it came. */
export interface Sent {
  method: string;
  target: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Answered {
  status: number;
  body: string;
}

/** Calls `compare` with each request and both answers. */
export async function startFork(
  [first, second]: readonly [port: number, port: number],
  compare: (sent: Sent, ofFirst: Answered, ofSecond: Answered) => void,
): Promise<Running> {
  const server = createServer((req, res) => {
    void (async () => {
      const body = await buffer(req);
      const [one, two] = await Promise.all([passOn(req, body, first), passOn(req, body, second)]);
      const { method = '', url: target = '', headers } = req;
      compare({ method, target, headers, body: body.toString() }, one, two);
      res.writeHead(one.status, one.headers).end(one.body);
    })().catch(() => res.destroy());
  });
  return { port: await listening(server), close: () => server.close() };
}

/** A connection for each request: one that is kept may be closed at the moment it is used again. */
const agent = new Agent();

function passOn(req: IncomingMessage, body: Buffer, port: number): Promise<Answered & { headers: string[] }> {
  const { method, url: path, rawHeaders: headers } = req;
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const { statusCode: status = 0, rawHeaders } = answer;
      buffer(answer).then((bytes) => resolve({ status, headers: rawHeaders, body: bytes.toString() }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

/** Bodies that flow over TLS, both ways. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { RequestContext, Upload } from '../../../src/engine/contract/handler-types';
import { makeCertificate, OPENSSL } from '../../support/certificate';
import { contractOf, handlersOf } from '../../support/contracts';
import { eventually } from '../../support/eventually';
import { describeWith } from '../../support/needs';
import { startService, type TestService } from '../../support/service';
import { temporaryFolder } from '../../support/temporary-folder';

const contract = contractOf(`
openapi: 3.2.0
info: { title: Flows, version: 1.0.0 }
paths:
  /events:
    get:
      operationId: listen
      responses: { '200': { description: Events., content: { text/event-stream: { itemSchema: { properties: { data: { type: string } } } } } } }
  /bytes:
    post:
      operationId: upload
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses: { '200': { description: Its size., content: { application/json: { schema: { type: integer } } } } }
`);

describeWith(OPENSSL, 'over TLS', () => {
  const folder = temporaryFolder();
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  let service: TestService;
  let listen: (context: RequestContext) => AsyncIterable<unknown>;
  beforeAll(async () => {
    makeCertificate(keyFile, certFile);
    service = await startService({
      contract,
      tls: { certFile, keyFile },
      handlers: handlersOf({
        listen: (_request, context) => ({ status: 200, body: listen(context) }),
        upload: async ({ body }) => {
          let size = 0;
          for await (const piece of body as Upload) size += piece.length;
          return { status: 200, body: size };
        },
      }),
      operationLimits: { upload: { bytes: 1e7 } },
    });
  });

  const send = (method: string, path: string, body?: Buffer, { port } = service): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = body && { 'Content-Type': 'application/octet-stream', 'Transfer-Encoding': 'chunked' };
      const ca = readFileSync(certFile);
      const options = { method, ca, agent: false, host: '127.0.0.1', servername: 'localhost', path, headers };
      request({ ...options, port }, resolve)
        .on('error', reject)
        .end(body);
    });

  it('events come one by one, and their generator ends when the client goes', async () => {
    let isOver = false;
    let go: () => void = () => undefined;
    listen = async function* ({ signal }) {
      yield { data: 'one' };
      await new Promise<void>((resolve) => (go = resolve));
      yield { data: 'two' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      isOver = true;
    };
    const answer = await send('GET', '/events');
    const came: string[] = [];
    for await (const chunk of answer) {
      came.push(String(chunk));
      go();
      if (came.length === 2) break;
    }
    expect(came).toEqual(['data: one\n\n', 'data: two\n\n']);
    await eventually(() => expect(isOver).toBe(true));
  });

  it('an event that breaks the contract ends the stream so that the client can tell', async () => {
    listen = async function* () {
      yield { data: 'one' };
      await Promise.resolve();
      yield { data: 2 };
    };
    const answer = await send('GET', '/events');
    await expect(answer.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('a client of HTTP/1.0 gets a reset where its answer is broken off', async () => {
    listen = async function* () {
      yield { data: 'one' };
      await Promise.reject(new Error('lost'));
    };
    const ca = readFileSync(certFile);
    const socket = connectTls({ port: service.port, host: '127.0.0.1', servername: 'localhost', ca });
    socket.resume().write('GET /events HTTP/1.0\r\n\r\n');
    await expect(once(socket, 'close')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('an upload comes whole, whatever its size', async () => {
    const answer = await send('POST', '/bytes', Buffer.alloc(5_000_000, 'a'));
    expect(String(Buffer.concat(await answer.toArray()))).toBe('5000000');
  });

  /** Handshakes that do not begin, by the addresses of their clients. */
  async function handshakes(port: number, clients: readonly string[]): Promise<Socket[]> {
    const open: Socket[] = [];
    for (const localAddress of clients) {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
      await once(socket, 'connect');
      open.push(socket);
    }
    return open;
  }

  it('of many handshakes those of the client that has most make room for others', async () => {
    const few = await startService({ tls: { certFile, keyFile }, limits: { connectionsMax: 8 } });
    const open = await handshakes(few.port, ['127.0.0.2', ...Array<string>(7).fill('127.0.0.1')]);
    await eventually(() =>
      expect(open.map(({ closed }) => closed)).toEqual([false, ...Array<boolean>(6).fill(true), false]),
    );
    for (const socket of open) socket.destroy();
    await few.close();
  });

  it('handshakes take a quarter of all connections, and the oldest is closed for a new one', async () => {
    const few = await startService({ tls: { certFile, keyFile }, docs: true, limits: { connectionsMax: 8 } });
    const open = await handshakes(few.port, Array<string>(8).fill('127.0.0.1'));
    await eventually(() =>
      expect(open.map(({ closed }) => closed)).toEqual([...Array<boolean>(6).fill(true), false, false]),
    );
    const answer = await send('GET', '/docs', undefined, few);
    expect(answer.statusCode).toBe(200);
    answer.destroy();
    for (const socket of open) socket.destroy();
  });
});

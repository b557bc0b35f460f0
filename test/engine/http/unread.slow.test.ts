/** Clients that send and do not read what is sent to them, or that go and cannot be seen to. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HandlerAnswer, RequestContext } from '../../../src/engine/contract/handler-types';
import { contractOf, handlersOf } from '../../support/contracts';
import { eventually } from '../../support/eventually';
import { type ServiceProcess, startEngine } from '../../support/process';
import { ask, plantRequest } from '../../support/raw';
import { descriptorsOf, residentMbOf } from '../../support/resources';
import { startService, type TestService } from '../../support/service';

/** A connection that is not read. */
async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  socket.on('error', () => undefined); // the server may close it
  await once(socket, 'connect');
  return socket;
}

describe('memory', () => {
  const BYTES_EACH = 64_000;
  const HEAP_MB = 64;
  const RESIDENT_MB_MAX = 400;
  const DESCRIPTORS_BESIDES_MAX = 50;

  let service: ServiceProcess;
  beforeEach(async () => {
    service = await startEngine({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
  });
  afterEach(async () => {
    service.kill('SIGKILL');
    await service.exited;
  });

  const post = (body: string, headers = {}): string => plantRequest(service, { body, headers }).toString();
  const oneByteChunks = '1\r\n \r\n'.repeat(BYTES_EACH / 6);
  it.each<[what: string, connections: number, request: (id: number) => string]>([
    ['that are refused', 20, () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['for a large page', 20, () => 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['that are refused before their body', 20, () => post('{}', { Authorization: 'Bearer wrong' })],
    ['that are accepted', 200, (id) => post(`{"id":${id},"name":"Ficus"}`)],
    [
      'with a body in chunks of one byte',
      200,
      () => post(oneByteChunks, { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
    ],
  ])(
    'does not grow with pipelined requests %s, and whose answers nobody reads',
    async (_what, connections, request) => {
      const port = Number(new URL(service.baseUrl).port);
      let id = 0;
      const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
      for (const socket of sockets) {
        const requests: string[] = [];
        for (let length = 0; length < BYTES_EACH; length += requests.at(-1)?.length ?? 0) requests.push(request(id++));
        socket.write(requests.join(''));
      }
      // Reading these comes after all that had arrived before.
      for (let times = 0; times < 3; times++) {
        const answer = await ask(port, plantRequest(service, { body: '{"id":-1,"name":"Ficus"}' }));
        expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
      }
      expect(residentMbOf(service.pid).max).toBeLessThan(RESIDENT_MB_MAX);
      expect(descriptorsOf(service.pid)).toBeLessThan(connections + DESCRIPTORS_BESIDES_MAX);
      for (const socket of sockets) socket.destroy();
    },
  );

  const PAGE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n';
  const headers = (length: number): string =>
    Array.from({ length: 190 }, (_, index) => `X${index}:${'x'.repeat(length)}\r\n`).join('');
  it.each([
    ['as many requests of tiny headers as are served at a time', `${PAGE}\r\n${`${PAGE}${headers(0)}\r\n`.repeat(15)}`],
    ['more large requests', `${PAGE}\r\n`.repeat(8) + `${PAGE}${headers(70)}\r\n`.repeat(18)],
  ])('does not grow with more clients than there is heap for, and %s of each', async (_what, flood) => {
    const port = Number(new URL(service.baseUrl).port);
    const sockets = await Promise.all(Array.from({ length: 600 }, () => open(port)));
    for (const socket of sockets) socket.write(flood);
    // Those who read nothing for a while make room for others.
    await eventually(async () => {
      const answer = await ask(port, plantRequest(service, { body: '{"id":-1,"name":"Ficus"}' }));
      expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    });
    expect(residentMbOf(service.pid).max).toBeLessThan(RESIDENT_MB_MAX);
    for (const socket of sockets) socket.destroy();
  });
});

describe('a client', () => {
  const SEND_MS = 1_000;
  const ANSWERS = 20;
  const name = 'x'.repeat(1_000_000);

  let service: TestService;
  let client: Socket;
  let served: Socket;
  const serve = async (limits: object = {}, answers = ANSWERS): Promise<void> => {
    const body = { name: name.repeat(ANSWERS / answers) };
    service = await startService({
      handlers: handlersOf({ createPlant: () => ({ status: 200, body }) }),
      limits: { sendMs: SEND_MS, ...limits },
    });
    const connection = once(service.server, 'connection');
    client = await open(service.port);
    [served] = (await connection) as [Socket];
    client.write(Buffer.concat(Array.from({ length: answers }, request)));
  };
  const request = (): Buffer => plantRequest(service, { body: '{"id":1,"name":"Ficus"}' });
  afterEach(async () => {
    client.destroy();
    await service.close();
  });

  it('that never reads its answers loses its connection', async () => {
    await serve();
    await once(served, 'close');
    expect(served.bytesWritten).toBeLessThan(ANSWERS * name.length);
  });

  it('that never reads its answers, and asks for a tunnel as well, loses its connection', async () => {
    await serve();
    client.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(served, 'close');
    expect(served.bytesWritten).toBeLessThan(ANSWERS * name.length);
  });

  it('that reads less in a second than it has to loses its connection', async () => {
    await serve({ sendBytesPerSecondMin: 1_000_000_000 });
    const reading = setInterval(() => client.read(10_000), SEND_MS / 100);
    await once(served, 'close');
    clearInterval(reading);
    expect(client.bytesRead).toBeLessThan(ANSWERS * name.length);
  });

  it('that reads a byte a second of a stream loses its connection, and its generator ends', async () => {
    const ended: string[] = [];
    const pieces = async function* () {
      try {
        for (;;) yield Promise.resolve(name);
      } finally {
        ended.push('the generator');
      }
    };
    service = await startService({
      contract: contractOf(`
openapi: 3.1.0
info: { title: Bytes, version: 1.0.0 }
paths: { /bytes: { get: { operationId: give, responses: { '200': { description: Bytes., content: { application/octet-stream: {} } } } } } }`),
      handlers: handlersOf({ give: () => ({ status: 200, body: pieces() }) }),
      limits: { sendMs: SEND_MS },
    });
    client = await open(service.port);
    client.write('GET /bytes HTTP/1.1\r\nHost: x\r\n\r\n');
    const reading = setInterval(() => client.read(1), 1_000);
    await eventually(() => expect(ended).toEqual(['the generator']));
    clearInterval(reading);
    await eventually(() => expect(service.logged.at(-1)).toMatchObject({ operation: 'give', status: 'aborted' }));
  });

  it('that reads nothing for longest loses its connection to a new one where as many are open as may be', async () => {
    await serve({ sendMs: 300_000, connectionsMax: 2 });
    await eventually(() => expect(served.writableLength).toBeGreaterThan(0));
    await sleep(4_500); // until this is noticed, of the first alone
    const connection = once(service.server, 'connection');
    const later = await open(service.port);
    const [laterServed] = (await connection) as [Socket];
    later.write(Buffer.concat(Array.from({ length: ANSWERS }, request)));
    await eventually(() => expect(laterServed.writableLength).toBeGreaterThan(0));
    expect(await ask(service.port, request())).toMatchObject({ status: 200, body: JSON.stringify({ name }) });
    expect([served.destroyed, laterServed.destroyed]).toEqual([true, false]);
    later.destroy();
  });

  it.each([
    ['many answers', ANSWERS],
    ['a single one', 1],
  ])('that reads all the time of %s keeps its connection, and the new one is closed', async (_what, answers) => {
    await serve({ sendMs: 300_000, connectionsMax: 1 }, answers);
    await eventually(() => expect(served.writableLength).toBeGreaterThan(0));
    const reading = setInterval(() => client.read(Math.min(client.readableLength, 100_000)), 100);
    await sleep(4_500); // several looks at who reads
    const refused = await open(service.port);
    await once(refused.resume(), 'close');
    expect([served.destroyed, served.writableLength > 0]).toEqual([false, true]);
    clearInterval(reading);
  });

  it('that sends its body most slowly loses its connection to a new one, and others go on', async () => {
    await serve({ connectionsMax: 2 });
    client.destroy();
    await eventually(() => expect(served.destroyed).toBe(true));
    const whole = plantRequest(service, { body: `{"id":1,"name":"Ficus"${' '.repeat(1_000)}}` });
    const spaces = whole.length - 1_001;
    const [slow, fast] = [await open(service.port), await open(service.port)];
    for (const each of [slow, fast]) each.write(whole.subarray(0, spaces));
    let times = 0;
    const sending = setInterval(() => {
      slow.write(' ');
      fast.write(' '.repeat(9));
      times++;
    }, 50);
    await sleep(2_500); // several looks at who sends
    expect(await ask(service.port, request())).toMatchObject({ status: 200, body: JSON.stringify({ name }) });
    slow.resume();
    await eventually(() => expect(slow.closed).toBe(true));
    clearInterval(sending);
    fast.write(whole.subarray(spaces + 9 * times));
    await once(fast, 'readable');
    expect(String(fast.read())).toMatch(/^HTTP\/1.1 200 /);
    fast.destroy();
  });

  it('that reads slowly gets them all, however long that takes', async () => {
    await serve();
    let received = 0;
    const start = performance.now();
    for (;;) {
      await sleep(SEND_MS / 100);
      const bytes = client.read() as Buffer | null;
      received += bytes?.length ?? 0;
      if (received > ANSWERS * name.length) break;
      if (served.destroyed) throw new Error(`the connection was closed after ${received} bytes`);
    }
    expect(performance.now() - start).toBeGreaterThan(SEND_MS);
  });
});

describe('a client that waits and is gone', () => {
  const GET = 'GET /changes HTTP/1.1\r\nHost: x\r\n';
  let [waiting, left] = [0, 0];
  let service: TestService;
  beforeAll(async () => {
    const contract = contractOf(`
paths: { /changes: { get: { operationId: watch, responses: { '204': { description: A change. } } } } }
`);
    const watch = async (_request: unknown, { signal }: RequestContext): Promise<HandlerAnswer> => {
      waiting++;
      await once(signal, 'abort');
      left++;
      return { status: 204 };
    };
    service = await startService({ contract, handlers: handlersOf({ watch }), limits: { sendMs: 1_000 } });
  });
  afterAll(() => service.close());

  it.each([
    ['behind a request alone', 1, `${GET}\r\n`],
    ['behind one with what is no request after it', 1, `${GET}\r\nhello\r\n\r\n`],
    ['behind one with headers that are too large after it', 1, `${GET}\r\n${GET}X: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['behind one with a body that nobody reads', 1, `${GET}Content-Length: 900000\r\n\r\n${'x'.repeat(500_000)}`],
    ['behind as many requests as are served at a time', 16, `${GET}\r\n`.repeat(17)],
  ])('%s is noticed, and its handlers are told', async (_what, count, bytes) => {
    [waiting, left] = [0, 0];
    const client = await open(service.port);
    client.write(bytes);
    await eventually(() => expect(waiting).toBe(count));
    client.resetAndDestroy();
    await eventually(() => expect(left).toBe(count));
  });

  it('without a word is asked for a sign of life', async () => {
    const client = await open(service.port);
    client.write(`${GET}\r\n`);
    await eventually(() => expect(timersOf(service.port)).toContain(KEEP_ALIVE));
    client.destroy();
  });
});

/** The kind of timer of a connection that the system asks for a sign of life, as /proc/net/tcp has it. */
const KEEP_ALIVE = '02';

/** The kinds of timers of the connections that a port has accepted. */
function timersOf(port: number): string[] {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return connections
    .filter(([, address, , state]) => address === local && state === '01')
    .map(([, , , , , timer = '']) => timer.slice(0, 2));
}

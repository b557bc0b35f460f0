/**
 * Bytes that no client would send, against the real program: pipelined requests, cut, doubled and mixed up, in any number of packets,
 * with connections that end at any point. Whatever comes, the process goes on and never answers 500.
 */
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../support/seeded';
import { type ServiceProcess, startEngine } from '../../support/process';
import { ask, plantRequest } from '../../support/raw';

const STREAMS = Number(process.env.STREAMS ?? 1_500);
const AT_ONCE = 50;
const PATIENCE_MS = 300;

const seed = Number(process.env.STREAMS_SEED ?? randomInt(2 ** 31));

/** A whole number from 0 to below `count`. */
type Below = (count: number) => number;

let service: ServiceProcess;
let port: number;
beforeAll(async () => {
  service = await startEngine({});
  port = Number(new URL(service.baseUrl).port);
});

/** What streams are made of: whole requests, and pieces that change what follows them. */
function pieces(below: Below): readonly string[] {
  const post = (parts: Parameters<typeof plantRequest>[1]): string => plantRequest(service, parts).toString('latin1');
  const body = `{"id":${below(1_000)},"name":"Ficus"}`;
  const chunked = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
  return [
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'HEAD /plants HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.0\r\n\r\n',
    'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    'GET /\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'POST /plants HTTP/2.0\r\nHost: x\r\n\r\n',
    'BREW /plants HTTP/1.1\r\nHost: x\r\n\r\n',
    'SOURCE /plants ICE/1.0\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    post({ body }),
    post({ body, headers: { Connection: 'close' } }),
    post({ body, headers: { Authorization: 'Bearer wrong' } }),
    post({ body, headers: { Authorization: undefined, 'Content-Length': '1000' } }),
    post({ body, headers: { Expect: '100-continue' } }),
    post({ headers: { Expect: '100-continue', 'Content-Length': '10' } }),
    post({ body, headers: { Expect: 'x' } }),
    post({ body: `${chunk}0\r\n\r\n`, headers: chunked }),
    post({ body: `${chunk}x`, headers: chunked }),
    post({ body: '1\r\n{\r\n'.repeat(50), headers: chunked }),
    post({ body: `0\r\nX-Trailer: x\r\n\r\n`, headers: chunked }),
    post({ body: 'x'.repeat(110_000) }),
    post({ headers: { 'Content-Length': '999999999' } }),
    post({ headers: { 'X-Long': 'x'.repeat(17_000) } }),
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(40),
    post({ body }).repeat(40),
    '\r\n',
    'POST /pla',
    chunk,
    '0\r\n\r\n',
  ];
}

function stream(below: Below): Buffer {
  const known = pieces(below);
  const text = Array.from({ length: 1 + below(6) }, () => known[below(known.length)] ?? '').join('');
  let bytes: Buffer = Buffer.from(text, 'latin1');
  for (let mutations = below(4); mutations > 0; mutations--) bytes = mutated(bytes, below);
  return bytes;
}

function mutated(bytes: Buffer, below: Below): Buffer {
  const [start, end] = [below(bytes.length), below(bytes.length)].sort((one, other) => one - other) as [number, number];
  switch (below(5)) {
    case 0: // another byte
      return Buffer.concat([bytes.subarray(0, start), Buffer.from([below(256)]), bytes.subarray(start + 1)]);
    case 1: // one byte less
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1)]);
    case 2: // cut out
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
    case 3: // twice
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
    default: // cut off
      return bytes.subarray(0, end);
  }
}

type Ending = 'half-close' | 'reset' | 'wait';

/** Sends the packets and resolves to what came back until the connection ended, or this test has waited long enough. */
function exchange(packets: readonly Buffer[], ending: Ending, below: Below): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    const send = async (): Promise<void> => {
      for (const packet of packets) {
        if (socket.writable) socket.write(packet);
        await sleep(below(3));
      }
      if (ending === 'half-close') socket.end();
      if (ending === 'reset') socket.resetAndDestroy();
    };
    socket.on('connect', () => void send());
  });
}

function packetsOf(bytes: Buffer, below: Below): Buffer[] {
  const cuts = Array.from({ length: below(4) }, () => below(bytes.length)).sort((one, other) => one - other);
  return [0, ...cuts].map((cut, index) => bytes.subarray(cut, cuts[index] ?? bytes.length));
}

const STATUSES = new Set(['100', '200', '400', '401', '404', '405', '408', '409', '413', '415', '417', '431', '505']);
const ENDINGS: readonly Ending[] = ['half-close', 'half-close', 'reset', 'wait'];

it(`${STREAMS} streams of bytes leave the program running (STREAMS_SEED=${seed})`, async () => {
  const wrong: string[] = [];
  let next = 0;
  const sendSome = async (): Promise<void> => {
    while (next < STREAMS) {
      // Each has a generator of its own, so that they do not depend on each other's timing.
      const random = seeded(seed + next++);
      const below: Below = (count) => Math.floor(random() * count);
      const bytes = stream(below);
      const received = await exchange(packetsOf(bytes, below), ENDINGS[below(ENDINGS.length)] ?? 'wait', below);
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d*) /g)].map(([, status = '']) => status);
      if (!statuses.every((status) => STATUSES.has(status)) || !/^(?:HTTP\/1\.1 |$)/.test(received))
        wrong.push(`${JSON.stringify(bytes.toString('latin1').slice(0, 2_000))} got ${received.slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));

  expect(wrong).toEqual([]);
  const body = '{"id":-1,"name":"Ficus"}';
  expect(await ask(port, plantRequest(service, { body }))).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
  service.kill('SIGTERM');
  expect(await service.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
}, 3_600_000);

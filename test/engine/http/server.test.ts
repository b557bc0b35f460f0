/** The server around any app; how it ends around that of a contract is in shutdown.test.ts. */
import express from 'express';
import { pino } from 'pino';
import { createServer } from '../../../src/engine/http/server';
import { RawConnection, stopsAccepting } from '../../support/raw';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server whose answers wait for `answer`. */
function waiting() {
  const answers: (() => void)[] = [];
  const app = express().use((_req, res) => {
    answers.push(() => res.writeHead(200, { 'Content-Length': 4 }).end('done'));
  });
  const server = createServer(app, pino({ level: 'silent' }));
  const arrived = async (count: number): Promise<void> => {
    for (let turns = 0; answers.length < count && turns < 10_000; turns++) await new Promise(setImmediate);
    expect(answers).toHaveLength(count);
  };
  return { server, answers, arrived };
}

describe('listen', () => {
  it('leaves the server running when a connection cannot be accepted', async () => {
    const { server, answers, arrived } = waiting();
    const port = await server.listen('127.0.0.1', 0);
    // Which happens where the system has no room for another connection.
    for (let times = 0; times < 2; times++) server.http.emit('error', new Error('accept ENFILE'));
    const connection = (await RawConnection.open(port)).send(GET);
    await arrived(1);
    for (const answer of answers) answer();
    expect(await connection.answer()).toMatchObject({ status: 200, body: 'done' });
    connection.destroy();
    await server.close(1_000);
  });
});

describe('close', () => {
  it('answers a request that comes on a connection that is busy, as its last', async () => {
    const { server, answers, arrived } = waiting();
    const port = await server.listen('127.0.0.1', 0);
    const connection = (await RawConnection.open(port)).send(GET);
    await arrived(1);
    const closed = server.close(60_000);
    await stopsAccepting(port);
    connection.send(GET);
    await arrived(2);
    for (const answer of answers) answer();
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await connection.closed()).toBe('');
    await closed;
  });
});

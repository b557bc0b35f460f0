import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
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
  it('resolves to the port that was picked', async () => {
    const { server } = waiting();
    const port = await server.listen('127.0.0.1', 0);
    expect(port).toBe((server.http.address() as AddressInfo).port);
    await server.close(1_000);
  });

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

  it('rejects where the port is taken', async () => {
    const holder: TcpServer = createTcpServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    await expect(waiting().server.listen('127.0.0.1', port)).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port} (listen EADDRINUSE: address already in use 127.0.0.1:${port}): expected HOST and PORT to be free for this process`,
    );
    holder.close();
  });
});

describe('close', () => {
  it('lets what is under way be answered, and takes no new connection', async () => {
    const { server, answers, arrived } = waiting();
    const port = await server.listen('127.0.0.1', 0);
    const busy = (await RawConnection.open(port)).send(GET);
    await arrived(1);

    const closed = server.close(60_000);
    await stopsAccepting(port);
    for (const answer of answers) answer();
    expect(await busy.answer()).toMatchObject({ status: 200, body: 'done' });
    expect(await busy.closed()).toBe('');
    await closed;
  });

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

  it('cuts a connection that has asked for a tunnel and waits for earlier answers', async () => {
    const { server, arrived } = waiting();
    const port = await server.listen('127.0.0.1', 0);
    const connection = (await RawConnection.open(port)).send(`${GET}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await arrived(1);
    await server.close(50);
    expect(await connection.closed()).toBe('');
  });

  it('cuts what is not answered in time', async () => {
    const { server, arrived } = waiting();
    const connection = (await RawConnection.open(await server.listen('127.0.0.1', 0))).send(GET);
    await arrived(1);
    await server.close(50);
    expect(await connection.closed()).toBe('');
  });
});

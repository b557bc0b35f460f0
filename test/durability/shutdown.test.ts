import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/plants/sqlite/driver';
import { type ServiceProcess, startProcess } from '../support/process';
import { plantRequest, RawConnection, stopsAccepting } from '../support/raw';
import { startService, type TestService } from '../support/service';
import { rowsOf } from '../support/store';
import { Ledger } from './ledger';
import { acknowledged, load, randomPlants, seeded } from './load';
import { closeServer } from '../../src/http/shutdown';

/** A connection on which the service has already answered. */
async function usedConnection(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await connection.answer()).toMatchObject({ status: 404, headers: { connection: 'keep-alive' } });
  return connection;
}

describe('a process that is signalled', () => {
  let folder: string;
  let file: string;
  let service: ServiceProcess;
  let port: number;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plants-'));
    file = join(folder, 'plants.db');
    service = await startProcess({ DATABASE_URL: `sqlite:${file}` });
    port = Number(new URL(service.baseUrl).port);
  });
  afterEach(async () => {
    service.kill('SIGKILL');
    await service.exited;
    rmSync(folder, { recursive: true });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'with %s under load closes every connection with an answer, and loses nothing',
    async (signal) => {
      const ledger = new Ledger();
      const ended = load(service, randomPlants(seeded(1)), ledger, 32);
      await acknowledged(ledger, 300);
      service.kill(signal);
      expect(await ended).toEqual(Array.from({ length: 32 }, () => 'closed'));
      expect(await service.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(ledger.faults(rowsOf(file))).toEqual([]);
      expect(ledger.unavailable).toBe(0);
    },
  );

  it('waits for a pending commit, answers all requests that wait for it, and checkpoints the log', async () => {
    const [one, other] = await Promise.all([usedConnection(port), usedConnection(port)]);
    const locking = openDatabase(file);
    locking.exec('BEGIN IMMEDIATE');
    const plants = ['Ficus', 'Hedera', 'Aloe'].map((name, index) => ({ id: BigInt(index), name }));
    const [ficus, hedera, aloe] = plants.map(({ id, name }) =>
      plantRequest(service, { body: `{"id":${id},"name":"${name}"}` }).toString(),
    );
    one.send(`${ficus}${hedera}`);
    other.send(`${aloe}`);
    service.kill('SIGTERM');
    await stopsAccepting(port);
    locking.exec('ROLLBACK');
    locking.close();
    expect(await one.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(await one.answer()).toMatchObject({ status: 200, body: '{"name":"Hedera"}' });
    expect(await other.answer()).toMatchObject({ status: 200, body: '{"name":"Aloe"}' });
    expect(await service.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
    for (const beside of ['-wal', '-shm']) rmSync(file + beside, { force: true });
    expect(rowsOf(file)).toEqual(plants.map((plant) => ({ ...plant, tag: null })));
  });

  it('exits at once on a second signal', async () => {
    const connection = await usedConnection(port);
    connection.send(plantRequest(service, { headers: { 'Content-Length': '100' } }));
    service.kill('SIGTERM');
    await stopsAccepting(port);
    service.kill('SIGINT');
    expect(await service.exited).toMatchObject({ code: 1, signal: null, stderr: '' });
    expect(await connection.closed()).toBe('');
  });
});

describe('a server that is closed', () => {
  let service: TestService;
  let connection: RawConnection;
  beforeEach(async () => {
    service = await startService();
    connection = await usedConnection(service.port);
  });
  afterEach(() => service.close());

  const ficus = (): Buffer => plantRequest(service, { body: '{"id":1,"name":"Ficus"}' });

  it('refuses connections', async () => {
    connection.destroy();
    const closed = closeServer(service.server, 10_000);
    await stopsAccepting(service.port);
    await closed;
  });

  it('answers a request that arrives on an idle connection, and closes it', async () => {
    const closed = closeServer(service.server, 10_000);
    await stopsAccepting(service.port);
    connection.send(ficus());
    expect(await connection.answer()).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
      body: '{"name":"Ficus"}',
    });
    expect(await connection.closed()).toBe('');
    await closed;
    expect(service.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  it('answers a request that waits for 100 Continue', async () => {
    const closed = closeServer(service.server, 10_000);
    await stopsAccepting(service.port);
    const body = '{"id":1,"name":"Ficus"}';
    connection.send(
      plantRequest(service, { headers: { Expect: '100-continue', 'Content-Length': String(body.length) } }),
    );
    expect(await connection.answer()).toMatchObject({ status: 100 });
    connection.send(body);
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await connection.closed()).toBe('');
    await closed;
  });

  it('answers a request that had arrived in part', async () => {
    connection.send(ficus().subarray(0, -10));
    await once(service.server, 'request');
    const closed = closeServer(service.server, 10_000);
    connection.send(ficus().subarray(-10));
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(await connection.closed()).toBe('');
    await closed;
    expect(service.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  it('does not wait for connections that are idle or unused', async () => {
    const [silent] = await Promise.all([RawConnection.open(service.port), once(service.server, 'connection')]);
    await closeServer(service.server, 10_000);
    expect(await connection.closed()).toBe('');
    expect(await silent.closed()).toBe('');
  });

  it('answers 408 to a request whose headers are incomplete', async () => {
    connection.send('POST /plants HT');
    await closeServer(service.server, 10_000);
    expect(await connection.answer()).toMatchObject({
      status: 408,
      headers: { connection: 'close' },
      body: '{"error":40801,"message":"the request did not arrive in time"}',
    });
    expect(await connection.closed()).toBe('');
  });

  it('destroys connections that are still busy after the grace period', async () => {
    connection.send(ficus().subarray(0, -10));
    await once(service.server, 'request');
    await closeServer(service.server, 50);
    expect(await connection.closed()).toBe('');
    expect(service.rows()).toEqual([]);
  });
});

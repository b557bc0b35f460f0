import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../src/plants/sqlite/driver';
import { messagesIn, type ServiceProcess, startProcess } from '../../support/process';
import { plantRequest, stopsAccepting, usedConnection } from '../../support/raw';
import { temporaryFolder } from '../../support/temporary-folder';
import { rowsOf } from '../support/store';
import { Ledger } from './ledger';
import { acknowledged, load, randomPlants } from './load';
import { seeded } from '../../support/seeded';

describe('a process that is signalled', () => {
  let file: string;
  let service: ServiceProcess;
  let port: number;
  beforeEach(async () => {
    file = join(temporaryFolder(), 'plants.db');
    service = await startProcess({ DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'error' });
    port = Number(new URL(service.baseUrl).port);
  });
  afterEach(async () => {
    service.kill('SIGKILL');
    await service.exited;
  });

  it('under load closes every connection with an answer, and loses nothing', async () => {
    const ledger = new Ledger();
    const ended = load(service, randomPlants(seeded(1)), ledger, 32);
    await acknowledged(ledger, 300);
    service.kill('SIGTERM');
    expect(await ended).toEqual(Array.from({ length: 32 }, () => 'closed'));
    expect(await service.exited).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(ledger.faults(rowsOf(file))).toEqual([]);
    expect(ledger.unavailable).toBe(0);
  });

  it('waits for a pending commit, and answers all requests that wait for it', async () => {
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
    expect(rowsOf(file)).toEqual(plants.map((plant) => ({ ...plant, tag: null })));
  });

  it('exits with 1 where its store has been removed, also if no create has met that', async () => {
    renameSync(file, `${file}.aside`);
    service.kill('SIGTERM');
    const { code, stderr } = await service.exited;
    expect(code).toBe(1);
    expect(messagesIn(stderr)).toMatch(/^the store \S+, its -wal or its -shm file was removed/);
  });

  it('exits at once on another signal, a second after the first', async () => {
    const connection = await usedConnection(port);
    connection.send(plantRequest(service, { headers: { 'Content-Length': '100' } }));
    service.kill('SIGTERM');
    await stopsAccepting(port);
    const again = setInterval(() => service.kill('SIGINT'), 100); // the first are taken for the same
    expect(await service.exited).toMatchObject({ code: 1, signal: null, stderr: '' });
    clearInterval(again);
    expect(await connection.closed()).toBe('');
  });
});

/** Several instances on one PostgreSQL, some of which are killed and started, and clients that repeat and collide. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PlantClient } from '../../support/plant-client';
import { Ledger } from '../durability/ledger';
import { acknowledged } from '../durability/load';
import { seeded } from '../../support/seeded';
import { describeWithServers, rowsIn } from '../../support/postgres';
import { PostgresServer } from '../../../scripts/postgres-server';
import { type ServiceProcess, startProcess, stopProcess } from '../../support/process';

const INSTANCES = 3;
const CLIENTS = 24;

describeWithServers('three instances on one PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await (await PostgresServer.create()).start();
  });
  afterAll(() => server.dispose());

  it('agree on one content for every id, whoever is killed, and never deadlock', async () => {
    const start = (): Promise<ServiceProcess> => startProcess({ DATABASE_URL: server.url() });
    const instances = await Promise.all(Array.from({ length: INSTANCES }, start));
    const ledger = new Ledger();
    const random = seeded(1);
    const below = (limit: number): number => Math.floor(random() * limit);
    let newest = 0;
    const ending = new AbortController();
    const goesOn = (): boolean => !ending.signal.aborted;

    const clients = Array.from({ length: CLIENTS }, async () => {
      while (goesOn()) {
        const service = instances[below(INSTANCES)];
        if (!service) throw new Error('there is no such instance');
        const client = new PlantClient(service);
        try {
          while (goesOn() && random() > 0.02) {
            // Ids that others create at this moment, with one of three contents each.
            const id = BigInt(random() < 0.3 ? ++newest : Math.max(0, newest - below(50)));
            await ledger.create(client, { id, name: `content ${below(3)}` });
          }
        } catch {
          await sleep(5); // this instance was killed
        } finally {
          client.close();
        }
      }
    });
    for (let victim = 0; victim < INSTANCES; victim++) {
      await acknowledged(ledger, ledger.acknowledgements + 150);
      instances[victim]?.kill('SIGKILL');
      await instances[victim]?.exited;
      await acknowledged(ledger, ledger.acknowledgements + 50);
      instances[victim] = await start();
    }
    ending.abort();
    await Promise.all(clients);

    const rows = await rowsIn(server.url());
    expect(ledger.faults(rows)).toEqual([]);
    expect(ledger.unavailable).toBe(0);
    expect(rows.length).toBeGreaterThan(100);
    expect(server.logged).not.toContain('deadlock');
    for (const service of instances) await stopProcess(service);
  });
});

/** What may happen to a PostgreSQL under load: no acknowledged plant is lost, none is there twice, and it passes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createAll } from '../../support/plant-client';
import { Ledger } from '../durability/ledger';
import { acknowledged } from '../durability/load';
import { eventually } from '../../support/eventually';
import { listening } from '../../support/ports';
import { describeWithServers, query, rowsIn } from '../../support/postgres';
import { PostgresServer } from '../../../scripts/postgres-server';
import { refusal, type ServiceProcess, startProcess, stopProcess } from '../../support/process';
import { temporaryFolder } from '../../support/temporary-folder';
import { createUntilStopped } from './clients';

/** The connections of the service: what they do is told apart from what tests do. */
const OURS = `application_name = 'plant-store'`;

describeWithServers('a PostgreSQL', () => {
  let server: PostgresServer;
  let ledger: Ledger;
  const sql = (text: string): Promise<Record<string, unknown>[]> => query(server.url(), text);
  beforeAll(async () => {
    server = await (await PostgresServer.create()).start();
  });
  beforeEach(() => {
    ledger = new Ledger();
  });
  afterAll(() => server.dispose());

  const dropTables = (): Promise<unknown> => sql('DROP TABLE plants, plants_migrations');

  /** Lets a fault happen under load; expects creates to be acknowledged again after it, and the store to have kept its word. */
  async function underLoad(service: ServiceProcess, fault: () => Promise<void>, rows = server.url()): Promise<void> {
    const load = createUntilStopped(service, ledger);
    await acknowledged(ledger, 200);
    await fault();
    await acknowledged(ledger, ledger.acknowledgements + 200);
    await load.stop();
    expect(ledger.faults(await rowsIn(rows))).toEqual([]);
  }

  /** Resolves when so many more creates were answered 503. */
  async function unavailable(count = 20): Promise<void> {
    const enough = ledger.unavailable + count;
    await eventually(() => expect(ledger.unavailable).toBeGreaterThanOrEqual(enough));
  }

  describe('under load', () => {
    let service: ServiceProcess;
    beforeAll(async () => {
      service = await startProcess({ DATABASE_URL: server.url() });
    });
    afterEach(() => sql('TRUNCATE plants'));
    afterAll(dropTables);

    it('loses its power and is started', () =>
      underLoad(service, async () => {
        await server.stop('immediate');
        await unavailable();
        await server.start();
      }));

    it('is restarted so quickly that nobody is told', async () => {
      await underLoad(service, async () => {
        await server.stop();
        await server.start();
      });
      expect(ledger.unavailable).toBe(0);
    });

    it('ends connections, one by one and all at once', async () => {
      await underLoad(service, async () => {
        for (let kill = 0; kill < 20; kill++) {
          await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS} LIMIT 1`);
          await sleep(5);
        }
        for (let kill = 0; kill < 5; kill++) {
          await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS}`);
          await sleep(20);
        }
      });
      expect(ledger.unavailable).toBe(0);
    });

    it('is frozen, and does not close a connection', () =>
      underLoad(service, async () => {
        server.freeze();
        await unavailable();
        server.thaw();
      }));

    it('gets another password, and the old one again', async () => {
      const { password } = new URL(server.url());
      await underLoad(service, async () => {
        await sql(`ALTER ROLE postgres PASSWORD 'another'`);
        const admin = server.url('', 'postgres:another');
        await query(admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS}`);
        await unavailable();
        await query(admin, `ALTER ROLE postgres PASSWORD '${password}'`);
      });
      expect(service.stderr).toContain('password authentication failed');
      expect(service.stderr).not.toContain(password);
    });

    it('is restarted while a transaction is in doubt, which others wait for and then see', async () => {
      await server.stop();
      await server.start({ max_prepared_transactions: '5' });
      const prepared = new Client({ connectionString: server.url() });
      await prepared.connect();
      await prepared.query(`BEGIN; INSERT INTO plants VALUES (1, 'Ficus'), (2, 'Hedera'); PREPARE TRANSACTION 'doubt'`);
      await prepared.end();
      const asked = [
        { id: 1n, name: 'Ficus' },
        { id: 2n, name: 'Aloe' },
      ];
      const statuses = async (): Promise<number[]> => (await createAll(service, asked)).map(({ status }) => status);
      expect(await statuses()).toEqual([503, 503]);
      await server.stop('immediate');
      await server.start({ max_prepared_transactions: '5' });
      expect(await statuses()).toEqual([503, 503]);
      await sql(`COMMIT PREPARED 'doubt'`);
      expect(await statuses()).toEqual([200, 409]);
      await server.stop();
      await server.start();
    });

    it('is frozen while the process ends, which answers all that wait before', async () => {
      server.freeze();
      const plants = Array.from({ length: 50 }, (_, id) => ({ id: BigInt(id), name: 'Ficus' }));
      const answers = createAll(service, plants);
      await sleep(500);
      const ended = stopProcess(service);
      expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([503]));
      await ended;
      server.thaw();
    });
  });

  it('has no connection left: 503, and 200 once there is one', async () => {
    await server.stop();
    await server.start({ max_connections: '8' });
    await sql(`CREATE ROLE app LOGIN PASSWORD 'app'`);
    await sql('GRANT CREATE ON SCHEMA public TO app');
    const url = server.url('', 'app:app');
    const service = await startProcess({ DATABASE_URL: url });
    const others: Client[] = [];
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS}`);
    for (;;) {
      const other = new Client({ connectionString: url });
      other.on('error', () => undefined);
      try {
        await other.connect();
      } catch (error) {
        expect(error).toMatchObject({ code: '53300' });
        break;
      }
      others.push(other);
    }
    const plant = { id: 1n, name: 'Ficus' };
    expect(await createAll(service, [plant])).toMatchObject([{ status: 503 }]);
    for (const other of others) await other.end();
    expect(await createAll(service, [plant])).toMatchObject([{ status: 200 }]);
    await stopProcess(service);
    await dropTables();
  });

  const disk = temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status === 0;
  afterAll(() => mounted && execFileSync('umount', [disk]));

  (mounted ? it : it.skip)('has its disk full: 503, loses nothing, and goes on once there is room', async () => {
    const { uid, gid } = server.identity;
    chownSync(disk, uid, gid);
    await sql(`CREATE TABLESPACE small LOCATION '${disk}'`);
    const service = await startProcess({ DATABASE_URL: server.url('options=-c%20default_tablespace%3Dsmall') });
    const ballast = join(disk, 'ballast');
    await underLoad(service, async () => {
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      await unavailable(50);
      rmSync(ballast);
    });
    expect(service.stderr).toContain('"code":"53100"'); // disk_full, whatever the version writes of it
    await stopProcess(service);
    await dropTables();
    await sql('DROP TABLESPACE small');
  });

  it('that is not there is waited for at the start', async () => {
    await server.stop();
    const message = 'cannot be opened yet: connect ECONNREFUSED';
    let starting: Promise<ServiceProcess> | undefined;
    await new Promise<void>((resolve, reject) => {
      starting = startProcess({ DATABASE_URL: server.url() }, (stderr) => {
        if (stderr.includes(message)) resolve();
      });
      starting.then(() => reject(new Error('it listens without a database')), reject);
    });
    await server.start();
    const service = await starting;
    if (!service) throw new Error('it was not started');
    expect(service.stderr).toContain(message);
    expect(await createAll(service, [{ id: 1n, name: 'Ficus' }])).toMatchObject([{ status: 200 }]);
    await stopProcess(service);
    await dropTables();
  });

  it('that fails over to a synchronous standby, which takes its address, loses nothing', async () => {
    await server.stop();
    const standby = await PostgresServer.create({ copyOf: server });
    const address = new Address(server.port);
    try {
      appendFileSync(join(standby.data, 'standby.signal'), '');
      await server.start({ synchronous_standby_names: '*' });
      const { port, username, password } = new URL(server.url());
      await standby.start({ primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}` });
      expect((await refusal({ DATABASE_URL: standby.url() }, [], process.env.PROGRAM)).stderr).toContain(
        'cannot be opened: it is read-only',
      );

      const url = server.url().replace(String(server.port), String(await address.open()));
      const service = await startProcess({ DATABASE_URL: url });
      const failOver = async (): Promise<void> => {
        await server.stop('immediate');
        await address.moveTo(standby.port);
        await sleep(500); // so long the address is that of a standby
        await query(standby.url(), 'SELECT pg_promote()');
      };
      await underLoad(service, failOver, standby.url());
      await stopProcess(service);
    } finally {
      address.close();
      await standby.dispose();
    }
  });
});

/** An address behind which there is one server, and later another. */
class Address {
  private readonly connections = new Set<Socket>();

  private readonly listener = createServer();

  constructor(private target: number) {
    this.listener.on('connection', (socket) => {
      const other = connect(this.target, '127.0.0.1');
      for (const each of [socket, other]) {
        this.connections.add(each);
        each
          .on('error', () => undefined)
          .on('close', () => {
            socket.destroy();
            other.destroy();
            this.connections.delete(each);
          });
      }
      socket.pipe(other).pipe(socket);
    });
  }

  /** Resolves to its port. */
  open(): Promise<number> {
    return listening(this.listener);
  }

  async moveTo(target: number): Promise<void> {
    this.target = target;
    for (const socket of this.connections) socket.destroy();
    await sleep(0);
  }

  close(): void {
    for (const socket of this.connections) socket.destroy();
    this.listener.close();
  }
}

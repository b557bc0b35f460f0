/** What may happen to a PostgreSQL under load: no acknowledged plant is lost, none is there twice, and it passes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createAll } from '../../support/plant-client';
import { Ledger } from '../durability/ledger';
import { acknowledged } from '../durability/load';
import { describeWithServers, query, rowsIn } from '../../support/postgres';
import { PostgresServer } from '../../../scripts/postgres-server';
import { refusal, type ServiceProcess, startProcess } from '../../support/process';
import { createUntilStopped } from './clients';

/** Another address of the service's own connections: what they do is told apart from what tests do. */
const OURS = `application_name = 'plant-store'`;

describeWithServers('a PostgreSQL under load', () => {
  let server: PostgresServer;
  let service: ServiceProcess;
  let ledger: Ledger;
  const env = (): { DATABASE_URL: string } => ({ DATABASE_URL: server.url() });
  const sql = (text: string): Promise<Record<string, unknown>[]> => query(server.url(), text);
  beforeAll(async () => {
    server = await PostgresServer.create();
  });
  beforeEach(async () => {
    await server.start();
    service = await startProcess(env());
    ledger = new Ledger();
  });
  afterEach(async () => {
    service.kill('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
    await sql('DROP TABLE plants, plants_migrations');
    await server.stop();
  });
  afterAll(() => server.dispose());

  /** Lets a fault happen under load; expects creates to be acknowledged again after it, and the store to have kept its word. */
  async function underLoad(fault: () => Promise<void>): Promise<void> {
    const load = createUntilStopped(service, ledger);
    await acknowledged(ledger, 200);
    await fault();
    await acknowledged(ledger, ledger.acknowledgements + 200);
    await load.stop();
    expect(ledger.faults(await rowsIn(server.url()))).toEqual([]);
  }

  /** Resolves when so many creates were answered 503 since. */
  async function unavailable(count = 20): Promise<void> {
    const enough = ledger.unavailable + count;
    const deadline = performance.now() + 30_000;
    while (ledger.unavailable < enough) {
      if (performance.now() > deadline) throw new Error(`no more than ${ledger.unavailable} creates were 503`);
      await sleep(10);
    }
  }

  it.each(['fast', 'immediate'] as const)('is stopped (%s) and started', async (mode) => {
    await underLoad(async () => {
      await server.stop(mode);
      await unavailable();
      await server.start();
    });
  });

  it('is restarted so quickly that nobody is told', async () => {
    await underLoad(async () => {
      await server.stop();
      await server.start();
    });
    expect(ledger.unavailable).toBe(0);
  });

  it('ends connections, one by one and all at once', async () => {
    await underLoad(async () => {
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

  it('is frozen, and does not close a connection', async () => {
    await underLoad(async () => {
      server.freeze();
      await unavailable();
      server.thaw();
    });
  });

  it('answers all that wait while it is frozen before the process ends', async () => {
    server.freeze();
    const plants = Array.from({ length: 50 }, (_, id) => ({ id: BigInt(id), name: 'Ficus' }));
    const answers = createAll(service, plants);
    await sleep(500);
    service.kill('SIGTERM');
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([503]));
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
    server.thaw();
  });

  it('cancels statements', async () => {
    await underLoad(async () => {
      const until = performance.now() + 300;
      while (performance.now() < until) {
        await sql(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${OURS} AND state = 'active'`);
      }
    });
  });

  it('gets another password, and the old one again', async () => {
    const { pathname, password } = new URL(server.url());
    expect(pathname).toBe('/postgres');
    await underLoad(async () => {
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
});

describeWithServers('a PostgreSQL that is short of something', () => {
  it('has no connection left: 503, and 200 once there is one', async () => {
    const server = await (await PostgresServer.create({ settings: { max_connections: '8' } })).start();
    try {
      await query(server.url(), `CREATE ROLE app LOGIN PASSWORD 'app'`);
      await query(server.url(), 'GRANT CREATE ON SCHEMA public TO app');
      const url = server.url('', 'app:app');
      const service = await startProcess({ DATABASE_URL: url });
      const others: Client[] = [];
      await query(server.url(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS}`);
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
      service.kill('SIGTERM');
      expect(await service.exited).toMatchObject({ code: 0 });
    } finally {
      await server.dispose();
    }
  });

  const disk = mkdtempSync(join(tmpdir(), 'plants-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status === 0;
  afterAll(() => {
    if (mounted) execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  (mounted ? it : it.skip)('has its disk full: 503, loses nothing, and goes on once there is room', async () => {
    const server = await (await PostgresServer.create()).start();
    try {
      const { uid, gid } = server.identity;
      chownSync(disk, uid, gid);
      await query(server.url(), `CREATE TABLESPACE small LOCATION '${disk}'`);
      const url = server.url('options=-c%20default_tablespace%3Dsmall');
      const service = await startProcess({ DATABASE_URL: url });
      const ballast = join(disk, 'ballast');
      writeFileSync(ballast, Buffer.alloc(3_000_000));
      const ledger = new Ledger();
      const load = createUntilStopped(service, ledger);
      const deadline = performance.now() + 60_000;
      while (ledger.unavailable < 50 && performance.now() < deadline) await sleep(10);
      expect(ledger.unavailable).toBeGreaterThanOrEqual(50);
      rmSync(ballast);
      await acknowledged(ledger, ledger.acknowledgements + 200);
      await load.stop();
      expect(ledger.faults(await rowsIn(url))).toEqual([]);
      expect(service.stderr).toContain('"code":"53100"'); // disk_full, whatever the version writes of it
      service.kill('SIGTERM');
      expect(await service.exited).toMatchObject({ code: 0 });
    } finally {
      await server.dispose();
    }
  });
});

describeWithServers('a PostgreSQL that is not there', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create();
  });
  afterAll(() => server.dispose());

  it('is waited for at the start', async () => {
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
    service.kill('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0 });
  });

  it('or does not let us in, is said in one line', async () => {
    const { code, stdout, stderr } = await refusal(
      { DATABASE_URL: server.url('', 'postgres:wrong-secret') },
      [],
      process.env.PROGRAM,
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `the store postgres://127.0.0.1:${server.port}/postgres cannot be opened: password authentication failed for ` +
        'user "postgres". Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf\n',
    });
  });
});

describeWithServers('a failover', () => {
  it('to a synchronous standby that takes the address loses nothing', async () => {
    const primary = await (await PostgresServer.create({ settings: { wal_level: 'replica' } })).start();
    await primary.stop();
    const standby = await PostgresServer.create({ copyOf: primary });
    const address = await Address.open(primary.port);
    try {
      appendFileSync(join(standby.data, 'standby.signal'), '');
      await primary.start({ synchronous_standby_names: '*' });
      const { port, username, password } = new URL(primary.url());
      await standby.start({
        primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
      });
      expect((await refusal({ DATABASE_URL: standby.url() }, [], process.env.PROGRAM)).stderr).toContain(
        'cannot be opened: it is read-only',
      );

      const url = primary.url().replace(String(primary.port), String(address.port));
      const service = await startProcess({ DATABASE_URL: url });
      const ledger = new Ledger();
      const load = createUntilStopped(service, ledger);
      await acknowledged(ledger, 200);
      await primary.stop('immediate');
      await address.moveTo(standby.port);
      await sleep(500); // so long the address is that of a standby
      await query(standby.url(), 'SELECT pg_promote()');
      await acknowledged(ledger, ledger.acknowledgements + 200);
      await load.stop();
      expect(ledger.faults(await rowsIn(standby.url()))).toEqual([]);
      service.kill('SIGTERM');
      expect(await service.exited).toMatchObject({ code: 0 });
    } finally {
      address.close();
      await standby.dispose();
      await primary.dispose();
    }
  });
});

/** An address behind which there is one server, and later another. */
class Address {
  private readonly connections = new Set<Socket>();

  private constructor(
    private readonly listener: ReturnType<typeof createServer>,
    private target: number,
  ) {
    listener.on('connection', (socket: Socket) => {
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

  static async open(target: number): Promise<Address> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new Address(listener, target);
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
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

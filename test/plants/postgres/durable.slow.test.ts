/** The store on a server with faults: what it has acknowledged is on disk, and what it has given up does not stay in the server. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PostgresServer } from '../../../scripts/postgres-server';
import { openPostgresStore } from '../../../src/plants/postgres/store';
import { eventually } from '../../support/eventually';
import { listening } from '../../support/ports';
import { describeWithServers, query, rowsIn } from '../../support/postgres';
import { refusal } from './refusal';

jest.setTimeout(120_000);

const OURS = `application_name = 'plant-store'`;
const plant = { id: 1n, name: 'Ficus' };
/** The settings that tests change. */
const SETTINGS = ['fsync', 'default_transaction_read_only', 'synchronous_commit', 'synchronous_standby_names'];
/** The settings of a session that changes the server, whatever state that is in. */
const ADMINISTRATION = '-c synchronous_commit=local -c default_transaction_read_only=off';

describeWithServers('the PostgreSQL store, on a server with faults', () => {
  let server: PostgresServer;
  let store: Awaited<ReturnType<typeof openPostgresStore>>;
  const sql = (text: string) => query(server.url(`options=${encodeURIComponent(ADMINISTRATION)}`), text);
  beforeAll(async () => {
    // What is committed without a sync stays in memory for this long.
    server = await (await PostgresServer.create({ settings: { wal_writer_delay: '10s' } })).start();
  });
  beforeEach(async () => {
    store = await openPostgresStore(server.url(), { retryMs: 5_000 });
  });
  afterEach(async () => {
    await store.close();
    for (const name of SETTINGS) await set(name, null);
    await sql('DROP TABLE plants, plants_migrations');
  });
  afterAll(() => server.dispose());

  /** Changes a setting while the server runs; null is its default. The processes of the server take it one after another. */
  async function set(name: string, value: string | null): Promise<void> {
    await sql(value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`);
    await sql('SELECT pg_reload_conf()');
  }

  /** The measurement without its prefix; 0 where there is none. */
  const measured = (name: string): number => store.measure().find((each) => each.name === `store_${name}`)?.value ?? 0;

  /** Resolves when a statement of the store waits in the server like this. */
  const storeWaits = (how: string): Promise<void> =>
    eventually(async () => {
      expect(await sql(`SELECT FROM pg_stat_activity WHERE ${OURS} AND ${how}`)).not.toEqual([]);
    });

  async function lockTable(): Promise<Client> {
    const other = new Client({ connectionString: server.url() });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE plants');
    return other;
  }

  it('loses nothing where synchronous_commit is switched off while it serves', async () => {
    await store.addAll([plant]);
    await set('synchronous_commit', 'off');
    await sleep(500);
    expect(await store.addAll([{ id: 2n, name: 'Aloe' }])).toEqual(['stored']);
    await server.stop('immediate');
    await server.start();
    expect(await rowsIn(server.url())).toMatchObject([{ id: 1n }, { id: 2n }]);
    await expect(store.addAll([{ id: 3n, name: 'Hedera' }])).rejects.toThrow(
      /^the store postgres:\S+: it is not durable: with synchronous_commit = off a plant that was answered 200 could be lost/,
    );
  });

  it('has on disk what it finds there, though another program has stored it without a sync', async () => {
    await query(server.url('options=-c%20synchronous_commit%3Doff'), `INSERT INTO plants VALUES (1, 'Ficus')`);
    expect(await store.addAll([plant])).toEqual(['replayed']);
    await server.stop('immediate');
    await server.start();
    expect(await rowsIn(server.url())).toMatchObject([{ id: 1n }]);
  });

  it('keeps to the table that it has found, whatever search path its later connections have', async () => {
    await store.addAll([plant]);
    await sql('CREATE SCHEMA other');
    try {
      await sql('CREATE TABLE other.plants (LIKE public.plants INCLUDING ALL)');
      await sql('ALTER ROLE CURRENT_USER SET search_path = other');
      await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS}`);
      expect(await store.addAll([plant, { id: 2n, name: 'Aloe' }])).toEqual(['replayed', 'stored']);
      await store.ready();
      expect(await store.page(0n, 9)).toMatchObject([{ id: 1n }, { id: 2n }]);
      expect(await sql('SELECT FROM other.plants')).toEqual([]);
    } finally {
      await sql('ALTER ROLE CURRENT_USER RESET search_path');
      await sql('DROP SCHEMA other CASCADE');
    }
  });

  it.each([
    ['removed', 'DELETE FROM plants'],
    ['changed', 'UPDATE plants SET name = upper(name)'],
  ])(
    'acknowledges no plant that was %s by a trigger which is gone as soon as it has been stored',
    async (_how, does) => {
      await sql(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${does} WHERE id = NEW.id; PERFORM pg_sleep(1); RETURN NULL; END $$`);
      await sql('CREATE TRIGGER spoil AFTER INSERT ON plants FOR EACH ROW EXECUTE FUNCTION spoil()');
      const added = expect(store.addAll([plant])).rejects.toThrow(
        'it has stored another plant than was sent, with id 1',
      );
      await storeWaits(`wait_event = 'PgSleep'`);
      await sql('DROP TRIGGER spoil ON plants');
      await added;
      await sql('DROP FUNCTION spoil');
      await store.ready();
    },
  );

  it('acknowledges nothing, new or there already, while fsync is switched off', async () => {
    const impatient = await openPostgresStore(server.url(), { retryMs: 0, connections: 1 });
    await impatient.addAll([plant]);
    await set('fsync', 'off');
    const unsafe = 'with fsync = off a plant that was answered 200 could be lost';
    let id = 1_000n;
    await eventually(() => expect(impatient.addAll([{ id: id++, name: 'Aloe' }])).rejects.toThrow(unsafe));
    await set('fsync', null);
    await eventually(async () => expect(await impatient.addAll([{ id: id++, name: 'Aloe' }])).toEqual(['stored']));
    await set('fsync', 'off');
    await eventually(() => expect(impatient.addAll([plant])).rejects.toThrow(unsafe));
    expect(await refusal(server.url())).toBe(
      `it is not durable: ${unsafe}. Change that for this server, database and user`,
    );
    await impatient.close();
  });

  it.each([
    ['fsync', 'off', 'it is not durable: with fsync = off'],
    ['default_transaction_read_only', 'on', 'it is read-only'],
  ])('is not ready while %s is %s, before a plant was refused for it', async (name, value, reason) => {
    const single = await openPostgresStore(server.url(), { connections: 1 });
    await single.ready();
    await set(name, value);
    await eventually(() => expect(single.ready()).rejects.toThrow(reason));
    await set(name, null);
    await eventually(() => single.ready());
    await single.close();
  });

  it('sends a batch again whose connection was ended, and counts both', async () => {
    const other = await lockTable();
    const outcomes = store.addAll([plant]);
    await storeWaits(`wait_event_type = 'Lock'`);
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OURS}`);
    await other.end();
    expect(await outcomes).toEqual(['stored']);
    expect(measured('batches_retried_total')).toBeGreaterThanOrEqual(1);
    expect(measured('connections_lost_total')).toBeGreaterThanOrEqual(1);
    expect(measured('connections')).toBeGreaterThanOrEqual(1);
    expect(measured('connections_used')).toBe(0);
    expect(store.measure()).toContainEqual(expect.objectContaining({ labels: { sqlstate: '57P01' }, value: 1 }));
  });

  it('gives a batch up whose statement takes too long, without sending it again', async () => {
    const other = await lockTable();
    await expect(store.addAll([plant])).rejects.toMatchObject({
      code: '57014',
      message: `the store postgres://127.0.0.1:${server.port}/postgres: canceling statement due to statement timeout`,
    });
    await other.end();
    expect(await store.find([1n])).toEqual(new Map());
    expect(measured('batches_failed_total')).toBe(1);
  });

  it('does not take a warning for a success: the standby does not have what was committed, nor what is read', async () => {
    await sql('ALTER ROLE postgres SET client_min_messages = error'); // hides the warning, unless a session says otherwise
    const careful = await openPostgresStore(server.url(), { retryMs: 500 });
    await sql('ALTER ROLE postgres RESET client_min_messages');
    await set('synchronous_standby_names', 'nobody');
    const outcomeOf = async (id: bigint): Promise<unknown> => {
      let outcome: unknown;
      void careful.addAll([{ id, name: 'Ficus' }]).then(
        () => (outcome = 'stored'),
        (error: unknown) => (outcome = error),
      );
      // Each statement of a batch may wait.
      while (outcome === undefined) {
        await sql(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${OURS} AND wait_event = 'SyncRep'`);
        await sleep(10);
      }
      return outcome;
    };
    // The processes of the server take the setting one after another.
    for (let id = 1_000n; (await outcomeOf(id)) === 'stored'; id++);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(String(await outcomeOf(1n))).toContain('the server warned: canceling wait for synchronous replication');
    }
    // A primary that was restarted while a commit waited shows the row from then on.
    const waiting = { id: 2n, name: 'Aloe' };
    const lost = expect(careful.addAll([waiting])).rejects.toThrow();
    await storeWaits(`wait_event = 'SyncRep'`);
    await server.stop('immediate');
    await lost;
    await server.start();
    expect(await rowsIn(server.url())).toContainEqual({ ...waiting, tag: null });
    await expect(careful.addAll([waiting])).rejects.toThrow('Query read timeout');
    await set('synchronous_standby_names', null);
    await eventually(async () => expect(await careful.addAll([plant, waiting])).toEqual(['replayed', 'replayed']));
    await careful.close();
  });

  it('stores the plants of an instance that is gone in the middle of its batch for another one, once the server has noticed', async () => {
    const replies = new Set<Socket>();
    const front = createServer((socket) => {
      const other = connect(server.port, '127.0.0.1');
      for (const each of [socket, other]) each.on('error', () => undefined);
      socket.pipe(other).pipe(socket);
      replies.add(other);
    });
    const url = server.url('statement_timeout=60000').replace(`:${server.port}`, `:${await listening(front)}`);
    const gone = await openPostgresStore(url, { retryMs: 0, connections: 1 });
    for (const reply of replies) reply.unpipe().pause();
    // More than the buffers of a connection hold, so that the server waits in the middle of its transaction.
    const plants = Array.from({ length: 500 }, (_, id) => ({ id: BigInt(id), name: 'a'.repeat(50_000) }));
    try {
      const lost = expect(gone.addAll(plants)).rejects.toThrow('Query read timeout');
      await storeWaits(`wait_event = 'ClientWrite'`);
      await lost;
      await eventually(async () => expect(await store.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['stored']));
    } finally {
      await gone.close();
      front.close();
    }
  });

  it('takes a warning for a failure, unless it is that transaction ids run out', async () => {
    let said: readonly string[] = [];
    const front = createServer((socket) => {
      const other = connect(server.port, '127.0.0.1');
      for (const each of [socket, other]) each.on('error', () => undefined);
      socket.pipe(other).on('data', (chunk) => void socket.write(Buffer.concat([notice(said), chunk])));
    });
    const url = server.url().replace(`:${server.port}`, `:${await listening(front)}`);
    const behind = await openPostgresStore(url, { retryMs: 0 });
    try {
      said = ['SWARNING', 'C01000', 'MDatenbank »postgres« muss gevacuumt werden', 'RGetNewTransactionId'];
      expect(await behind.addAll([plant])).toEqual(['stored']);
      said = ['SWARNING', 'C01000', 'Mdatabase "postgres" must be vacuumed within 40000000 transactions', 'RofCitus'];
      expect(await behind.addAll([plant])).toEqual(['replayed']);
      said = ['SWARNING', 'C01000', 'Mit is not on the standby', 'RSyncRepWaitForLSN'];
      await expect(behind.addAll([plant])).rejects.toThrow('the server warned: it is not on the standby');
    } finally {
      await behind.close();
      front.close();
    }
  });

  it('gives up a migration whose commit its standby does not confirm, and leaves nothing of it in the server', async () => {
    await set('synchronous_standby_names', 'nobody');
    const told: string[] = [];
    const warn = (text: string): void => void told.push(text);
    // The processes of the server take the setting one after another.
    await eventually(async () => {
      await sql('DROP SCHEMA IF EXISTS other CASCADE');
      await sql('CREATE SCHEMA other');
      const url = server.url('options=-c%20search_path%3Dother');
      expect(await refusal(url, { openWaitMs: 300, warn })).toBe(
        'it has not confirmed the commit of its migration. See pg_stat_activity for what is waited for, such as a synchronous standby',
      );
    });
    expect(told.at(-1)).toBe(
      `the store ${store.description.store}: its migration takes long. See pg_stat_activity for what is waited for`,
    );
    await eventually(async () =>
      expect(await sql(`SELECT FROM pg_stat_activity WHERE ${OURS} AND state = 'active'`)).toEqual([]),
    );
    await sql('DROP SCHEMA other CASCADE');
  });

  it('gives up a migration whose connection swallows what it is sent', async () => {
    const front = createServer((socket) => {
      const other = connect(server.port, '127.0.0.1');
      for (const each of [socket, other]) each.on('error', () => undefined);
      let isSwallowed = false;
      socket.on('data', (chunk) => {
        isSwallowed ||= chunk.includes('pg_advisory_xact_lock');
        if (!isSwallowed) other.write(chunk);
      });
      other.on('data', (chunk) => void (isSwallowed || socket.write(chunk)));
    });
    try {
      await sql('CREATE SCHEMA other');
      const query = 'options=-c%20search_path%3Dother';
      const url = server.url(query).replace(`:${server.port}`, `:${await listening(front)}`);
      expect(await refusal(url)).toMatch(/^it does not answer \(Query read timeout\)\. See its load, /);
    } finally {
      front.close();
      await sql('DROP SCHEMA other CASCADE');
    }
  });

  it.each([
    ['that is garbled', Buffer.from('D\0\0\0\x06\0\x01', 'latin1')],
    ['to authenticate by GSSAPI', Buffer.from('R\0\0\0\x08\0\0\0\x07', 'latin1')],
  ])('outlives a reply %s, and goes on on another connection', async (_what, reply) => {
    let isGarbled = false;
    const front = createServer((socket) => {
      const other = connect(server.port, '127.0.0.1');
      for (const each of [socket, other]) each.on('error', () => undefined);
      socket.pipe(other).on('data', (chunk) => void socket.write(isGarbled ? reply : chunk));
    });
    const url = server.url().replace(`:${server.port}`, `:${await listening(front)}`);
    const behind = await openPostgresStore(url, { retryMs: 0 });
    try {
      isGarbled = true;
      for (const id of [1n, 2n]) await expect(behind.addAll([{ id, name: 'Ficus' }])).rejects.toThrow();
      isGarbled = false;
      await eventually(async () => expect(await behind.addAll([plant])).toEqual(['replayed']));
    } finally {
      await behind.close();
      front.close();
    }
  });

  it('goes on with a connection that was ready too late for the batch that has waited for it', async () => {
    let letPass: () => void = () => undefined;
    let passed = Promise.resolve();
    const front = createServer((socket) => {
      const other = connect(server.port, '127.0.0.1');
      for (const each of [socket, other]) each.on('error', () => undefined);
      socket.on('data', (chunk) => {
        if (chunk.includes('tcp_user_timeout')) void passed.then(() => other.write(chunk));
        else other.write(chunk);
      });
      other.pipe(socket);
    });
    const url = server.url('statement_timeout=500').replace(`:${server.port}`, `:${await listening(front)}`);
    const behind = await openPostgresStore(url, { retryMs: 0, connections: 1 });
    const other = await lockTable();
    try {
      passed = new Promise((resolve) => (letPass = resolve));
      const [first, second] = [1n, 2n].map((id) => behind.addAll([{ id, name: 'Ficus' }]));
      await expect(first).rejects.toThrow('statement timeout');
      await expect(second).rejects.toThrow('timeout exceeded when trying to connect');
      letPass();
      await other.end();
      expect(await behind.addAll([plant])).toEqual(['stored']);
    } finally {
      letPass();
      await other.end();
      await behind.close();
      front.close();
    }
  });

  it('is ready while its batches wait for a transaction of somebody else', async () => {
    const one = await openPostgresStore(server.url(), { connections: 1 });
    const other = new Client({ connectionString: server.url() });
    await other.connect();
    await other.query("BEGIN; INSERT INTO plants (id, name) VALUES (1, 'Aloe')");
    try {
      const added = one.addAll([plant]);
      await storeWaits(`wait_event_type = 'Lock'`);
      await Promise.all(Array.from({ length: 50 }, () => one.ready()));
      expect(one.measure()).toContainEqual(expect.objectContaining({ name: 'store_connections', value: 2 }));
      await other.end();
      expect(await added).toEqual(['stored']);
    } finally {
      await other.end();
      await one.close();
    }
  });

  it('leaves nothing of a batch that it has given up in the server', async () => {
    const impatient = await openPostgresStore(server.url('query_timeout=200'), { retryMs: 0 });
    await impatient.addAll([plant]);
    await set('synchronous_standby_names', 'nobody');
    await eventually(() => expect(impatient.addAll([plant])).rejects.toThrow('Query read timeout'));
    for (let id = 2n; id < 7n; id++) {
      await expect(impatient.addAll([{ id, name: 'Aloe' }])).rejects.toThrow('Query read timeout');
    }
    await eventually(async () =>
      expect(await sql(`SELECT wait_event FROM pg_stat_activity WHERE ${OURS} AND state = 'active'`)).toEqual([]),
    );
    expect(impatient.measure()).toContainEqual(
      expect.objectContaining({ name: 'store_batches_abandoned_total', value: 6 }),
    );
    await impatient.close();
  });

  it('sends no more batches after those that the server did not end, and is not ready, until it has ended them', async () => {
    // In front of the server, something that does not pass on what comes alone: the request to cancel.
    const front = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (first) => {
          if (first.length === 16) return;
          const other = connect(server.port, '127.0.0.1').on('error', () => undefined);
          other.write(first);
          socket.pipe(other).pipe(socket);
        });
    });
    const url = server.url('query_timeout=200').replace(`:${server.port}`, `:${await listening(front)}`);
    const impatient = await openPostgresStore(url, { retryMs: 0, connections: 5 });
    await set('synchronous_standby_names', 'nobody');
    try {
      let id = 1n;
      const add = (): Promise<unknown> =>
        impatient.addAll([{ id: id++, name: 'Aloe' }]).catch((error: unknown) => String(error));
      await eventually(async () =>
        expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(add)))).toEqual(
          new Set([expect.stringMatching(/: 1\d statements that it was asked to end may still run in it$/)]),
        ),
      );
      const waiting = await sql(`SELECT FROM pg_stat_activity WHERE ${OURS} AND wait_event = 'SyncRep'`);
      expect(waiting.length).toBeLessThan(20);
      await expect(impatient.ready()).rejects.toThrow('statements that it was asked to end may still run in it');
      await set('synchronous_standby_names', null);
      await eventually(() => impatient.ready());
      expect(await impatient.addAll([{ id: 1n, name: 'Aloe' }])).toEqual(['replayed']);
    } finally {
      await impatient.close();
      front.close();
    }
  });
});

/** The message NoticeResponse with these fields, each after the letter of its kind. */
function notice(fields: readonly string[]): Buffer {
  const message = Buffer.from(`N____${fields.map((field) => `${field}\0`).join('')}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

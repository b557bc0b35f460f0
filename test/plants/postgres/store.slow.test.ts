import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { columns } from '../../../src/plants/columns';
import type { NewPlant } from '../../../src/plants/repository';
import { openPostgresStore, type PostgresStoreOptions } from '../../../src/plants/postgres/store';
import {
  describeOnCitus,
  describeOnPostgres,
  describeWithServers,
  freshDatabase,
  missing,
  query,
} from '../../support/postgres';
import type { TestDatabase } from '../../support/postgres';
import { PostgresServer } from '../../../scripts/postgres-server';
import { describePlantRepository, repositoryOn } from '../repository';

describePlantRepository(
  'PostgreSQL',
  async () => {
    const database = await freshDatabase();
    let opened = await openPostgresStore(database.url);
    const store = {
      repository: await repositoryOn(opened),
      rows: () => database.rows(),
      reader: () => opened,
      async reopen() {
        await store.repository.close();
        opened = await openPostgresStore(database.url);
        store.repository = await repositoryOn(opened);
        return store.repository;
      },
      async dispose() {
        await store.repository.close();
        await database.drop();
      },
    };
    return store;
  },
  missing,
);

describeOnPostgres('a new PostgreSQL store', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(() => database.drop());

  const TABLE = `SELECT column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_name = 'plants' AND table_schema = current_schema() ORDER BY ordinal_position`;

  it('has one table with a column for each property of a plant', async () => {
    await (await openPostgresStore(database.url)).close();
    const table = await database.sql(TABLE);
    expect(table).toHaveLength(columns.length);
    expect(table.slice(0, 3)).toEqual([
      { column_name: 'id', data_type: 'bigint', is_nullable: 'NO' },
      { column_name: 'name', data_type: 'text', is_nullable: 'NO' },
      { column_name: 'tag', data_type: 'text', is_nullable: 'YES' },
    ]);
  });

  it('is what a database of version 1 becomes, which keeps its plants', async () => {
    await (await openPostgresStore(database.url)).close();
    const old = await freshDatabase();
    try {
      await old.sql('CREATE TABLE plants (id int8 PRIMARY KEY, name text NOT NULL, tag text)');
      await old.sql(
        'CREATE TABLE plants_migrations (version int4 PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())',
      );
      await old.sql('INSERT INTO plants_migrations (version) VALUES (1)');
      await old.sql("INSERT INTO plants VALUES (1, 'Ficus', NULL)");
      await (await openPostgresStore(old.url)).close();
      expect(await old.sql(TABLE)).toEqual(await database.sql(TABLE));
      const versions = 'SELECT version FROM plants_migrations ORDER BY version';
      expect(await old.sql(versions)).toEqual(await database.sql(versions));
      expect(await old.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
    } finally {
      await old.drop();
    }
  });

  it('is made once by ten processes that start together, and found by those that start later', async () => {
    const open = () => Promise.all(Array.from({ length: 10 }, () => openPostgresStore(database.url)));
    for (const store of await open()) await store.close();
    for (const store of await open()) await store.close();
    expect(await database.rows()).toEqual([]);
    expect(await database.sql('SELECT count(*) FROM plants_migrations WHERE version = 1')).toEqual([{ count: '1' }]);
  });

  it('is opened again by a user who may only read and insert', async () => {
    await (await openPostgresStore(database.url)).close();
    const [{ schema } = {}] = await database.sql('SELECT current_schema() AS schema');
    const user = `u_${String(schema)}`;
    await database.sql(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
    await database.sql(`GRANT USAGE ON SCHEMA ${String(schema)} TO ${user}`);
    await database.sql(`GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA ${String(schema)} TO ${user}`);
    const url = new URL(database.url);
    Object.assign(url, { username: user, password: 'secret' });
    const store = await openPostgresStore(url.href);
    expect(await store.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['stored']);
    await store.close();
    await database.sql(`DROP OWNED BY ${user}`);
    await database.sql(`DROP ROLE ${user}`);
  });
});

describeOnPostgres('the PostgreSQL store', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(() => database.drop());

  it('says of each plant of a batch what became of it', async () => {
    const store = await openPostgresStore(database.url);
    const batch = [
      { id: 2n, name: 'Hedera', tag: '' },
      { id: 1n, name: 'Ficus' },
      { id: 1n, name: 'Ficus' },
      { id: 1n, name: 'Hedera' },
      { id: -1n, name: 'Aloe' },
    ];
    expect(await store.addAll(batch)).toEqual(['stored', 'stored', 'replayed', 'taken', 'stored']);
    expect(await store.addAll(batch)).toEqual(['replayed', 'replayed', 'replayed', 'taken', 'replayed']);
    expect(await store.addAll([])).toEqual([]);
    await store.close();
  });

  it('takes batches of every size', async () => {
    const store = await openPostgresStore(database.url);
    let id = 0n;
    for (let size = 1; size <= 1_500; size = Math.ceil(size * 1.3)) {
      const batch = Array.from({ length: size }, () => ({ id: id++, name: 'Lemna minor' }));
      expect(new Set(await store.addAll(batch))).toEqual(new Set(['stored']));
    }
    expect(await database.sql('SELECT count(*)::int4 FROM plants')).toEqual([{ count: Number(id) }]);
    await store.close();
  });

  it('prepares few statements', async () => {
    const queries = jest.spyOn(Client.prototype, 'query');
    const store = await openPostgresStore(database.url);
    for (let size = 1; size <= 1_000; size += 13) {
      await store.addAll(Array.from({ length: size }, (_, id) => ({ id: BigInt(id), name: 'Lemna minor' })));
    }
    const calls: unknown[][] = queries.mock.calls;
    const statements = calls.map(([call]) => call as { name?: string; text?: string });
    const named = new Map(statements.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text]])));
    expect(new Set(named.values()).size).toBe(named.size);
    expect(named.size).toBeGreaterThan(5);
    expect(named.size).toBeLessThanOrEqual(21);
    expect(statements.filter(({ name, text }) => name === undefined && text?.includes('INSERT INTO plants ('))).toEqual(
      [],
    );
    queries.mockRestore();
    await store.close();
  });

  it('stores nothing of a batch that the server refuses for its content, and says so', async () => {
    const store = await openPostgresStore(database.url);
    const noInt64 = { id: 2n ** 63n, name: 'Aloe' };
    await expect(store.addAll([{ id: 1n, name: 'Ficus' }, noInt64])).rejects.toMatchObject({
      name: 'BatchRefused',
      cause: { code: '22003' },
    });
    expect(await database.rows()).toEqual([]);
    await store.close();
  });

  it('lets one of many batches with the same ids win, whatever their order, and never deadlocks', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(database.url, { connections: 2 })));
    const ids = Array.from({ length: 300 }, (_each, index) => BigInt(index));
    const winners = new Map<bigint, string[]>();
    for (let round = 0n; round < 10n; round++) {
      await Promise.all(
        stores.flatMap((store, index) =>
          ['a', 'b'].map(async (half) => {
            const name = `from ${index} ${half}`;
            const batch = ids
              .map((id) => ({ id: round * 1_000n + id, name }))
              .toSorted(() => (half === 'a' ? -1 : Math.random() - 0.5));
            const outcomes = await store.addAll(batch);
            batch.forEach(({ id }, at) => {
              if (outcomes[at] === 'stored') winners.set(id, [...(winners.get(id) ?? []), name]);
              else expect(outcomes[at]).toBe('taken');
            });
          }),
        ),
      );
    }
    expect(await database.rows()).toEqual(
      [...winners]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([id, [name]]) => ({ id, name, tag: null })),
    );
    expect([...winners.values()].filter(({ length }) => length !== 1)).toEqual([]);
    expect(winners.size).toBe(3_000);
    for (const store of stores) await store.close();
  });
});

describeOnCitus('a store on Citus', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(() => database.drop());

  const shards = (): Promise<unknown> =>
    database.sql(`SELECT count(*)::int4 FROM pg_dist_shard WHERE logicalrelid = 'plants'::regclass`);

  it('is distributed once, by ten processes that start together, into as many shards as they are told', async () => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => openPostgresStore(database.url, { shards: 4 })));
    for (const store of stores) await store.close();
    expect(await shards()).toEqual([{ count: 4 }]);
    await (await openPostgresStore(database.url, { shards: 8 })).close();
    expect(await shards()).toEqual([{ count: 4 }]);
  });

  it('is distributed where it was made before Citus was there, with its plants', async () => {
    const stores = [await openPostgresStore(database.url)];
    await stores[0]?.addAll([{ id: 1n, name: 'Ficus' }]);
    await database.sql(`SELECT undistribute_table('plants')`);
    stores.push(await openPostgresStore(database.url, { shards: 4 }));
    expect(await shards()).toEqual([{ count: 4 }]);
    expect(await database.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
    for (const store of stores) await store.close();
  });
});

describeWithServers('the PostgreSQL store, on a server with faults', () => {
  const ours = `application_name = 'plant-store'`;
  const plant = { id: 1n, name: 'Ficus' };
  let server: PostgresServer;
  let store: Awaited<ReturnType<typeof openPostgresStore>>;
  const sql = (text: string) => query(server.url('options=-c%20synchronous_commit%3Dlocal'), text);
  beforeAll(async () => {
    server = await (await PostgresServer.create()).start();
  });
  beforeEach(async () => {
    store = await openPostgresStore(server.url(), { retryMs: 5_000 });
  });
  afterEach(async () => {
    await store.close();
    await sql('DROP TABLE plants, plants_migrations');
  });
  afterAll(() => server.dispose());

  /** Resolves when a statement of the store waits in the server like this. */
  async function storeWaits(how: string): Promise<void> {
    while ((await sql(`SELECT FROM pg_stat_activity WHERE ${ours} AND ${how}`)).length === 0) await sleep(10);
  }

  async function lockTable(): Promise<Client> {
    const other = new Client({ connectionString: server.url() });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE plants');
    return other;
  }

  it('sends a batch again whose connection was ended', async () => {
    const other = await lockTable();
    const outcomes = store.addAll([plant]);
    await storeWaits(`wait_event_type = 'Lock'`);
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ours}`);
    await other.end();
    expect(await outcomes).toEqual(['stored']);
  });

  it('gives a batch up whose statement takes too long, without sending it again', async () => {
    const other = await lockTable();
    await expect(store.addAll([plant])).rejects.toMatchObject({ code: '57014' });
    await other.end();
    expect(await store.find([1n])).toEqual(new Map());
  });

  it('gives a batch up once a server that is stopped has been tried for long enough, and stores it when it is back', async () => {
    const impatient = await openPostgresStore(server.url(), { retryMs: 50 });
    await server.stop();
    await expect(impatient.addAll([plant])).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await impatient.addAll([plant])).toEqual(['stored']);
    await impatient.close();
  });

  it('does not take a warning for a success: the standby does not have what was committed, nor what is read', async () => {
    await sql(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
    await sql('SELECT pg_reload_conf()');
    const outcomeOf = async (added: NewPlant): Promise<unknown> => {
      let outcome: unknown;
      void store.addAll([added]).then(
        () => (outcome = 'stored'),
        (error: unknown) => (outcome = error),
      );
      // Each statement of a batch may wait.
      while (outcome === undefined) {
        await sql(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${ours} AND wait_event = 'SyncRep'`);
        await sleep(10);
      }
      return outcome;
    };
    try {
      // The processes of the server take the setting one after another.
      for (let id = 1_000n; (await outcomeOf({ ...plant, id })) === 'stored'; id++);
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(await outcomeOf(plant)).toMatchObject({
          message: 'the server warned: canceling wait for synchronous replication due to user request',
        });
      }
    } finally {
      await sql('ALTER SYSTEM RESET synchronous_standby_names');
      await sql('SELECT pg_reload_conf()');
    }
    expect(await store.addAll([plant])).toEqual(['replayed']);
  });

  it('says that another process migrates the database for too long', async () => {
    const other = new Client({ connectionString: server.url() });
    await other.connect();
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(x'706c616e7473'::int8)`);
    await sql(`DELETE FROM plants_migrations`);
    expect(await refusal(server.url(), { openWaitMs: 200 })).toBe(
      'another process has been migrating it for too long (canceling statement due to statement timeout). ' +
        'See what holds its advisory lock',
    );
    await other.end();
  });
});

describeOnPostgres('the PostgreSQL store refuses to open', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(() => database.drop());

  it('a database of a newer version of the program, and leaves it as it is', async () => {
    await (await openPostgresStore(database.url)).close();
    await database.sql('INSERT INTO plants_migrations (version) VALUES (99)');
    expect(await refusal(database.url)).toMatch(
      /^its schema is of version 99, and this program knows \d+: expected a newer program$/,
    );
    expect(await database.sql('SELECT max(version) FROM plants_migrations')).toEqual([{ max: 99 }]);
  });

  it('a database whose table lacks a column, and names the migration that is to be appended', async () => {
    await (await openPostgresStore(database.url)).close();
    await database.sql('ALTER TABLE plants DROP COLUMN tag');
    expect(await refusal(database.url)).toBe(
      'its table plants has no column tag. ' +
        `Append to MIGRATIONS in src/plants/postgres/open.ts: 'ALTER TABLE plants ADD COLUMN "tag" text'`,
    );
  });

  it('a database of something else', async () => {
    await database.sql('CREATE TABLE plants (latin text)');
    const advice = 'Name another database in DATABASE_URL';
    expect(await refusal(database.url)).toBe(
      `it has a table "plants" of something else (relation "plants" already exists). ${advice}`,
    );
    await database.sql('CREATE TABLE plants_migrations (version int4)');
    await database.sql('INSERT INTO plants_migrations VALUES (1)');
    expect(await refusal(database.url)).toBe(
      `it has a table "plants" of something else (column "id" does not exist). ${advice}`,
    );
  });

  it.each([
    [
      'synchronous_commit=off',
      'it is not durable: synchronous_commit is off, and a plant that was answered 200 could be lost. ' +
        'Set synchronous_commit to on for this server, database and user',
    ],
    [
      'default_transaction_read_only=on',
      'it is read-only: it is a standby, or default_transaction_read_only is on. Name the primary server in DATABASE_URL',
    ],
  ])('a session with %s', async (setting, message) => {
    const url = new URL(database.url);
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} -c ${setting}`);
    expect(await refusal(url.href)).toBe(message);
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
(hasOpenssl ? describeWithServers : describe.skip)('a PostgreSQL store by TLS', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create();
    for (const name of ['server', 'other']) {
      const [key, certificate] = [join(server.data, `${name}.key`), join(server.data, `${name}.crt`)];
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
      const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
      execFileSync('openssl', ['req', ...options, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
      chownSync(key, server.identity.uid, server.identity.gid);
    }
    await server.start({ ssl: 'on' });
  });
  afterAll(() => server.dispose());

  const urlWith = (certificate: string): string =>
    server.url(`sslmode=verify-full&sslrootcert=${encodeURIComponent(join(server.data, certificate))}`);

  it('is opened where the certificate is that of the authority', async () => {
    const store = await openPostgresStore(urlWith('server.crt'));
    expect(await store.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['stored']);
    await store.close();
  });

  it('is refused where it is not', async () => {
    expect(await refusal(urlWith('other.crt'))).toMatch(
      /^self[- ]signed certificate(?:; .*)?\. Correct sslmode and sslrootcert in DATABASE_URL$/,
    );
  });
});

describeWithServers('the PostgreSQL store refuses to open', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await (await PostgresServer.create()).start();
  });
  afterAll(() => server.dispose());

  it('a server that does not sync', async () => {
    await server.stop();
    await server.start({ fsync: 'off' });
    expect(await refusal(server.url())).toBe(
      'it is not durable: fsync is off, and a plant that was answered 200 could be lost. ' +
        'Set fsync to on for this server, database and user',
    );
    await server.stop();
    await server.start();
  });

  it('another password, user or database', async () => {
    const secret = 'top-secret';
    const failed = (user: string): string =>
      `password authentication failed for user "${user}". ` +
      'Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf';
    expect(await refusal(server.url('', `postgres:${secret}`))).toBe(failed('postgres'));
    expect(await refusal(server.url('', `nobody:${secret}`))).toBe(failed('nobody'));
    expect(await refusal(`${server.url()}_2`)).toBe(
      'database "postgres_2" does not exist. Create the database, or name another one in DATABASE_URL',
    );
  });

  it('a user who may not make tables in it', async () => {
    await query(server.url(), "CREATE ROLE reader LOGIN PASSWORD 'secret'");
    await query(server.url(), 'REVOKE CREATE ON SCHEMA public FROM public'); // PostgreSQL 14 grants it
    expect(await refusal(server.url('', 'reader:secret'))).toBe(
      'permission denied for schema public. ' +
        'Grant this user CREATE on the schema for the first start, then SELECT and INSERT on the tables',
    );
  });

  it('an encoding that does not hold every text', async () => {
    await query(server.url(), "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0");
    expect(await refusal(server.url().replace(/postgres$/, 'ascii'))).toBe(
      "its encoding is SQL_ASCII, which does not hold every text. Create it anew with ENCODING 'UTF8'",
    );
  });

  it('a server without TLS where the connection string asks for it', async () => {
    expect(await refusal(server.url('sslmode=verify-full'))).toBe(
      'The server does not support SSL connections. Correct sslmode and sslrootcert in DATABASE_URL',
    );
  });

  it('an address where nobody listens, or answers, after a while', async () => {
    const advice = 'See that the server runs and that DATABASE_URL names it';
    const told: string[] = [];
    const options = { openWaitMs: 300, tell: (text: string) => void told.push(text) };
    expect(await refusal('postgres://user:secret@127.0.0.1:1/plants', options)).toBe(
      `connect ECONNREFUSED 127.0.0.1:1. ${advice}`,
    );
    expect(told[0]?.replace('Error: ', '')).toBe(
      `the store cannot be opened yet: connect ECONNREFUSED 127.0.0.1:1. ${advice}`,
    );

    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    expect(await refusal(`postgres://user:secret@127.0.0.1:${port}/plants`, options)).toBe(
      `Connection terminated due to connection timeout. ${advice}`,
    );
    silent.close();
  });
});

/** What is said against opening the database, after its name; its password is not part of it. */
async function refusal(url: string, options: PostgresStoreOptions = {}): Promise<string> {
  const { host, pathname, password } = new URL(url);
  const start = `the store postgres://${host}${pathname} cannot be opened: `;
  try {
    await (await openPostgresStore(url, { openWaitMs: 50, ...options })).close();
    return 'the store was opened';
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith(start)) throw error;
    expect(`${error.stack}${String(error.cause)}`).not.toContain(password || 'there is none');
    // What native code throws says a little more under Jest, being of another realm's Error.
    return error.message.slice(start.length).replace('Error: ', '');
  }
}

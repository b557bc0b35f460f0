import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { openPostgresStore } from '../../../src/plants/postgres/store';
import { makeCertificate, OPENSSL } from '../../support/certificate';
import { describeWith } from '../../support/needs';
import { withPortInUse } from '../../support/ports';
import { describeOnPostgres, describeWithServers, freshDatabase, query } from '../../support/postgres';
import { PostgresServer } from '../../../scripts/postgres-server';
import type { BatchRefused } from '../../../src/plants/store';
import { TURN_TEXT_MAX } from '../../../src/plants/turn';
import { describePlantRepository, repositoryOn } from '../repository';
import { eachWithDatabase } from './database';
import { refusal } from './refusal';

jest.setTimeout(120_000);

describePlantRepository(
  'PostgreSQL',
  async () => {
    const { url, rows, drop } = await freshDatabase();
    return { open: () => openPostgresStore(url), rows, remove: drop };
  },
  describeOnPostgres,
);

describeOnPostgres('the PostgreSQL store', () => {
  const database = eachWithDatabase();

  it('compares plants with those that are there a few at a time, as these may have much more text', async () => {
    const store = await database.open();
    const ids = [1n, 2n, 3n];
    for (const id of ids) await store.addAll([{ id, name: 'x'.repeat(TURN_TEXT_MAX) }]);
    const others = ids.map((id) => ({ id, name: 'Ficus' }));
    expect(await store.addAll(others)).toEqual(['taken', 'later', 'later']);
    for (const each of others) expect(await store.addAll([each])).toEqual(['taken']);
  });

  it('finds plants of much text a few at a time', async () => {
    const store = await database.open();
    const plants = [1n, 2n, 3n, 4n, 5n].map((id) => ({ id, name: 'x'.repeat(TURN_TEXT_MAX) }));
    for (const plant of plants) await store.addAll([plant]);
    const queries = jest.spyOn(Client.prototype, 'query');
    const found = await store.find(plants.map(({ id }) => id));
    const calls: unknown[][] = queries.mock.calls;
    queries.mockRestore();
    expect([...found.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(plants);
    const asked = calls
      .map(([call]) => call as { name?: string; values?: [bigint[]] })
      .flatMap(({ name, values }) => (name === 'select' ? values?.[0].length : []));
    expect(asked).toEqual([2, 2, 1]);
  });

  it('takes batches of every size, and prepares few statements', async () => {
    const queries = jest.spyOn(Client.prototype, 'query');
    const store = await database.open();
    let id = 0n;
    const sizes = [22_000]; // more parameters than the protocol counts
    for (let size = 1; size <= 1_500; size = Math.ceil(size * 1.1)) sizes.push(size);
    for (const size of sizes) {
      const batch = Array.from({ length: size }, () => ({ id: id++, name: 'Lemna minor' }));
      expect(new Set(await store.addAll(batch))).toEqual(new Set(['stored']));
    }
    const calls: unknown[][] = queries.mock.calls;
    queries.mockRestore();
    expect(await database.sql('SELECT count(*)::int4 FROM plants')).toEqual([{ count: Number(id) }]);
    const inserts = calls
      .map(([call]) => call as { name?: string; text?: string })
      .filter(({ text }) => text?.startsWith('INSERT INTO plants ('));
    const named = new Map(inserts.map(({ name, text }) => [name, text]));
    expect(named.has(undefined)).toBe(false);
    expect(new Set(named.values()).size).toBe(named.size);
    expect(named.size).toBeLessThanOrEqual(20);
  });

  it('stores a plant of which a check warns, as only a commit that was not replicated is in doubt', async () => {
    const store = await database.open();
    const body = `BEGIN RAISE WARNING 'odd %', name; RETURN true; END`;
    const made = `CREATE FUNCTION warns(name text) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ ${body} $$`;
    await query(database.url, made); // a statement that has semicolons in it
    await database.sql('ALTER TABLE plants ADD CHECK (warns(name))');
    expect(await store.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['stored']);
  });

  it('counts no connection as awaited by a batch where only the check whether it is ready takes one', async () => {
    const store = await database.open();
    const ready = store.ready();
    expect(store.measure()).toContainEqual(expect.objectContaining({ name: 'store_connections_awaited', value: 0 }));
    await ready;
    const added = store.addAll([{ id: 1n, name: 'Ficus' }]);
    expect(store.measure()).toContainEqual(expect.objectContaining({ name: 'store_connections_awaited', value: 1 }));
    await added;
    expect(store.measure()).toContainEqual(expect.objectContaining({ name: 'store_connections_awaited', value: 0 }));
  });

  it('stores nothing of a batch that the server refuses for its content, and says which plants', async () => {
    const store = await database.open();
    const noInt64 = { id: 2n ** 63n, name: 'Aloe' };
    const refusal = { name: 'BatchRefused', cause: { code: '22003' } };
    const refused = await store.addAll([noInt64, { id: 1n, name: 'Ficus' }, noInt64]).catch((error: unknown) => error);
    expect(refused).toMatchObject(refusal);
    expect([...(refused as BatchRefused).refused].toSorted(([one], [other]) => one - other)).toMatchObject([
      [0, refusal],
      [2, refusal],
    ]);
    expect(await database.rows()).toEqual([]);
  });

  it.each([
    ['', ''],
    [', looked at when it is committed,', ' DEFERRABLE INITIALLY DEFERRED'],
  ])(
    'stores in a second batch the others of one of which another unique key%s refuses every second plant',
    async (_when, when) => {
      const store = await database.open();
      const repository = repositoryOn(store);
      await repository.add({ id: 0n, name: 'Ficus' });
      await database.sql(`ALTER TABLE plants ADD UNIQUE (name)${when}`);
      const addAll = jest.spyOn(store, 'addAll');
      const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now()); // the search has a time limit
      const names = Array.from({ length: 100 }, (_each, index) => (index % 2 ? 'Ficus' : `Ficus ${index}`));
      const added = await Promise.allSettled(
        names.map((name, index) => repository.add({ id: BigInt(index + 1), name })),
      );
      clock.mockRestore();
      const expected = names.map((name) => (name === 'Ficus' ? 'rejected' : 'fulfilled'));
      expect(added.map(({ status }) => status)).toEqual(expected);
      expect(await database.rows()).toHaveLength(51);
      expect(addAll).toHaveBeenCalledTimes(2);
    },
  );

  it('lets one of many batches with the same ids win, whatever their order, and never deadlocks', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => database.open({ connections: 2 })));
    const ids = Array.from({ length: 300 }, (_each, index) => BigInt(index));
    const winners = new Map<bigint, string[]>();
    for (let round = 0n; round < 4n; round++) {
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
    expect(winners.size).toBe(1_200);
  });
});

describeWithServers('the PostgreSQL store refuses to open', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await (await PostgresServer.create()).start();
  });
  afterAll(() => server.dispose());

  it('another password, user or database', async () => {
    const secret = 'top-secret';
    const failed = (user: string): string =>
      `password authentication failed for user "${user}". ` +
      'Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf';
    expect(await refusal(server.url('', `postgres:${secret}`))).toBe(failed('postgres'));
    expect(await refusal(server.url('', `nobody:${secret}`))).toBe(failed('nobody'));
    // At once, rather than after a while.
    expect(await refusal(server.url('', 'postgres'), { openWaitMs: 3_600_000 })).toBe(
      'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string. ' +
        'Correct the user and the password in DATABASE_URL (or PGUSER, PGPASSWORD), or pg_hba.conf',
    );
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
    const options = { openWaitMs: 300, warn: (text: string) => void told.push(text) };
    expect(await refusal('postgres://user:secret@127.0.0.1:1/plants', options)).toBe(
      `connect ECONNREFUSED 127.0.0.1:1. ${advice}`,
    );
    expect(told[0]?.replace('Error: ', '')).toBe(
      `the store postgres://127.0.0.1:1/plants cannot be opened yet: connect ECONNREFUSED 127.0.0.1:1. ${advice}`,
    );

    const reason = await withPortInUse((port) => refusal(`postgres://user:secret@127.0.0.1:${port}/plants`, options));
    expect(reason).toBe(`Connection terminated due to connection timeout. ${advice}`);
  });

  describeWith(OPENSSL, 'by TLS', () => {
    it('a certificate that is not of the authority, and no other', async () => {
      await server.stop();
      for (const name of ['server', 'other']) {
        const [key, certificate] = [join(server.data, `${name}.key`), join(server.data, `${name}.crt`)];
        makeCertificate(key, certificate, { subject: '/CN=127.0.0.1', names: 'IP:127.0.0.1' });
        chownSync(key, server.identity.uid, server.identity.gid);
      }
      await server.start({ ssl: 'on' });
      const urlWith = (certificate: string): string =>
        server.url(`sslmode=verify-full&sslrootcert=${encodeURIComponent(join(server.data, certificate))}`);
      expect(await refusal(urlWith('other.crt'))).toMatch(
        /^self[- ]signed certificate(?:; .*)?\. Correct sslmode and sslrootcert in DATABASE_URL$/,
      );
      expect(await refusal(urlWith('missing.crt'))).toMatch(
        /^ENOENT: .*, open '.*missing\.crt'\. Correct sslmode and sslrootcert in DATABASE_URL$/,
      );
      const store = await openPostgresStore(urlWith('server.crt'));
      expect(await store.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['stored']);
      // While its file is replaced, for connections that are made anew.
      const certificate = readFileSync(join(server.data, 'server.crt'));
      rmSync(join(server.data, 'server.crt'));
      await query(
        server.url(),
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'plant-store'`,
      );
      expect(await store.addAll([{ id: 2n, name: 'Aloe' }])).toEqual(['stored']);
      writeFileSync(join(server.data, 'server.crt'), certificate);
      await store.close();
    });
  });
});

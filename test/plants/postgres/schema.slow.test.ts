/** The schema of a PostgreSQL store: made, found, migrated beside what others do, and refused where it would lose plants. */
import { Client } from 'pg';
import { ErrorCode } from '../../../src/engine/errors/error-codes';
import { columns } from '../../../src/plants/columns';
import { MIGRATIONS } from '../../../src/plants/postgres/open';
import { openPostgresStore } from '../../../src/plants/postgres/store';
import { repositoryOn } from '../repository';
import { eventually } from '../../support/eventually';
import { describeOnPostgres, freshDatabase, query } from '../../support/postgres';
import { type Database, eachWithDatabase } from './database';
import { refusal } from './refusal';
import { table } from '../../support/table';

jest.setTimeout(120_000);

const plant = { id: 1n, name: 'Ficus' };
/** A function for triggers: it changes what is inserted, or removes it afterwards. */
const SPOIL = `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN IF TG_WHEN = 'BEFORE' THEN NEW.name = upper(NEW.name); ELSE DELETE FROM plants WHERE id = NEW.id; END IF; RETURN NEW; END $$`;
const TRIGGER = 'its table plants has the trigger spoil, which may change or remove plants: drop it';
const NOT_NULL =
  'its table plants has a column tag that is NOT NULL, so that it takes no plants without: expected one that may be NULL';
const PARTITIONED = `ALTER TABLE plants RENAME TO others; CREATE TABLE plants (LIKE others) PARTITION BY HASH (id);
  ALTER TABLE plants ADD PRIMARY KEY (id)`;
const PARTITION = 'plants_0 PARTITION OF plants FOR VALUES WITH (MODULUS 1, REMAINDER 0)';
const notDurable = (value: string): string =>
  `it is not durable: with synchronous_commit = ${value} a plant that was answered 200 could be lost. Change that for this server, database and user`;
/** The batches of this schema that wait for another writer. */
const WAITING = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND application_name = 'plant-store' AND pid IN (SELECT pid FROM pg_locks WHERE relation = 'plants'::regclass)`;
const NEWER = [...MIGRATIONS, 'ALTER TABLE plants ADD COLUMN latin text'];

describeOnPostgres('a new PostgreSQL store', () => {
  const database = eachWithDatabase();

  const TABLE = `SELECT column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_name = 'plants' AND table_schema = current_schema() ORDER BY ordinal_position`;

  it('has one table with a column for each property of a plant', async () => {
    await database.open();
    const table = await database.sql(TABLE);
    expect(table).toHaveLength(columns.length);
    expect(table.slice(0, 3)).toEqual([
      { column_name: 'id', data_type: 'bigint', is_nullable: 'NO' },
      { column_name: 'name', data_type: 'text', is_nullable: 'NO' },
      { column_name: 'tag', data_type: 'text', is_nullable: 'YES' },
    ]);
  });

  it.each(['plants-prod', 'Garden', 'select', `o'dd "näme" \\ of ${'x'.repeat(40)}`])(
    'may be in the schema %s',
    async (name) => {
      const quoted = `"${name.replaceAll('"', '""')}"`;
      await database.sql(`CREATE SCHEMA ${quoted}`);
      const url = new URL(database.url);
      url.searchParams.set('options', `-c search_path=${quoted.replaceAll(/[\\ ]/g, '\\$&')}`);
      const store = await openPostgresStore(url.href);
      try {
        expect(await store.addAll([plant])).toEqual(['stored']);
        expect(await store.page(0n, 9)).toEqual([plant]);
        await store.ready();
        expect(await store.count?.()).toBe(1);
        expect(await database.sql(`SELECT id FROM ${quoted}.plants`)).toEqual([{ id: '1' }]);
      } finally {
        await store.close();
        await database.sql(`DROP SCHEMA ${quoted} CASCADE`);
      }
    },
  );

  it('stays in the schema where it was made, when an earlier one of the search path comes, by itself or with a table plants', async () => {
    const earlier = await freshDatabase();
    const url = new URL(database.url);
    const paths = [earlier.url, database.url].map((each) => new URL(each).searchParams.get('options')?.split('=')[1]);
    url.searchParams.set('options', `-c search_path=${paths.join(',')}`);
    try {
      await (await database.open()).addAll([plant]);
      await earlier.sql('CREATE DOMAIN word AS text');
      const migrations = [...MIGRATIONS, 'ALTER TABLE plants ADD COLUMN latin word'];
      for (const table of [
        undefined,
        'CREATE TABLE plants (id int8 PRIMARY KEY, name text NOT NULL, tag text, latin text)',
      ]) {
        if (table !== undefined) await earlier.sql(table);
        const store = await openPostgresStore(url.href, { migrations });
        expect(store.description).toMatchObject({ made: false, schemaVersion: migrations.length });
        expect(await store.addAll([plant, { ...plant, name: 'Aloe' }])).toEqual(['replayed', 'taken']);
        expect(await store.page(0n, 9)).toEqual([plant]);
        await store.ready();
        await store.close();
      }
      expect(await earlier.rows()).toEqual([]);
    } finally {
      await earlier.drop();
    }
  });

  it('is what a database of version 1 becomes, which keeps its plants', async () => {
    await database.open();
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
    const open = () => Promise.all(Array.from({ length: 10 }, () => database.open()));
    await open();
    await open();
    expect(await database.rows()).toEqual([]);
    expect(await database.sql('SELECT count(*) FROM plants_migrations WHERE version = 1')).toEqual([{ count: '1' }]);
  });

  it('is so too where transactions are serializable by default', async () => {
    const url = new URL(database.url);
    const isolation = 'default_transaction_isolation=serializable';
    url.searchParams.set('options', `${url.searchParams.get('options')} -c ${isolation}`);
    const stores = await Promise.all(Array.from({ length: 10 }, () => openPostgresStore(url.href)));
    expect(stores.filter(({ description }) => description.made)).toHaveLength(1);
    for (const store of stores) await store.close();
  });

  it('is opened again by a user who may only read and insert, unless row-level security hides or refuses plants', async () => {
    const owned = await database.open();
    await withUser(database, 'SELECT, INSERT', async (url, user) => {
      const store = await openPostgresStore(url);
      expect(await store.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['stored']);
      await database.sql(`CREATE POLICY visible ON plants TO ${user} USING (true) WITH CHECK (name <> 'Aloe')`);
      await database.sql('ALTER TABLE plants ENABLE ROW LEVEL SECURITY');
      const message =
        'the row-level security of its table plants may hide plants from this user, or refuse them with all that';
      expect(await refusal(url)).toContain(message);
      expect(await refusal(url, { mustExist: true })).toContain(message);
      await expect(store.addAll([{ id: 2n, name: 'Ficus' }])).rejects.toThrow(message);
      await expect(store.ready()).rejects.toThrow(message);
      expect(await owned.addAll([{ id: 3n, name: 'Aloe' }])).toEqual(['stored']); // the owner, whom it does not concern
      await store.close();
    });
  });

  it('is refused to a user who may only read, but for an export, and is not ready for one', async () => {
    await database.open();
    await withUser(database, 'SELECT', async (url, user) => {
      const message = 'this user may not insert into its table plants. Grant it SELECT and INSERT on the table';
      expect(await refusal(url)).toBe(message);
      await database.sql('ALTER TABLE plants ADD COLUMN "made at" text');
      const told: string[] = [];
      const readable = await openPostgresStore(url, { mustExist: true, warn: (text) => told.push(text) });
      expect(await readable.page(0n, 1)).toEqual([]);
      expect(told).toEqual([expect.stringMatching(/ has a column made at that this program does not know: /)]);
      await readable.close();

      await database.sql(`GRANT INSERT ON plants TO ${user}`);
      const store = await openPostgresStore(url);
      await store.ready();
      await database.sql(`REVOKE INSERT ON plants FROM ${user}`);
      await expect(store.ready()).rejects.toThrow(message);
      await database.sql(`GRANT INSERT ON plants TO ${user}; REVOKE SELECT ON plants FROM ${user}`);
      await expect(store.ready()).rejects.toThrow('permission denied for table plants');
      await store.close();
    });
  });
});

/** Runs `act` with the connection string and the name of a user who has these privileges on the tables, and is removed afterwards. */
async function withUser(
  database: Database,
  privileges: string,
  act: (url: string, user: string) => Promise<void>,
): Promise<void> {
  const [{ schema } = {}] = await database.sql('SELECT current_schema() AS schema');
  const user = `u_${String(schema)}`;
  await database.sql(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA ${String(schema)} TO ${user}`);
  await database.sql(`GRANT ${privileges} ON ALL TABLES IN SCHEMA ${String(schema)} TO ${user}`);
  await act(Object.assign(new URL(database.url), { username: user, password: 'secret' }).href, user);
  await database.sql(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
}

describeOnPostgres('a migration of a PostgreSQL store', () => {
  const database = eachWithDatabase();

  it('gives way to creates while others read the table, and comes again', async () => {
    const store = await database.open();
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM plants');
    const told: string[] = [];
    const newer = database.open({ migrations: NEWER, warn: (text) => void told.push(text) });
    // Behind a migration that waits, these would end with their statement_timeout.
    for (let id = 1n; told.length < 2; id++) expect(await store.addAll([{ id, name: 'Ficus' }])).toEqual(['stored']);
    expect(told[0]).toMatch(
      /^the store postgres:\S+ cannot be opened yet: others hold its tables locked \(canceling statement due to lock timeout\)\. See/,
    );
    await reader.end();
    const migrated = await newer;
    expect(migrated.description).toMatchObject({ made: false, schemaVersion: NEWER.length });
  });

  it('that only adds lets programs of the version before go on, and start', async () => {
    const before = await database.open();
    await database.open({ migrations: NEWER });
    expect(await before.addAll([plant, { ...plant, id: 2n }])).toEqual(['stored', 'stored']);
    expect(await before.page(1n, 2)).toEqual([plant, { ...plant, id: 2n }]);
    const told: string[] = [];
    const store = await database.open({ warn: (text) => void told.push(text) });
    expect(await store.addAll([plant, { ...plant, id: 3n }])).toEqual(['replayed', 'stored']);
    expect(store.description).toMatchObject({ made: false, schemaVersion: NEWER.length });
    const { length } = MIGRATIONS;
    expect(told).toEqual([
      `the store ${store.description.store}: its schema is of version ${length + 1}, and this program knows ${length}`,
    ]);
  });

  it('that does more is refused by programs of the version before, which leave it as it is', async () => {
    await database.open();
    await database.sql('ALTER TABLE plants ADD COLUMN latin text NOT NULL; INSERT INTO plants_migrations VALUES (99)');
    expect(await refusal(database.url)).toBe(
      'its table plants has a column latin that must be filled, and this program does not know it: expected a newer program',
    );
    expect(await database.sql('SELECT max(version) FROM plants_migrations')).toEqual([{ max: 99 }]);
  });

  it('waits for another process that migrates, and says so if it takes too long', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(x'706c616e7473'::int8)`);
    expect(await refusal(database.url, { openWaitMs: 200 })).toBe(
      'another process has been migrating it for too long. See what holds its advisory lock',
    );
    await other.end();
  });
});

describeOnPostgres('the PostgreSQL store', () => {
  const database = eachWithDatabase();

  it.each(table`
    an UNLOGGED table | ALTER TABLE plants SET UNLOGGED
      | its table plants is UNLOGGED, so that a crash of the server empties it. Make it durable: ALTER TABLE plants SET LOGGED
    a table without its key | ALTER TABLE plants DROP CONSTRAINT plants_pkey
      | its table plants has no unique key of id alone. Add it: ALTER TABLE plants ADD PRIMARY KEY (id)
    a key of more than the id
      | ALTER TABLE plants DROP CONSTRAINT plants_pkey; ALTER TABLE plants ADD PRIMARY KEY (id, name)
      | its table plants has no unique key of id alone. Add it: ALTER TABLE plants ADD PRIMARY KEY (id)
    a view | ALTER TABLE plants RENAME TO others; CREATE VIEW plants AS SELECT * FROM others
      | its plants is no table, but of the kind "v". Make it one
    a trigger on its inserts | CREATE TRIGGER spoil BEFORE INSERT ON plants FOR EACH ROW EXECUTE FUNCTION spoil()
      | ${TRIGGER}
    a trigger for sessions that replicate
      | CREATE TRIGGER spoil AFTER INSERT ON plants FOR EACH ROW EXECUTE FUNCTION spoil(); ALTER TABLE plants ENABLE REPLICA TRIGGER spoil
      | ${TRIGGER}
    a rule | CREATE RULE spoil AS ON INSERT TO plants DO INSTEAD NOTHING
      | its table plants has the rule spoil, with which nothing can be inserted: drop it
    a rule for sessions that replicate
      | CREATE RULE spoil AS ON INSERT TO plants DO INSTEAD NOTHING; ALTER TABLE plants ENABLE REPLICA RULE spoil
      | its table plants has the rule spoil, with which nothing can be inserted: drop it
    a table that another inherits from | CREATE TABLE older () INHERITS (plants)
      | its table plants has the child table older, so that an id may be stored twice: ALTER TABLE older NO INHERIT plants
    a text that is padded | ALTER TABLE plants ALTER COLUMN name TYPE char(40)
      | its table plants has a column name of the type character(40), which may store another value than it is given: expected text. If its property is of another type than before, see src/plants/README.md
    an id that is generated | ALTER TABLE plants ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY
      | its table plants has a column id that is generated, and takes no value: expected one that does
    a tag that is generated
      | ALTER TABLE plants DROP COLUMN tag; ALTER TABLE plants ADD COLUMN tag text GENERATED ALWAYS AS (upper(name)) STORED
      | its table plants has a column tag that is generated, and takes no value: expected one that does
    a tag that is NOT NULL, though plants may have none | ALTER TABLE plants ALTER COLUMN tag SET DEFAULT ''; ALTER TABLE plants ALTER COLUMN tag SET NOT NULL
      | ${NOT_NULL}
    an UNLOGGED partition
      | ${PARTITIONED}; CREATE UNLOGGED TABLE ${PARTITION}
      | its table plants_0 is UNLOGGED, so that a crash of the server empties it. Make it durable: ALTER TABLE plants_0 SET LOGGED
    a table that lacks a column, with the statement that adds it | ALTER TABLE plants DROP COLUMN tag
      | its table plants has no column tag. If it was dropped, restore a backup, or add it empty: ALTER TABLE plants ADD COLUMN "tag" text.
      If Plant has gained it, this belongs to the migrations of the program (src/plants/README.md)
  `)('refuses %s', async (_what, statements, message) => {
    await database.open();
    await query(database.url, SPOIL);
    await database.sql(statements);
    expect(await refusal(database.url)).toBe(message);
  });

  it.each(table`
    CREATE TRIGGER spoil BEFORE INSERT ON plants FOR EACH ROW EXECUTE FUNCTION spoil() | DROP TRIGGER spoil ON plants
      | ${TRIGGER}
    CREATE TRIGGER spoil AFTER INSERT ON plants FOR EACH ROW EXECUTE FUNCTION spoil() | DROP TRIGGER spoil ON plants
      | ${TRIGGER}
    ALTER TABLE plants SET UNLOGGED | ALTER TABLE plants SET LOGGED
      | its table plants is UNLOGGED, so that a crash of the server empties it. Make it durable: ALTER TABLE plants SET LOGGED
    CREATE TABLE older () INHERITS (plants) | DROP TABLE older
      | its table plants has the child table older, so that an id may be stored twice: ALTER TABLE older NO INHERIT plants
    ALTER TABLE plants ADD COLUMN latin text NOT NULL DEFAULT ''; ALTER TABLE plants ALTER COLUMN latin DROP DEFAULT
      | ALTER TABLE plants DROP COLUMN latin
      | its table plants has a column latin that must be filled, and this program does not know it: expected a newer program
    UPDATE plants SET tag = ''; ALTER TABLE plants ALTER COLUMN tag SET NOT NULL | ALTER TABLE plants ALTER COLUMN tag DROP NOT NULL
      | ${NOT_NULL}
  `)('serves, and refuses creates while this is so, and is not ready: %s', async (change, undo, message) => {
    const store = await database.open({ connections: 1 });
    const repository = repositoryOn(store);
    await repository.add({ id: 0n, name: 'Ficus' });
    await query(database.url, SPOIL);
    await database.sql(change);
    // The second is there already, but for the trigger that removes it.
    for (const id of [1n, 1n]) {
      await expect(repository.add({ id, name: 'Ficus' })).rejects.toMatchObject({
        code: ErrorCode.StoreUnavailable,
        cause: { message: `the store ${store.description.store}: ${message}` },
      });
    }
    await expect(store.ready()).rejects.toThrow(message);
    await database.sql(undo);
    await store.ready();
    await repository.add({ id: 2n, name: 'Ficus' });
    expect(await database.rows()).toContainEqual({ id: 2n, name: 'Ficus', tag: null });
  });

  it('acknowledges nothing that a column has changed which was another at the start', async () => {
    const store = await database.open({ connections: 1 });
    await store.addAll([{ id: 0n, name: 'Ficus' }]);
    await database.sql('ALTER TABLE plants ALTER COLUMN name TYPE char(40)');
    await expect(store.addAll([{ id: 1n, name: 'Ficus' }])).rejects.toThrow(/with id 1|cached plan/);
    await expect(store.addAll([{ id: 2n, name: 'Ficus' }])).rejects.toThrow('another plant than was sent, with id 2');
    await expect(store.ready()).rejects.toThrow('a column name of the type character(40)');
  });

  it('refuses a table of plants in another schema than that of the migrations', async () => {
    await database.open();
    await database.sql('CREATE SCHEMA shed; ALTER TABLE plants SET SCHEMA shed');
    expect(await refusal(database.url)).toMatch(
      /^its table of migrations is there, and \w+\.plants is not\. Restore it, or move it there if it is in another schema/,
    );
    await database.sql('DROP SCHEMA shed CASCADE');
  });

  it('refuses a database of something else', async () => {
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

  const settings = (setting: string): string => {
    const url = new URL(database.url);
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} -c ${setting}`);
    return url.href;
  };

  it.each([
    ['synchronous_commit=off', notDurable('off')],
    ['synchronous_commit=local', notDurable('local')],
    [
      'default_transaction_read_only=on',
      'it is read-only: it is a standby, or default_transaction_read_only is on. Name the primary server in DATABASE_URL',
    ],
  ])('refuses a session with %s', async (setting, message) => {
    expect(await refusal(settings(setting))).toBe(message);
  });

  it('waits for another writer, and does not begin anew, in a session with default_transaction_isolation=serializable', async () => {
    await database.open();
    const store = await openPostgresStore(settings('default_transaction_isolation=serializable'));
    const writer = new Client({ connectionString: database.url });
    await writer.connect();
    await writer.query(`BEGIN; INSERT INTO plants VALUES (1, 'Ficus')`);
    const added = store.addAll([plant]);
    await eventually(async () => expect(await database.sql(WAITING)).toHaveLength(1));
    await writer.query('COMMIT');
    expect(await added).toEqual(['replayed']);
    expect(store.measure()).toContainEqual(expect.objectContaining({ name: 'store_batches_retried_total', value: 0 }));
    await writer.end();
    await store.close();
  });

  it('tells once that a table is partitioned, and works', async () => {
    await database.open();
    await database.sql(`${PARTITIONED}; CREATE TABLE ${PARTITION}`);
    const told: string[] = [];
    const store = await database.open({ warn: (text) => void told.push(text) });
    expect(await store.addAll([plant, { ...plant }])).toEqual(['stored', 'replayed']);
    expect(told).toEqual([
      `the store ${store.description.store}: the table plants is partitioned, so that each create is looked up in one of its parts`,
    ]);
  });
});

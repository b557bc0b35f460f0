/** The commands plants and migrate: out of either store and into either, exactly, while it serves. */
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlantStore } from '../../src/plants/store';
import { nameOf } from '../../src/plants/postgres/address';
import { openPostgresStore } from '../../src/plants/postgres/store';
import type { NewPlant } from '../../src/plants/repository';
import { openSqliteStore } from '../../src/plants/sqlite/store';
import { PostgresServer } from '../../scripts/postgres-server';
import { eventually } from '../support/eventually';
import { describeOnPostgres, describeWithServers, freshDatabase, missing, query } from '../support/postgres';
import { temporaryFolder } from '../support/temporary-folder';
import { exportOf, sha256Of } from './support/export-of';
import { endOf, runScript, spawnScript } from './support/run-script';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

interface Place {
  /** For DATABASE_URL. */
  url: string;
  /** Its name in messages. */
  name: string;
  open(): PlantStore | Promise<PlantStore>;
  remove(): void | Promise<void>;
}

const PLACES: Record<string, () => Promise<Place>> = {
  SQLite: () => {
    const file = join(folder, 'plants.db');
    return Promise.resolve({
      url: `sqlite:${file}`,
      name: file,
      open: () => openSqliteStore(file),
      remove: () => undefined,
    });
  },
  PostgreSQL: async () => {
    const database = await freshDatabase();
    return {
      url: database.url,
      name: nameOf(database.url),
      open: () => openPostgresStore(database.url),
      remove: () => database.drop(),
    };
  },
};

const EXTREMES: NewPlant[] = [
  { id: -9223372036854775808n, name: '', tag: '' },
  { id: -1n, name: 'line\nand "quote" \\ \u2028' },
  { id: 9007199254740993n, name: '🌵', tag: '__proto__' },
  { id: 9223372036854775807n, name: 'Ficus' },
];
const MANY: NewPlant[] = Array.from({ length: 2_500 }, (_, index) => ({ id: BigInt(index), name: 'Lemna minor' }));

describe.each(Object.entries(PLACES))('on %s', (name, make) => {
  const test = name === 'PostgreSQL' && missing !== undefined ? it.skip : it;
  let place: Place;
  let file: string;
  if (test === it) {
    beforeEach(async () => {
      place = await make();
      file = join(folder, 'plants.ndjson');
    });
    afterEach(() => place.remove());
  }

  test('exports what another store has imported, byte for byte, while it serves', async () => {
    const lines = [
      '{"id":-9223372036854775808,"name":"","tag":""}',
      '{"id":-1,"name":"line\\nand \\"quote\\" \\\\ \u2028"}',
      ...MANY.map(({ id }) => `{"id":${id},"name":"Lemna minor"}`),
      '{"id":9007199254740993,"name":"🌵","tag":"__proto__"}',
      '{"id":9223372036854775807,"name":"Ficus"}',
    ];
    const text = exportOf(lines);
    const total = `2504 plants, sha256 ${sha256Of(lines)}`;
    const serving = await place.open();
    await serving.addAll(EXTREMES);
    await serving.addAll(MANY);
    expect(await plants('export', file)).toEqual({ code: 0, stdout: '', stderr: `exported ${total}\n` });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await plants('verify')).toEqual({ code: 0, stdout: '', stderr: `read ${total}\n` });
    expect(await plants('export', '-')).toEqual({ code: 0, stdout: text, stderr: `exported ${total}\n` });
    await serving.close();

    await place.remove();
    place = await make();
    if (name === 'SQLite') rmSync(join(folder, 'plants.db'));
    const stderr = (added: number): string => `imported ${total}; ${added} of them are new\n`;
    expect(await plants('import', file)).toEqual({ code: 0, stdout: '', stderr: made() + stderr(2_504) });
    expect(await plants('import', file)).toEqual({ code: 0, stdout: '', stderr: stderr(0) });
    expect(await plants('verify')).toEqual({ code: 0, stdout: '', stderr: `read ${total}\n` });
  });

  test('keeps what a store has where a file has other content for it, and says so', async () => {
    const store = await place.open();
    await store.addAll([{ id: 2n, name: 'Ficus' }]);
    await store.close();
    const aloe = '{"id":1,"name":"Aloe"}';
    writeFileSync(file, exportOf([aloe, '{"id":2,"name":"Hedera"}']));
    const { code, stderr } = await plants('import', file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: '1 of 2 are there, 1 of them new; id 2 is another plant, which the store keeps\n',
    });
    expect(await plants('export', '-')).toMatchObject({ code: 0, stdout: exportOf([aloe, '{"id":2,"name":"Ficus"}']) });
  });

  test('stops at a line that is no plant, names it, and counts what it has stored before', async () => {
    const lines = Array.from({ length: 3_000 }, (_, id) => `{"id":${id},"name":"Ficus"}\n`);
    writeFileSync(file, `${lines.join('')}x`);
    expect(await plants('import', file)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `${made()}3000 plants of it are there; once the cause is mended, run it again and it goes on\n` +
        `${file}:3001 expected a value at offset 0\n`,
    });
  });

  test.each([['export', '-'], ['verify']])('makes no table of plants where there is none: %s', async (...args) => {
    for (const run of ['first', 'second']) {
      const { code, stdout, stderr } = await plants(...args);
      expect({ run, code, stdout }).toEqual({ run, code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^expected DATABASE_URL to name a store, and there is no file|it has no table of plants\./,
      );
    }
  });

  test('migrates, twice', async () => {
    const done = { code: 0, stdout: `the schema of the store ${place.name} is up to date\n`, stderr: '' };
    expect(await runScript('migrate', [], place.url)).toEqual({ ...done, stderr: made() });
    expect(await runScript('migrate', [], place.url)).toEqual(done);
    expect(await plants('export', '-')).toMatchObject({ code: 0, stdout: exportOf([]) });
  });

  const plants = (...args: string[]) => runScript('plants', args, place.url);
  const made = (): string => `made the store ${place.name}\n`;
});

describeWithServers('on a PostgreSQL that is restarted', () => {
  it('imports the whole file', async () => {
    const server = await (await PostgresServer.create()).start();
    try {
      const file = join(folder, 'plants.ndjson');
      writeFileSync(file, Array.from({ length: 60_000 }, (_, id) => `{"id":${id},"name":"Ficus"}\n`).join(''));
      const imported = runScript('plants', ['import', '--without-end', file], server.url());
      await eventually(async () => expect(await query(server.url(), 'SELECT FROM plants LIMIT 1')).toHaveLength(1));
      await server.stop();
      await sleep(3_000); // longer than the store itself tries again
      await server.start();
      const { code, stderr } = await imported;
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /^made the store .*\ntrying again for 60 s: the store postgres:.*\n(?:.*\n)*imported 60000 plants, /,
      );
      expect(await query(server.url(), 'SELECT count(*) FROM plants')).toEqual([{ count: '60000' }]);
    } finally {
      await server.dispose();
    }
  });
});

it.each(['migrate', 'import'])('in production no folder is made for a store: %s', async (command) => {
  const file = join(folder, 'plants.ndjson');
  writeFileSync(file, exportOf([]));
  const [name, ...args] = command === 'import' ? ['plants', 'import', file] : ['migrate'];
  const url = `sqlite:${folder}/dta/plants.db`;
  const { code, stdout, stderr } = await runScript(name, args, url, '', { NODE_ENV: 'production' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`there is no folder ${folder}/dta. Make it, or name another file in DATABASE_URL`);
  expect(readdirSync(folder)).toEqual(['plants.ndjson']);
});

describeOnPostgres('a PostgreSQL whose index lacks plants', () => {
  it('is neither exported nor verified', async () => {
    const database = await freshDatabase();
    try {
      await (await openPostgresStore(database.url)).close();
      await database.sql(`INSERT INTO plants SELECT id, 'Ficus' FROM generate_series(1, 50) id`);
      const setIndex = (isReady: boolean): Promise<unknown> =>
        query(
          database.url,
          `SET allow_system_table_mods = on; UPDATE pg_index SET indisready = ${isReady} WHERE indrelid = 'plants'::regclass`,
        );
      await setIndex(false);
      await database.sql(`INSERT INTO plants SELECT id, 'Ficus' FROM generate_series(51, 60) id`);
      await setIndex(true);
      const stderr = expect.stringMatching(
        /^the store postgres:\S+ is damaged: of 60 plants 50 are found by their ids: the index of ids is damaged\. REINDEX TABLE plants makes it anew\n$/,
      ) as unknown;
      for (const args of [['export', '-'], ['verify']]) {
        expect(await runScript('plants', args, database.url)).toEqual({ code: 1, stdout: '', stderr });
      }
      await database.sql('REINDEX TABLE plants');
      expect(await runScript('plants', ['verify'], database.url)).toMatchObject({ code: 0 });
    } finally {
      await database.drop();
    }
  });
});

describeOnPostgres('a PostgreSQL of which plants are hidden while they are exported', () => {
  const DETACHED = 'ALTER TABLE plants DETACH PARTITION high';
  const ALTERED = 'its table was altered while it was read: others may have been hidden';
  it.each([
    ['', DETACHED, 'expected the 40000 plants that were there before, or more, got 20000: others may have been hidden'],
    [
      ', beside as many new ones',
      `${DETACHED}; INSERT INTO plants SELECT id, 'Ficus' FROM generate_series(40000, 59999) id`,
      ALTERED,
    ],
    [
      ' for a moment',
      `${DETACHED}; ALTER TABLE plants ATTACH PARTITION high FOR VALUES FROM (20000) TO (40000)`,
      ALTERED,
    ],
  ])('is not exported as if it were whole%s', async (_how, change, message) => {
    const database = await freshDatabase();
    try {
      await (await openPostgresStore(database.url)).close();
      const part = (name: string, from: number, to: number): string =>
        `CREATE TABLE ${name} PARTITION OF plants FOR VALUES FROM (${from}) TO (${to}); `;
      await database.sql(
        'ALTER TABLE plants RENAME TO others; CREATE TABLE plants (LIKE others) PARTITION BY RANGE (id); ALTER TABLE plants ADD PRIMARY KEY (id); ' +
          `${part('low', 0, 20_000)}${part('high', 20_000, 40_000)}${part('new', 40_000, 60_000)}` +
          `INSERT INTO plants SELECT id, repeat('Ficus', 9) FROM generate_series(0, 39999) id`,
      );
      const child = spawnScript('plants', ['export', '-'], database.url);
      // As long as nobody reads on, it waits with the lines that the pipe has no room for.
      await once(child.stdout, 'readable');
      await database.sql(change);
      const ended = endOf(child);
      child.stdout.resume();
      expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining(message) as unknown });
    } finally {
      await database.drop();
    }
  });
});

describe('a store that cannot be read', () => {
  const file = (): string => join(folder, 'plants.db');

  it.each(['export', 'verify'])('is not made where it is missing: %s', async (command) => {
    const args = command === 'export' ? [command, join(folder, 'out')] : [command];
    expect(await runScript('plants', args, `sqlite:${file()}`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `expected DATABASE_URL to name a store, and there is no file ${file()}\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOf } from '../../../src/plants/commands/pages';
import { verifySqliteFile } from '../../../src/plants/sqlite/open';
import { SqliteCode, sqliteCode } from '../../../src/plants/sqlite/driver';
import { temporaryFolder } from '../../support/temporary-folder';
import { changeKey, makeFile, openSqliteStore, overwritePage, PAGE_BYTES, runSql } from './files';

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), 'plants.db');
});

describe('a page in the middle that is damaged', () => {
  const COUNT = 1_000;
  beforeEach(async () => {
    makeFile(file, COUNT);
    await openSqliteStore(file).close(); // a migration would read every page
  });
  const damage = (): void => overwritePage(file, Math.floor(statSync(file).size / PAGE_BYTES / 2));

  it.each(['before the start', 'while it serves'])('%s: no plant that meets it is said to be stored', async (when) => {
    if (when === 'before the start') damage(); // which is not looked for
    const store = openSqliteStore(file);
    if (when === 'while it serves') damage();
    const outcomes = new Map<string, number>();
    for (let id = 1n; id <= COUNT; id++) {
      const outcome = await store.addAll([{ id, name: '00'.repeat(500) }]).then(
        ([each]) => String(each),
        (error: unknown) => `error ${sqliteCode(error)}`,
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const { replayed = 0, [`error ${SqliteCode.CORRUPT}`]: refused = 0, ...others } = Object.fromEntries(outcomes);
    expect(others).toEqual({});
    expect(refused).toBeGreaterThan(0);
    expect(replayed + refused).toBe(COUNT);
    await store.close();
  });

  it('is found by the full check', () => {
    damage();
    expect(verifySqliteFile(file)).toEqual([
      expect.stringMatching(/^Tree 2 page \d+: |^database disk image is malformed$/),
    ]);
  });
});

describe('the full check', () => {
  it('finds nothing in a sound store, also while it is served', async () => {
    const store = openSqliteStore(file);
    await store.addAll([{ id: 2n ** 63n - 1n, name: 'Ficus' }]);
    expect(verifySqliteFile(file)).toEqual([]);
    await store.addAll([{ id: -(2n ** 63n), name: 'Ficus' }]);
    await store.close();
    expect(verifySqliteFile(file)).toEqual([]);
  });

  it('refuses what is no store, and makes none', () => {
    expect(() => verifySqliteFile(file)).toThrow(`the store ${file} cannot be verified: there is no such file`);
    expect(existsSync(file)).toBe(false);
    runSql(file, 'CREATE TABLE herbs (latin TEXT)');
    expect(() => verifySqliteFile(file)).toThrow('no such table: plants). Name another file in DATABASE_URL');
  });
});

it.each([
  ['no UTF-8', '466963FF'],
  ['not UTF-8 to its end', '46F09F8C'],
  ['a text with U+0000', '46004F'],
])('a name that is %s is never read as another', async (_what, bytes) => {
  makeFile(file);
  runSql(file, `INSERT INTO plants VALUES (1, '\ufffd', NULL), (2, CAST(x'${bytes}' AS TEXT), NULL)`);
  const store = openSqliteStore(file);
  expect(await store.page(1n, 1)).toEqual([{ id: 1n, name: '\ufffd' }]);
  const expected = `expected UTF-8 without U+0000 as the name of plant 2, got the bytes ${bytes}`;
  expect(() => store.page(1n, 2)).toThrow(expected);
  await expect(store.find([1n, 2n])).rejects.toThrow(expected);
  await expect(store.addAll([{ id: 2n, name: 'Fi\ufffd' }])).rejects.toMatchObject({
    name: 'BatchRefused',
    cause: { message: expected },
  });
  await store.close();
});

describe('a key of the tree that is damaged', () => {
  const read = async (): Promise<number> => {
    const store = openSqliteStore(file);
    let count = 0;
    for await (const page of pagesOf(store)) count += page.length;
    return count;
  };
  /** The last plant of the first page that is read: the third in a page of the tree, which has four. */
  let last: number;
  beforeEach(async () => {
    makeFile(file, 3_000);
    const store = openSqliteStore(file);
    const { length } = await store.page(1n, 1_001);
    await store.close();
    last = length + ((7 - (length % 4)) % 4);
    runSql(file, `DELETE FROM plants WHERE id <= ${last - length}`);
  });

  it('is not there in a sound store, of which every plant is read', async () => {
    expect(await read()).toBe(Number(runSql(file, 'SELECT count(*) AS plants FROM plants')[0]?.plants));
  });

  it.each([
    ['larger, so that plants would be read again', -3, 0],
    ['smaller, so that plants would be passed over', 1, -2],
  ])('is %s: the read of all plants ends with an error', async (_what, key, to) => {
    changeKey(file, last + key, last + to);
    await expect(read()).rejects.toThrow(`the plant with id ${last} is not found in its place: the store is damaged`);
  });
});

import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rowsOf } from '../support/store';
import { openSqliteStore, runSql } from './files';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
  file = join(folder, 'data', 'plants.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('new files', () => {
  it.each([0o000, 0o022, 0o077])('and folders are for their owner alone, with umask %o', async (umask) => {
    const before = process.umask(umask);
    file = join(folder, 'a', 'b', 'plants.db');
    const store = openSqliteStore(file);
    process.umask(before);
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    expect([join(folder, 'a'), join(folder, 'a', 'b')].map(modeOf)).toEqual(['700', '700']);
    expect(['', '-wal', '-shm'].map((beside) => modeOf(file + beside))).toEqual(['600', '600', '600']);
    await store.close();
  });

  it('are made in a folder as it is, and a file that was there keeps its mode', async () => {
    mkdirSync(dirname(file));
    chmodSync(dirname(file), 0o755);
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    await openSqliteStore(file).close();
    expect([dirname(file), file].map(modeOf)).toEqual(['755', '640']);
  });
});

describe('a file in use that is', () => {
  const data = (): string => dirname(file);
  const aside = (): string => join(folder, 'aside');
  const replace = (path: string): void => {
    renameSync(path, aside());
    copyFileSync(aside(), path);
  };
  const losses: [name: string, lose: () => void][] = [
    ['removed', () => rmSync(file)],
    ['renamed', () => renameSync(file, aside())],
    ['replaced by a copy', () => replace(file)],
    ['without its log', () => rmSync(`${file}-wal`)],
    ['beside another log', () => replace(`${file}-wal`)],
    ["without its log's index", () => rmSync(`${file}-shm`)],
    ['in a folder that is renamed', () => renameSync(data(), aside())],
    [
      'in a folder that is replaced',
      () => {
        renameSync(data(), aside());
        mkdirSync(data());
        for (const beside of ['', '-wal', '-shm']) copyFileSync(join(aside(), `plants.db${beside}`), file + beside);
      },
    ],
    ['in a folder that is removed', () => rmSync(data(), { recursive: true })],
    [
      'behind a link that leads elsewhere',
      () => {
        rmSync(join(folder, 'link'));
        symlinkSync(folder, join(folder, 'link'));
      },
    ],
  ];

  it.each(losses)('%s: the next create fails, and all after it', async (_name, lose) => {
    const { store, broken, toldOf } = await openedBehindLink();
    lose();
    const expected = {
      name: 'NotInPlace',
      message:
        `the store ${join(folder, 'link', 'plants.db')}, its -wal or its -shm file was removed, renamed or replaced while ` +
        'it was served. What was answered with 200 before that is in the files which were there; put them back, then ' +
        'start again',
    };
    await expect(store.addAll([{ id: 2n, name: 'Hedera' }])).rejects.toMatchObject(expected);
    await expect(store.addAll([{ id: 3n, name: 'Aloe' }])).rejects.toMatchObject(expected);
    expect(await broken).toMatchObject(expected);
    expect(toldOf()).toBe(1);
    const before = fingerprints();
    await store.close();
    expect(fingerprints()).toEqual(before);
  });

  // By the same look, so that some of them are enough: each takes a second.
  it.each(losses.filter((_each, index) => index % 4 === 0))(
    '%s is noticed where nobody creates',
    async (_name, lose) => {
      const { store, broken } = await openedBehindLink();
      lose();
      expect(await broken).toMatchObject({ name: 'NotInPlace' });
      await store.close();
    },
  );

  /** A store on the file, which it reaches by a link to its folder. */
  async function openedBehindLink(): Promise<{
    store: ReturnType<typeof openSqliteStore>;
    broken: Promise<Error>;
    toldOf: () => number;
  }> {
    mkdirSync(data());
    symlinkSync(data(), join(folder, 'link'));
    let [resolve, times] = [(_error: Error): void => undefined, 0];
    const broken = new Promise<Error>((each) => (resolve = each));
    const store = openSqliteStore(join(folder, 'link', 'plants.db'), {
      broken(error) {
        times++;
        resolve(error);
      },
    });
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    // Some file systems tell the time of a change in steps of milliseconds.
    await new Promise((later) => setTimeout(later, 20));
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    return { store, broken, toldOf: () => times };
  }

  /** What lies where the store was. */
  function fingerprints(): (string | undefined)[] {
    return ['', '-wal', '-shm'].map((beside) => {
      try {
        return createHash('sha256')
          .update(readFileSync(file + beside))
          .digest('hex');
      } catch {
        return undefined;
      }
    });
  }
});

it('what else happens to a folder and its files is none of its business', async () => {
  const store = openSqliteStore(file);
  let id = 0n;
  const strangers = [
    (): void => writeFileSync(join(dirname(file), 'notes'), 'x'),
    (): void => rmSync(join(dirname(file), 'notes')),
    (): void => chmodSync(dirname(file), 0o755),
    (): void => chmodSync(file, 0o644),
    (): void => void runSql(file, 'PRAGMA wal_checkpoint(TRUNCATE)'),
    (): void => void runSql(file, `VACUUM INTO '${join(dirname(file), 'backup.db')}'`),
  ];
  for (const act of strangers) {
    act();
    expect(await store.addAll([{ id: id++, name: 'Ficus' }])).toEqual(['stored']);
  }
  await store.close();
  expect(rowsOf(file)).toHaveLength(strangers.length);
});

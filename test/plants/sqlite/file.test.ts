import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../../src/plants/sqlite/driver';
import { verifySqliteFile } from '../../../src/plants/sqlite/open';
import { temporaryFolder } from '../../support/temporary-folder';
import { rowsOf } from '../support/store';
import { makeFile, openSqliteStore, PAGE_BYTES, runSql } from './files';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'data', 'plants.db');
});

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

it('has one name: by another it would have another log, and the plants in one of them would be lost', async () => {
  const store = openSqliteStore(file);
  await store.addAll([{ id: 1n, name: 'Ficus' }]);
  const link = join(folder, 'link.db');
  linkSync(file, link);
  for (const name of [link, file]) {
    expect(() => openSqliteStore(name)).toThrow(
      `the store ${name} cannot be opened: it has several names (hard links)`,
    );
    expect(() => verifySqliteFile(name)).toThrow('it has several names (hard links)');
  }
  rmSync(link);
  expect(await store.addAll([{ id: 2n, name: 'Hedera' }])).toEqual(['stored']);
  verifySqliteFile(file);
});

describe('a log whose file is', () => {
  const losses: [what: string, lose: () => void][] = [
    ['missing', () => rmSync(file)],
    ['empty', () => truncateSync(file)],
  ];

  it.each(losses)('%s, after a kill: nothing is opened, and the log is kept', async (what, lose) => {
    const killed = file;
    const store = openSqliteStore(killed);
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    file = join(folder, 'left.db');
    for (const beside of ['', '-wal']) copyFileSync(killed + beside, file + beside);
    lose();
    const before = readFileSync(`${file}-wal`);
    const message =
      `it is ${what}, and its log ${file}-wal is not: plants that were answered with 200 may be there alone. ` +
      'Put back the file that belongs to the log; or move the -wal and -shm files away, to begin with an empty store';
    expect(() => openSqliteStore(file)).toThrow(`the store ${file} cannot be opened: ${message}`);
    if (what === 'empty') expect(() => verifySqliteFile(file)).toThrow(message);
    expect(existsSync(file)).toBe(what === 'empty');
    expect(readFileSync(`${file}-wal`)).toEqual(before);
    copyFileSync(killed, file);
    expect(rowsOf(file)).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
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
    ['emptied', () => truncateSync(file)],
    ['replaced by a copy', () => replace(file)],
    ['without its log', () => rmSync(`${file}-wal`)],
    ['beside a log that is emptied', () => truncateSync(`${file}-wal`)],
    ['beside a log that is cut', () => truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 100)],
    ["beside another log's index", () => replace(`${file}-shm`)],
    ['in a folder that is renamed', () => renameSync(data(), aside())],
    [
      'behind a link that leads elsewhere',
      () => {
        rmSync(join(folder, 'link'));
        symlinkSync(folder, join(folder, 'link'));
      },
    ],
  ];

  it.each(losses)('%s: the next create fails, and all after it', async (_name, lose) => {
    mkdirSync(data());
    symlinkSync(data(), join(folder, 'link'));
    const broken: Error[] = [];
    const store = openSqliteStore(join(folder, 'link', 'plants.db'), { broken: (error) => broken.push(error) });
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    lose();
    const message =
      `the store ${join(folder, 'link', 'plants.db')}, its -wal or its -shm file was removed, renamed, replaced, emptied or cut while ` +
      'it was served. What was answered with 200 before that is in the files which were there; put them back, then ' +
      'start again';
    const expected = { name: 'NotInPlace', message: expect.stringContaining(message) as string };
    await expect(store.addAll([{ id: 2n, name: 'Hedera' }])).rejects.toMatchObject(expected);
    await expect(store.addAll([{ id: 3n, name: 'Aloe' }])).rejects.toMatchObject(expected);
    expect(broken).toMatchObject([expected]);
    const before = fingerprints();
    await store.close();
    expect(fingerprints()).toEqual(before);
  });

  describe('another by now', () => {
    const backup = (): string => join(folder, 'backup.db');
    const replacements: [how: string, replace: () => void][] = [
      ['replaced by a backup', () => renameSync(backup(), file)],
      ['overwritten with a smaller backup', () => copyFileSync(backup(), file)],
    ];

    it.each(replacements)('%s: no start writes its log into the backup', async (_how, replace) => {
      mkdirSync(data());
      makeFile(file, 40);
      runSql(file, `VACUUM INTO '${backup()}'`);
      const inBackup = rowsOf(backup());
      const store = openSqliteStore(file, { logPages: 1, broken: () => undefined });
      for (let id = 100n; id < 220n; id++) await store.addAll([{ id, name: 'Ficus '.repeat(300) }]);
      replace();
      await expect(store.addAll([{ id: 1n, name: 'Hedera' }])).rejects.toThrow(
        /; put them back, then start again\. Their log is \S+plants\.db-wal\.\d{4}-\S+ by now, so that no start writes it into another file$/,
      );
      await store.close();
      // What the next process finds: this one still has the file open.
      const next = join(folder, 'next.db');
      for (const beside of ['', '-wal']) if (existsSync(file + beside)) copyFileSync(file + beside, next + beside);
      await openSqliteStore(next).close();
      expect(verifySqliteFile(next)).toEqual([]);
      expect(rowsOf(next)).toEqual(inBackup);
    });
  });

  it('cut: the next create fails', async () => {
    mkdirSync(data());
    makeFile(file, 40);
    const store = openSqliteStore(file, { broken: () => undefined });
    await store.addAll([{ id: 100n, name: 'Ficus' }]);
    truncateSync(file, 8 * PAGE_BYTES);
    await expect(store.addAll([{ id: 101n, name: 'Hedera' }])).rejects.toMatchObject({ name: 'NotInPlace' });
  });

  it('made smaller by another connection: creates succeed, and are stored', async () => {
    mkdirSync(data());
    makeFile(file, 400);
    const store = openSqliteStore(file, { logPages: 10 });
    const other = openDatabase(file);
    const sizes = new Set<number>();
    for (let id = 1_000n; id < 1_040n; id++) {
      other.exec(`DELETE FROM plants WHERE id <= ${10n * (id - 999n)}`);
      if (id % 4n === 0n) other.exec('VACUUM');
      if (id % 8n === 0n) other.exec('PRAGMA wal_checkpoint(PASSIVE)');
      expect(await store.addAll([{ id, name: 'Ficus '.repeat(200) }])).toEqual(['stored']);
      sizes.add(statSync(file).size);
    }
    other.close();
    await store.close();
    expect(sizes.size).toBeGreaterThan(3);
    expect(rowsOf(file)).toHaveLength(40);
    expect(verifySqliteFile(file)).toEqual([]);
  });

  const canMount = process.platform === 'linux' && process.getuid?.() === 0;
  (canMount ? it : it.skip)('below another disk, on which it has the same number: the next create fails', async () => {
    const mount = (): unknown => execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', data()]);
    const unmount = (): unknown => execFileSync('umount', [data()]);
    mkdirSync(data());
    mount();
    try {
      const store = openSqliteStore(file, { broken: () => undefined });
      await store.addAll([{ id: 1n, name: 'Ficus' }]);
      const { ino } = statSync(file);
      mount();
      makeFile(file);
      writeFileSync(`${file}-wal`, 'the log of a store of that disk');
      const other = statSync(file).ino;
      const added = store.addAll([{ id: 2n, name: 'Hedera' }]);
      await expect(added).rejects.toMatchObject({ name: 'NotInPlace' });
      await store.close();
      expect(readdirSync(data())).toEqual(['plants.db', 'plants.db-wal']);
      unmount();
      expect(other).toBe(ino);
    } finally {
      execFileSync('umount', ['--lazy', data()]);
    }
  });

  it('beside a log that is emptied after the last create: closing it changes nothing', async () => {
    const broken: Error[] = [];
    const store = openSqliteStore(file, { broken: (error) => broken.push(error) });
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    truncateSync(`${file}-wal`);
    const before = readFileSync(file);
    await store.close();
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(statSync(`${file}-wal`).size).toBe(0);
    expect(broken).toMatchObject([{ name: 'NotInPlace' }]);
  });

  it.each([
    ['emptied', () => 0],
    ['cut', (bytes: number) => bytes - 1],
  ])('beside a log that is %s: no checkpoint writes the hole to the file', async (_how, left) => {
    for (let plants = 1n; plants <= 4n; plants++) {
      file = join(folder, String(plants), 'plants.db');
      // Each has five pages at least: the first checkpoint is that before the create that meets the hole.
      const store = openSqliteStore(file, { logPages: 5 * Number(plants), broken: () => undefined });
      for (let id = 0n; id < plants; id++) await store.addAll([{ id, name: 'Ficus '.repeat(2_000) }]);
      truncateSync(`${file}-wal`, left(statSync(`${file}-wal`).size));
      const before = readFileSync(file);
      await expect(store.addAll([{ id: -1n, name: 'Hedera' }])).rejects.toMatchObject({ name: 'NotInPlace' });
      await store.close();
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  it('emptied in its log by a checkpoint of another connection: creates succeed, and are stored', async () => {
    const store = openSqliteStore(file);
    const other = openDatabase(file);
    for (let id = 0n; id < 20n; id++) {
      expect(await store.addAll([{ id, name: 'Ficus' }])).toEqual(['stored']);
      if (id % 3n === 0n) other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    await store.close();
    expect(rowsOf(file)).toHaveLength(20);
  });

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

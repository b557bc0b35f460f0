import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { openSqliteStore } from './files';

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
    const expected = {
      name: 'NotInPlace',
      message:
        `the store ${join(folder, 'link', 'plants.db')}, its -wal or its -shm file was removed, renamed, replaced or emptied while ` +
        'it was served. What was answered with 200 before that is in the files which were there; put them back, then ' +
        'start again',
    };
    await expect(store.addAll([{ id: 2n, name: 'Hedera' }])).rejects.toMatchObject(expected);
    await expect(store.addAll([{ id: 3n, name: 'Aloe' }])).rejects.toMatchObject(expected);
    expect(broken).toMatchObject([expected]);
    const before = fingerprints();
    await store.close();
    expect(fingerprints()).toEqual(before);
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

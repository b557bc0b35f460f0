/** Exports that are repeated, interrupted, cut off, and written to a full disk; and what imports say of them. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openSqliteStore } from '../../src/plants/sqlite/store';
import { eventually } from '../support/eventually';
import { temporaryFolder } from '../support/temporary-folder';
import { makeFile, runSql } from './sqlite/files';
import { exportOf, sha256Of } from './support/export-of';
import { endOf, type Ended, runScript, spawnScript } from './support/run-script';

let [folder, store, file, url] = ['', '', '', ''];
beforeEach(() => {
  folder = temporaryFolder();
  [store, file] = [join(folder, 'plants.db'), join(folder, 'plants.jsonl')];
  url = `sqlite:${store}`;
});

const plants = (...args: string[]): Promise<Ended> => runScript('plants', args, url);
const lineOf = (id: number): string => `{"id":${id},"name":"Ficus"}`;
const add = async (...ids: number[]): Promise<void> => {
  const opened = openSqliteStore(store);
  await opened.addAll(ids.map((id) => ({ id: BigInt(id), name: 'Ficus' })));
  await opened.close();
};

it('a second export into the file has what was created meanwhile, whatever the ids', async () => {
  await add(10, 20);
  expect(await plants('export', file)).toMatchObject({ code: 0 });
  await add(5, 15);
  expect(await plants('export', file)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(exportOf([5, 10, 15, 20].map(lineOf)));
});

it.each(['plants.db', 'plants.db-wal', 'plants.db-shm'])('no export is written over %s', async (name) => {
  await add(1);
  const named = join(folder, name);
  const stderr = `${named} is there, and does not end as a whole export does: it is left as it is. Name another file, or remove this one\n`;
  expect(await plants('export', named)).toEqual({ code: 1, stdout: '', stderr });
  expect(runSql(store, 'SELECT id, name FROM plants')).toEqual([{ id: 1, name: 'Ficus' }]);
});

it('no export has the name of a journal, which SQLite would remove', async () => {
  await add(1);
  const stderr = `expected a FILE that does not belong to the store, got ${store}-journal\n`;
  expect(await plants('export', `${store}-journal`)).toEqual({ code: 1, stdout: '', stderr });
  const linked = join(temporaryFolder(), 'linked');
  symlinkSync(folder, linked);
  expect(await plants('export', join(linked, 'plants.db-journal'))).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(`${store}-journal`)).toBe(false);
});

it('an import ends with one line where its store is removed meanwhile', async () => {
  const child = spawnScript('plants', ['import', '-'], url);
  const ended = endOf(child);
  await once(child.stderr, 'data'); // that the store is made
  renameSync(store, `${store}.aside`);
  child.stdin.end(exportOf([1, 2].map(lineOf)));
  const { code, stderr } = await ended;
  expect(code).toBe(1);
  expect(stderr.split('\n')).toEqual([
    `made the store ${store}`,
    '0 plants of it are there; once the cause is mended, run it again and it goes on',
    expect.stringMatching(/^the store \S+, its -wal or its -shm file was removed, .* put them back, then start again$/),
    '',
  ]);
});

describe('an export that is on its way', () => {
  let child: ReturnType<typeof spawnScript>;
  let ended: Promise<Ended>;

  /** Stops it for a while as soon as it has begun. */
  beforeEach(async () => {
    await add(1);
    await plants('export', file);
    runSql(
      store,
      `WITH RECURSIVE n (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM n)
       INSERT INTO plants SELECT id, 'Ficus', NULL FROM n LIMIT 99999`,
    );
    child = spawnScript('plants', ['export', file], url);
    ended = endOf(child);
    await eventually(() => expect(existsSync(`${file}.part`)).toBe(true));
    child.kill('SIGSTOP');
    expect(existsSync(`${file}.part`)).toBe(true);
  });
  afterEach(() => child.kill('SIGKILL'));

  it('is the only one to this file', async () => {
    const { code, stderr } = await plants('export', file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/another export is writing it/) as string,
    });
    child.kill('SIGCONT');
    expect(await ended).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(100_002);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves the earlier one, and nothing else, at %s',
    async (signal) => {
      child.kill(signal);
      child.kill('SIGCONT');
      expect(await ended).toEqual({ code: null, stdout: '', stderr: '' });
      expect(child.signalCode).toBe(signal);
      expect(readFileSync(file, 'utf8')).toBe(exportOf([lineOf(1)]));
      expect(existsSync(`${file}.part`)).toBe(false);
    },
  );

  it('leaves the earlier one where a newer program has migrated the store meanwhile', async () => {
    for (const each of ['ALTER TABLE plants ADD COLUMN colour TEXT', 'PRAGMA user_version = 2']) runSql(store, each);
    child.kill('SIGCONT');
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toContain('its schema is of version 2, and this program knows 1: what is newer would be left out');
    expect(readFileSync(file, 'utf8')).toBe(exportOf([lineOf(1)]));
  });

  it('leaves the earlier one at kill -9, and its part, which the next one names', async () => {
    child.kill('SIGKILL');
    await ended;
    expect(readFileSync(file, 'utf8')).toBe(exportOf([lineOf(1)]));
    const { code, stderr } = await plants('export', file);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${file}.part is there`) as string });
  });
});

/** A disk of 64 KB, mounted where only the commands see it that are run on it. */
const onSmallDisk = (disk: string, commands: string): string[] => [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=64k tmpfs '${disk}' && cd '${disk}' && ${commands}`,
];

const [program = '', ...probe] = onSmallDisk(temporaryFolder(), 'true');
const canMount = spawnSync(program, probe).status === 0;
const testMounted = canMount || process.env.CI ? it : it.skip;

function runOnSmallDisk(commands: string): { stdout: string; stderr: string } {
  const [name = '', ...args] = onSmallDisk(temporaryFolder(), commands);
  const cli = join(dirname(process.env.PROGRAM ?? ''), 'cli.js');
  const env = { PATH: process.env.PATH, DATABASE_URL: url, PLANTS: `${process.execPath} ${cli} plants` };
  const { stdout, stderr } = spawnSync(name, args, { env, encoding: 'utf8' });
  return { stdout, stderr };
}

describe('a full disk', () => {
  beforeEach(() => {
    store = join(temporaryFolder(), 'plants.db');
    url = `sqlite:${store}`;
  });

  testMounted('leaves the earlier export, and nothing else', async () => {
    await add(1);
    writeFileSync(file, exportOf([lineOf(1)]));
    await add(...Array.from({ length: 3_000 }, (_, id) => id));
    expect(runOnSmallDisk(`cp ${file} . && $PLANTS export plants.jsonl; echo $?; ls; cat plants.jsonl`)).toEqual({
      stdout: `1\nplants.jsonl\n${exportOf([lineOf(1)])}`,
      stderr: 'plants.jsonl was not written: ENOSPC: no space left on device, write\n',
    });
  });

  testMounted('is an error also where only the last bytes of a redirected export are lost', async () => {
    const overhead = '{"id":1,"name":""}\n'.length;
    const opened = openSqliteStore(store);
    await opened.addAll([{ id: 1n, name: 'x'.repeat(65_536 - 50 - overhead) }]);
    await opened.close();
    expect(runOnSmallDisk('$PLANTS export - > file; echo $?; wc -c < file')).toEqual({
      stdout: '1\n65536\n',
      stderr: 'ENOSPC: no space left on device, write\n',
    });
  });
});

testMounted('a store that is mounted without its folder is refused: its log would stay behind', async () => {
  store = join(temporaryFolder(), 'plants.db');
  url = `sqlite:${store}`;
  await add(1);
  const { stdout, stderr } = runOnSmallDisk(
    `touch mine.db && mount --bind '${store}' mine.db && DATABASE_URL="sqlite:$PWD/mine.db" $PLANTS verify; echo $?`,
  );
  expect(stdout).toBe('1\n');
  expect(stderr).toContain(
    'it is mounted without its folder, so that its log, where the last plants are, stays behind.',
  );
});

it('an export whose reader goes away is an error of one line', async () => {
  makeFile(store, 10_000);
  const child = spawnScript('plants', ['export', '-'], url);
  const ended = endOf(child);
  child.stdout.destroy();
  expect(await ended).toMatchObject({ code: 1, stderr: 'write EPIPE\n' });
});

it('an export to an output that is closed, in place of which Node has the null device, is an error', async () => {
  await add(1);
  const program = join(dirname(process.env.PROGRAM ?? ''), 'cli.js');
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" plants export - >&-', process.execPath, program], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'expected stdout to be a file or a pipe, got /dev/null, which stands for one that is closed, too\n',
  ]);
});

it.each(['export', 'verify'])('an emptied store is no empty one, and %s leaves the log beside it', async (command) => {
  writeFileSync(store, '');
  writeFileSync(`${store}-wal`, 'what it has');
  const { code, stderr } = await plants(...(command === 'export' ? [command, file] : [command]));
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `expected DATABASE_URL to name a store, and the file ${store} is empty\n`,
  });
  expect(readFileSync(`${store}-wal`, 'utf8')).toBe('what it has');
  expect(readdirSync(folder)).toEqual(['plants.db', 'plants.db-wal']);
});

it.each(['export', 'verify'])('a database without plants is no store, and %s leaves it as it is', async (command) => {
  runSql(store, 'CREATE TABLE notes (id INTEGER)');
  const before = readFileSync(store);
  for (const run of ['first', 'second'])
    expect({ run, ...(await plants(...(command === 'export' ? [command, '-'] : [command]))) }).toMatchObject({
      ...{ run, code: 1, stdout: '' },
      stderr: expect.stringMatching(/it is a database of something else/) as string,
    });
  expect(readFileSync(store).equals(before)).toBe(true);
});

it.each(['export', 'verify'])(
  'what a newer program has stored is not left out in silence: %s ends with 1',
  async (command) => {
    await add(1);
    for (const each of ['ALTER TABLE plants ADD COLUMN colour TEXT', 'PRAGMA user_version = 2']) runSql(store, each);
    const { code, stderr } = await plants(...(command === 'export' ? [command, file] : [command]));
    expect(code).toBe(1);
    expect(stderr).toContain('its schema is of version 2, and this program knows 1: what is newer would be left out');
    expect(existsSync(file)).toBe(false);
  },
);

it('verify ends with 1 for damage that hides no plant', async () => {
  await add(1);
  const bytes = readFileSync(store);
  bytes.writeUInt32BE(3, 36); // free pages, of which there are none
  writeFileSync(store, bytes);
  expect(await plants('verify')).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(/size is 0 but should be 3\n$/) as string,
  });
});

it('an export says what it leaves out: a column that no property has', async () => {
  await add(1);
  runSql(store, 'ALTER TABLE plants ADD COLUMN "made at" TEXT');
  const { code, stderr } = await plants('export', file);
  expect(code).toBe(0);
  expect(stderr).toContain(
    `the store ${store}: its table plants has a column made at that this program does not know: `,
  );
});

it('a file to be imported that is missing makes no store', async () => {
  const stderr = `ENOENT: no such file or directory, access '${file}'\n`;
  expect(await plants('import', file)).toEqual({ code: 1, stdout: '', stderr });
  expect(readdirSync(folder)).toEqual([]);
});

describe('a file to be imported', () => {
  beforeEach(() => openSqliteStore(store).close());
  const lines = [1, 2, 3].map(lineOf);
  const whole = exportOf(lines);
  const noEndMark = (name: string, count: number): string =>
    `imported ${totalOf(count)}; ${count} of them are new\n` +
    `${name} has no end mark: it was cut off, or is no export of this program. If it is all there is, run this again with --without-end\n`;
  const totalOf = (count: number): string => `${count} plants, sha256 ${sha256Of(lines.slice(0, count))}`;
  const again = '0 plants of it are there; once the cause is mended, run it again and it goes on\n';

  it.each<[what: string, text: string, stderr: string]>([
    ['cut at the end of a line', `${lines.join('\n')}\n`, noEndMark('FILE', 3)],
    ['cut before its first line', '', noEndMark('FILE', 0)],
    ['cut in a line', lineOf(1).slice(0, 9), `${again}FILE:1 `],
    ['cut in its end mark', whole.slice(0, -50), `${again}FILE:4 `],
    [
      'changed in its middle',
      exportOf(lines).replace(`${lineOf(3)}\n`, ''),
      `${again}FILE:3 the end mark is not that of the lines before it, of which some were lost or changed: ` +
        `expected ${totalOf(2)}, got {"end":{"plants":3,"sha256":"${sha256Of(lines)}"}}\n`,
    ],
    [
      'converted to the line ends of Windows',
      whole.replaceAll('\n', '\r\n'),
      `${again}FILE:4 expected line feeds alone, got carriage returns before them: the file was converted on its way\n`,
    ],
    ['followed by another', whole + whole, `${again}FILE:5 expected nothing after the end mark\n`],
  ])('is not taken for whole where it was %s', async (_what, text, expected) => {
    writeFileSync(file, text);
    const { code, stderr } = await plants('import', file);
    expect(code).toBe(1);
    expect(stderr.replaceAll(file, 'FILE').slice(0, expected.length)).toBe(expected);
  });

  it('may lack the end mark if the command line says so, but nothing else', async () => {
    writeFileSync(file, lines.join('\n'));
    const stderr = `imported ${totalOf(3)}; 3 of them are new\n`;
    expect(await plants('import', file, '--without-end')).toEqual({ code: 0, stdout: '', stderr });
    writeFileSync(file, whole.replace(`${lineOf(3)}\n`, ''));
    expect(await plants('import', file, '--without-end')).toMatchObject({ code: 1 });
    writeFileSync(file, '');
    expect(await plants('import', file, '--without-end')).toEqual({
      code: 1,
      stdout: '',
      stderr: `imported ${totalOf(0)}; 0 of them are new\n${file} has no plants\n`,
    });
  });

  it('is the standard input for -, which is a socket where another program has started this one', async () => {
    const stderr = `imported ${totalOf(3)}; 3 of them are new\n`;
    expect(await runScript('plants', ['import', '-'], url, whole)).toEqual({ code: 0, stdout: '', stderr });
    expect(await runScript('plants', ['import', '-'], url, lines[0])).toMatchObject({
      code: 1,
      stderr: noEndMark('stdin', 1).replace('1 of them are', '0 of them are'),
    });
  });
});

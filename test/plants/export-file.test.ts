/** The file of an export: whole under its name or not there, and nothing else is written over. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeExportFile } from '../../src/plants/commands/export-file';
import { temporaryFolder } from '../support/temporary-folder';
import { exportOf } from './support/export-of';

const EARLIER = exportOf(['{"id":1,"name":"Aloe"}']);
const LATER = exportOf(['{"id":1,"name":"Aloe"}', '{"id":2,"name":"Ficus"}']);

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), 'plants.jsonl');
});

it('replaces an earlier one, and keeps its mode', async () => {
  writeFileSync(file, EARLIER, { mode: 0o640 });
  await writeExportFile(file, (append) => append(LATER));
  expect(readFileSync(file, 'utf8')).toBe(LATER);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(dirname(file))).toEqual(['plants.jsonl']);
});

it.each<[what: string, reason: string, make: () => void]>([
  ['a file of settings', 'does not end as a whole export does', () => writeFileSync(file, 'TOKEN=secret')],
  ['an empty file', 'does not end as a whole export does', () => writeFileSync(file, '')],
  ['an export that was cut', 'does not end as a whole export does', () => writeFileSync(file, LATER.slice(0, -90))],
  ['an export that was added to', 'does not end as a whole export does', () => writeFileSync(file, `${LATER}{}\n`)],
  ['a folder', 'is no regular file', () => mkdirSync(file)],
  ['a link to an export', 'is no regular file', linkToExport],
])('is not written over %s', async (_what, reason, make) => {
  make();
  const before = stateOf(file);
  await expect(writeExportFile(file, never)).rejects.toThrow(
    `${file} is there, and ${reason}: it is left as it is. Name another file, or remove this one`,
  );
  expect(stateOf(file)).toEqual(before);
  expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('is not written over what has come there meanwhile', async () => {
  const writing = writeExportFile(file, async (append) => {
    await append(LATER);
    writeFileSync(file, 'TOKEN=secret');
  });
  await expect(writing).rejects.toThrow(`${file} was not written: ${file} is there, and does not end as`);
  expect(readFileSync(file, 'utf8')).toBe('TOKEN=secret');
  expect(readdirSync(dirname(file))).toEqual(['plants.jsonl']);
});

it('is written by one export at a time; the part of one that was killed is not taken for an export', async () => {
  const refused =
    /^.*plants\.jsonl\.part is there, last written at 20.*Z: another export is writing it, or was killed\. If none is/;
  await writeExportFile(file, async (append) => {
    await append(LATER);
    await expect(writeExportFile(file, never)).rejects.toThrow(refused);
  });
  expect(readFileSync(file, 'utf8')).toBe(LATER);
  writeFileSync(`${file}.part`, LATER);
  await expect(writeExportFile(file, never)).rejects.toThrow(refused);
  expect(readFileSync(`${file}.part`, 'utf8')).toBe(LATER);
});

it('is as it was if the store fails meanwhile', async () => {
  writeFileSync(file, EARLIER);
  const writing = writeExportFile(file, async (append) => {
    await append(LATER);
    throw new Error('the store is gone');
  });
  await expect(writing).rejects.toThrow(`${file} was not written: the store is gone`);
  expect(readFileSync(file, 'utf8')).toBe(EARLIER);
  expect(readdirSync(dirname(file))).toEqual(['plants.jsonl']);
});

it('is not made of the part of another export, where somebody has removed its own', async () => {
  const part = `${file}.part`;
  const writing = writeExportFile(file, async (append) => {
    await append(LATER);
    rmSync(part);
    writeFileSync(part, 'of another');
  });
  await expect(writing).rejects.toThrow(
    `${file} was not written: ${part} was removed or replaced while it was written`,
  );
  expect(readFileSync(part, 'utf8')).toBe('of another');
  expect(readdirSync(dirname(file))).toEqual(['plants.jsonl.part']);
});

function stateOf(name: string): object {
  const { ino, mode, size, mtimeMs } = lstatSync(name);
  return { ino, mode, size, mtimeMs };
}

function linkToExport(): void {
  const target = `${file}.target`;
  writeFileSync(target, EARLIER);
  symlinkSync(target, file);
}

function never(): Promise<void> {
  throw new Error('it was written to');
}

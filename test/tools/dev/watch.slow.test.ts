import { mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchFiles } from '../../../src/tools/dev/watch';
import { eventually } from '../../support/eventually';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = join(temporaryFolder(), 'src');
const contract = join(folder, '..', 'openapi.yaml');
const handler = join(folder, 'operations', 'water.ts');
let files: string[] = [contract];
/** The text of the file that is saved, or none while there is no such file, at each report of a change. */
const reported: string[] = [];
let saved = handler;
let unwatch: () => void;

beforeAll(() => {
  mkdirSync(join(folder, 'operations'), { recursive: true });
  for (const file of [contract, handler]) writeFileSync(file, 'as it was');
  unwatch = watchFiles(
    () => files,
    folder,
    () => reported.push(textOf(saved)),
  );
});
afterAll(() => unwatch());

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'none';
  }
};

type Save = (file: string, text: string) => void;
const inPlace: Save = (file, text) => writeFileSync(file, text);
const byRename: Save = (file, text) => {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};
const besideBackup: Save = (file, text) => {
  renameSync(file, `${file}~`);
  writeFileSync(file, text);
  unlinkSync(`${file}~`);
};
const anew: Save = (file, text) => {
  unlinkSync(file);
  writeFileSync(file, text);
};

async function isSeen(file: string, expected: string, change: () => void): Promise<void> {
  saved = file;
  change();
  await eventually(() => expect(reported.at(-1)).toBe(expected));
}

it.each([
  ['in place', inPlace],
  ['by a rename, as sed -i and JetBrains do', byRename],
  ['beside a backup, as vim does', besideBackup],
  ['removed and written anew, as git checkout does', anew],
])('a file is seen each time that it is saved %s, and then in place', async (way, save) => {
  for (const text of ['once', 'twice', 'a third time'])
    await isSeen(handler, `${way}, ${text}`, () => save(handler, `${way}, ${text}`));
  await isSeen(handler, `${way}, in place`, () => inPlace(handler, `${way}, in place`));
});

it('files of a new folder are seen, when they are written and when they are removed', async () => {
  const added = join(folder, 'beds', 'dig.ts');
  await isSeen(added, 'written', () => {
    mkdirSync(join(folder, 'beds'));
    inPlace(added, 'written');
  });
  await isSeen(added, 'changed', () => byRename(added, 'changed'));
  await isSeen(added, 'none', () => unlinkSync(added));
  await isSeen(added, 'again', () => inPlace(added, 'again'));
  await isSeen(added, 'none', () => rmSync(join(folder, 'beds'), { recursive: true }));
});

it('files outside of the folder are seen, also those that the contract names since its last change', async () => {
  const part = join(folder, '..', 'part.yaml');
  files = [contract, part];
  await isSeen(contract, 'names a part', () => byRename(contract, 'names a part'));
  await isSeen(part, 'a part', () => inPlace(part, 'a part'));
  await isSeen(part, 'another', () => byRename(part, 'another'));
});

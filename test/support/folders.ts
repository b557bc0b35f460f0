/** Folders for the files of a test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const all = mkdtempSync(join(tmpdir(), 'tests-'));
afterAll(() => rmSync(all, { recursive: true, force: true }));

/** An empty folder, removed after the tests of the file. */
export function newFolder(): string {
  return mkdtempSync(join(all, 'folder-'));
}

/** The end of a script, in a process of its own. */
import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { LOAD_TYPESCRIPT } from '../../../src/tools/project/run-command';

const file = join(__dirname, '../../../src/engine/commands/exit-with.ts');

it.each([
  ['async () => 3', 3, ''],
  ['() => { throw new Error("expected a bed") }', 1, 'expected a bed\n'],
  [
    '() => new Promise(() => undefined)',
    1,
    'expected the script to come to its end, but it waits for what never comes\n',
  ],
])('exits after %s with %d', (script, status, message) => {
  expect(endOf(script)).toEqual([status, message]);
});

const FULL = '/dev/full';

(existsSync(FULL) ? it : it.skip).each([
  [
    '() => { console.log("a bed"); return 0; }',
    1,
    'what was printed is lost: ENOSPC: no space left on device, write\n',
  ],
  [
    '() => { console.log("a bed"); return 3; }',
    1,
    'what was printed is lost: ENOSPC: no space left on device, write\n',
  ],
  ['() => { console.log("a bed"); throw new Error("expected a bed"); }', 1, 'expected a bed\n'],
  ['() => 0', 0, ''],
])('exits after %s with %d where nothing can be printed', (script, status, message) => {
  expect(endOf(script, openSync(FULL, 'w'))).toEqual([status, message]);
});

function endOf(script: string, stdout: 'ignore' | number = 'ignore'): unknown[] {
  const code = `require(${JSON.stringify(file)}).exitWith(${script})`;
  const { status, stderr } = spawnSync(process.execPath, [...LOAD_TYPESCRIPT, '--eval', code], {
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  });
  return [status, stderr];
}

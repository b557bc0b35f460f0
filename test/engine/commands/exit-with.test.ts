/** The end of a script, in a process of its own. */
import { spawnSync } from 'node:child_process';
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
  const code = `require(${JSON.stringify(file)}).exitWith(${script})`;
  const ended = spawnSync(process.execPath, [...LOAD_TYPESCRIPT, '--eval', code], { encoding: 'utf8' });
  expect([ended.status, ended.stderr]).toEqual([status, message]);
});

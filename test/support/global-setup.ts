/** Before the slow tests: compiles the program, starts a PostgreSQL, and makes the folder of what tests make once per run. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import compileProgram from './compile-program';
import startPostgres from './postgres-setup';

export default async function setup(): Promise<void> {
  compileProgram();
  process.env.RUN_FOLDER = mkdtempSync(join(tmpdir(), 'plants-run-'));
  console.error('starting PostgreSQL ...');
  await startPostgres();
}

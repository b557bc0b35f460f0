/** After the slow tests: removes what they made once, and ends the PostgreSQL that was started before them. */
import { rmSync } from 'node:fs';
import { teardown as stopPostgres } from './postgres-setup';

export default async function teardown(): Promise<void> {
  if (process.env.RUN_FOLDER) rmSync(process.env.RUN_FOLDER, { recursive: true, force: true });
  await stopPostgres();
}

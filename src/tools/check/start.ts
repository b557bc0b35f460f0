/**
 * Starts the server on a free port, with its store in a temporary folder, and stops it: fails, with all reasons, if the contract cannot be
 * served. Prints the statuses that the server may answer although the contract does not declare them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProgram, trialVariables, withoutExit } from '../project/program';

export async function run(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  try {
    const env = { PORT: '0', LOG_LEVEL: 'fatal', ...(await trialVariables(folder)) };
    const { start } = await loadProgram();
    const service = await withoutExit('the program ends the process while it starts, or stops', async () => {
      const started = await start(env, { print: () => undefined, logTo: process.stderr });
      await started.close();
      return started;
    });
    for (const line of service.undeclared) console.log(line);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

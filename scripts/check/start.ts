/**
 * Starts the server on a free port and a store of its own, and stops it: fails, with all its reasons, where the contract
 * cannot be served. Prints what the server answers and the contract does not declare.
 *
 *   tsx scripts/check/start.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../../src/main';
import { exitWith } from '../../src/engine/commands/exit-with';

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'plants-start-'));
  try {
    const env = { PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`, LOG_LEVEL: 'fatal' };
    const service = await start(env, { print: () => undefined, logTo: process.stderr });
    await service.close();
    for (const line of service.undeclared) console.log(line);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

exitWith(main);

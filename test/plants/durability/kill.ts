/** Servers under load that are killed at random moments, each of which leaves its file to the next. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { interruptedStart, startProcess } from '../../support/process';
import { seeded } from '../../support/seeded';
import { temporaryFolder } from '../../support/temporary-folder';
import { rowsOf } from '../support/store';
import { Ledger } from './ledger';
import { acknowledged, load, randomPlants } from './load';

const CONNECTIONS = 16;

/** `KILL_SEED=… npx jest kill` repeats the plants and the delays; the exact moment of a kill depends on the machine. */
export const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));

/** Kills a server so often, and starts another on the same file each time; what is in it then is what the ledger says. */
export async function killAndRestart(rounds: number): Promise<void> {
  const file = join(temporaryFolder(), 'plants.db');
  const env = { DATABASE_URL: `sqlite:${file}` };
  const random = seeded(seed);
  const plants = randomPlants(random);
  const ledger = new Ledger();

  for (let round = 0; round < rounds; round++) {
    // Also kill during a start.
    if (round % 5 === 4) await interruptedStart(env, 'SIGKILL', sleep(random() * 600));
    const service = await startProcess(env);
    expect(ledger.faults(rowsOf(file))).toEqual([]);
    const ended = load(service, plants, ledger, CONNECTIONS);
    await acknowledged(ledger, ledger.acknowledgements + 1 + random() * 300);
    await sleep(random() * 10);
    service.kill('SIGKILL');
    expect(await service.exited).toMatchObject({ code: null, signal: 'SIGKILL' });
    await ended;
  }
  expect(ledger.faults(rowsOf(file))).toEqual([]);
  expect(ledger.unavailable).toBe(0);
}

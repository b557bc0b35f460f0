import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { interruptedStart, startProcess } from '../../support/process';
import { rowsOf } from '../support/store';
import { Ledger } from './ledger';
import { acknowledged, load, randomPlants } from './load';
import { seeded } from '../../support/seeded';

/** Kills for each of two stores. */
const ROUNDS = 10;
const CONNECTIONS = 16;

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Kills a server at random moments and starts another on the same file, again and again. */
async function killAndRestart(name: string, seedOfStore: number): Promise<void> {
  const random = seeded(seedOfStore);
  const plants = randomPlants(random);
  const file = join(folder, name);
  const env = { DATABASE_URL: `sqlite:${file}` };
  const ledger = new Ledger();

  for (let round = 0; round < ROUNDS; round++) {
    // Also kill during a start.
    if (round % 5 === 0) await interruptedStart(env, 'SIGKILL', sleep(random() * 600));
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

// `KILL_SEED=… npx jest kill` repeats the plants and the delays; the exact moment of a kill depends on the machine.
// Two stores at once take half the time.
it(`SIGKILL loses no acknowledged plant and invents none (seed ${seed})`, async () => {
  await Promise.all([killAndRestart('one.db', seed), killAndRestart('other.db', seed + 1)]);
});

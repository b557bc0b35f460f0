/** Load: connections that create plants without pause until the service closes them or dies. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant } from '../../../src/plants/repository';
import type { ServiceProcess } from '../../support/process';
import { PlantClient } from '../../support/plant-client';
import type { Random } from '../../support/seeded';
import type { Ledger } from './ledger';

/** Plants with ids of the whole int64 range; some ids are repeated, with the same content or another. */
export function* randomPlants(random: Random): Generator<NewPlant, never> {
  const recent: NewPlant[] = [];
  const below = (limit: number): number => Math.floor(random() * limit);
  for (;;) {
    const known = random() < 0.2 ? recent[below(recent.length)] : undefined;
    const id = known?.id ?? BigInt.asIntN(64, (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32)));
    const plant =
      known && random() < 0.5
        ? known
        : {
            id,
            name: `🌱 ${below(1_000)} ${'x'.repeat(below(500))}`,
            ...(random() < 0.5 ? { tag: `tag ${below(10)}` } : {}),
          };
    recent[below(50)] = plant;
    yield plant;
  }
}

/** How a connection ended: with `Connection: close` in the last answer, or without an answer. */
export type End = 'closed' | 'broken';

/** Sends plants on several connections and records them in the ledger; resolves when all connections have ended. */
export function load(
  service: ServiceProcess,
  plants: Iterator<NewPlant, never>,
  ledger: Ledger,
  connections: number,
): Promise<End[]> {
  return Promise.all(
    Array.from({ length: connections }, async (): Promise<End> => {
      const client = new PlantClient(service);
      try {
        for (;;) {
          const { headers } = await ledger.create(client, plants.next().value);
          if (headers.connection === 'close') return 'closed';
        }
      } catch {
        return 'broken';
      } finally {
        client.close();
      }
    }),
  );
}

/** Resolves when the ledger has this number of acknowledgements. */
export async function acknowledged(ledger: Ledger, count: number): Promise<void> {
  while (ledger.acknowledgements < count) await sleep(1);
}

/** Clients that do not give up: each creates plants one after another, and repeats every one until it is acknowledged. */
import { PlantClient } from '../../support/plant-client';
import type { Ledger } from '../durability/ledger';
import type { ServiceProcess } from '../../support/process';

export interface Load {
  /** Ends after the plants that are under way; rejects if one of them was answered anything but 503, then 200. */
  stop(): Promise<void>;
}

/** Starts so many clients, with ids of their own. */
export function createUntilStopped(service: ServiceProcess, ledger: Ledger, clients = 16): Load {
  let stopped = false;
  const ended = Promise.all(
    Array.from({ length: clients }, async (_each, index) => {
      const client = new PlantClient(service);
      for (let id = BigInt(index); !stopped; id += BigInt(clients)) {
        const plant = { id, name: `plant ${id}`, ...(id % 2n === 0n && { tag: 'even' }) };
        for (;;) {
          const { status } = await ledger.create(client, plant);
          if (status === 200) break;
          expect(status).toBe(503);
        }
      }
      client.close();
    }),
  );
  return {
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

/** All that is ours, in one value: our contract, its handlers, who may come in, and the store behind them. */
import { join } from 'node:path';
import { contractDigest } from '../generated/openapi';
import type { Config } from './config';
import { bearer } from './engine/auth/bearer';
import type { Context, Service } from './engine/serve';
import { errorCodes, handlersOn } from './handlers';
import { GroupCommit } from './plants/group-commit';
import { observeStore } from './plants/metrics';
import { openStore } from './plants/open-store';
import type { PlantReader, PlantStore } from './plants/store';
import { programVersion, projectRoot } from './project-root';

/** The plant store, on the store that the configuration names. */
export function plantStore({ database, batchMax }: Pick<Config, 'database' | 'batchMax'>): Service {
  let reader: PlantReader | undefined;
  let context: Context | undefined;
  const open = async (): Promise<PlantStore> => {
    const store = await openStore(
      { database },
      { broken: (error) => context?.broken(error), tell: (text) => context?.log.warn(text) },
    );
    reader = store;
    return context?.registry ? observeStore(store, () => plants.queueLength, context.registry) : store;
  };
  const plants = new GroupCommit(open, { batchMax });
  return {
    contract: join(projectRoot, 'openapi.yaml'),
    digest: contractDigest,
    version: programVersion(),
    handlers: handlersOn(plants),
    errorCodes,
    verifiersOn: (tokens) => ({ bearerAuth: bearer(tokens) }),
    async open(given) {
      context = given;
      await plants.open();
      return {
        async ready() {
          await reader?.page(0n, 1);
        },
        close: () => plants.close(),
      };
    },
  };
}

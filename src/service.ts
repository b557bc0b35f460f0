/** All that is ours, in one value: our contract, its handlers, who may come in, and the store behind them. */
import { join } from 'node:path';
import { contractDigest } from '../generated/openapi';
import type { Config } from './config';
import type { Context, Service } from './engine/serve';
import { errorBody } from './error-body';
import { errorCodes, handlersOn } from './handlers';
import { GroupCommit } from './plants/group-commit';
import type * as Metrics from './plants/metrics';
import { openStore } from './plants/open-store';
import { programVersion, projectRoot } from './project-root';

/** The service that the configuration describes: plants, in the store that it names. */
export function serviceOf(config: Pick<Config, 'database' | 'batchMax' | 'production'>): Service {
  let context: Context | undefined;
  const tell = (text: string): void => context?.log.warn(text);
  const plants = new GroupCommit(() => openStore(config, { broken: (error) => context?.broken(error), tell }), {
    batchMax: config.batchMax,
    tell,
  });
  return {
    contract: join(projectRoot, 'openapi.yaml'),
    digest: contractDigest,
    version: programVersion(),
    handlers: handlersOn(plants),
    errorCodes,
    errorBody,
    async open(given) {
      context = given;
      const store = await plants.open();
      if (given.registry) metrics().observePlants(plants, store, given.registry);
      return {
        description: store.description,
        async ready() {
          await store.page(0n, 1);
        },
        close: () => plants.close(),
      };
    },
  };
}

/** Loaded only if there are metrics: it takes a while. */
function metrics(): typeof Metrics {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('./plants/metrics') as typeof Metrics;
}

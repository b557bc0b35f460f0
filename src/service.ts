/** All that is ours, in one value: our contract, its handlers, who may come in, and the store behind them. */
import { join } from 'node:path';
import { contractDigest } from '../generated/openapi';
import type { Config } from './config';
import type { Service } from './engine';
import { errorBody } from './error-body';
import { errorCodes, handlersOn } from './handlers';
import { GroupCommit } from './plants/group-commit';
import type * as Metrics from './plants/metrics';
import { openStore } from './plants/open-store';
import { programVersion, projectRoot } from './project-root';

/** The service that the configuration describes: plants, in the store that it names. */
export function serviceOf(config: Pick<Config, 'database' | 'batchMax' | 'production'>): Service {
  const plants = new GroupCommit({ batchMax: config.batchMax });
  return {
    contract: join(projectRoot, 'openapi.yaml'),
    digest: contractDigest,
    version: programVersion(),
    handlers: handlersOn(plants),
    errorCodes,
    errorBody,
    async open({ log, registry, broken }) {
      const tell = (text: string): void => log.warn(text);
      const store = await openStore(config, { broken, tell });
      plants.use(store, tell);
      if (registry) metrics().observePlants(plants, store, registry);
      return {
        description: store.description,
        ready: () => store.ready(),
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

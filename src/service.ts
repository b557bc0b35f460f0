/** Our service as one value: the contract, its handlers, the shape of errors, and the store behind them. */
import { contractDigest, type operations } from '../generated/openapi';
import type { Config } from './config';
import { projectOf, type Service } from './engine';
import { errorBody } from './error-body';
import { errorCodes, handlersOn } from './handlers';
import { GroupCommit } from './plants/group-commit';
import type * as Metrics from './plants/metrics';
import { openStore } from './plants/open-store';

/** The folder with our contract, and its version. */
export const project = projectOf(__dirname);

/** The service on the store that the configuration names. */
export function serviceOf(config: Pick<Config, 'database' | 'batchMax' | 'production'>): Service<keyof operations> {
  const plants = new GroupCommit({ batchMax: config.batchMax });
  return {
    contract: project.contract,
    digest: contractDigest,
    version: project.version,
    handlers: handlersOn(plants),
    errorCodes,
    errorBody,
    async open({ log, registry, broken }) {
      const warn = (text: string): void => log.warn(text);
      const store = await openStore(config, { broken, warn });
      plants.use(store, warn);
      if (registry) metrics().observePlants(plants, store, registry);
      return {
        description: store.description,
        ready: () => store.ready(),
        close: () => plants.close(),
      };
    },
  };
}

/** Loads the module only if metrics are on, because that takes a while. */
function metrics(): typeof Metrics {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('./plants/metrics') as typeof Metrics;
}

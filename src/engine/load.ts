/** Loads the contract of a service and checks that the service can answer for it; at startup, and at each reload. */
import type { Logger } from 'pino';
import type { Verifiers } from './auth/authenticate';
import type { TokenVerifier } from './auth/tokens';
import { canVerify, verifiersOf } from './auth/verifiers';
import { readServed } from './contract/bundle';
import { schemesOf } from './contract/document';
import { serverPath } from './contract/operations';
import { canRead } from './contract/media-type';
import { undeclaredStatuses } from './rules/error-rules';
import { loadContract, type LoadedContract } from './rules/load-contract';
import type { Service } from './service-interface';
import type { Settings } from './settings';

/** A contract that can be served, and what it is served with. */
export interface Loaded {
  contract: LoadedContract;
  /** The path at which the API is mounted: empty, or such as `/v1`. */
  basePath: string;
  verifiers: Verifiers;
  /** Statuses that operations do not declare although the server may answer with them, in lines. */
  undeclared: string[];
}

export interface LoadOptions {
  settings: Pick<Settings, 'basePath' | 'rateLimit'>;
  /** The accepted tokens. */
  tokens: TokenVerifier;
  log: Logger;
}

/** Loads a contract; throws ContractProblems with all that is wrong, and logs warnings. */
export function loadService(service: Service, { settings, tokens, log }: LoadOptions): Loaded {
  const document = service.read?.() ?? readServed(service.contract);
  const own = service.verifiersOn?.(tokens, schemesOf(document.value)) ?? {};
  const contract = loadContract(service.contract, {
    ...service,
    document,
    handlers: Object.keys(service.handlers),
    verifiers: own,
    canVerify,
    canRead: (mediaType) => canRead(mediaType) || Object.hasOwn(service.readers ?? {}, mediaType),
    mocksMissing: service.mock !== undefined,
    errorsOf: service.mock?.errorsOf,
    rateLimit: settings.rateLimit,
  });
  const mocked = contract.operations.filter(({ id }) => !Object.hasOwn(service.handlers, id)).map(({ id }) => id);
  const undeclared = undeclaredStatuses(contract, settings);
  for (const line of [...contract.warnings, ...undeclared]) log.warn(line);
  if (mocked.length > 0 && service.mock?.warning !== undefined)
    log.warn(`${service.mock.warning}: ${mocked.join(', ')}`);
  return {
    contract,
    basePath: settings.basePath ?? serverPath(contract.document),
    verifiers: verifiersOf(contract.document, { tokens }, own),
    undeclared,
  };
}

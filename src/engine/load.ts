/** The contract of a service, read and held to all that answers for it: what the app is made of, at the start and at each reload. */
import type { Logger } from 'pino';
import type { Verifiers } from './auth/authenticate';
import type { TokenVerifier } from './auth/tokens';
import { canVerify, verifiersOf } from './auth/verifiers';
import { readServed } from './contract/bundle';
import type { Document, SecurityScheme } from './contract/document';
import { serverPath } from './contract/operations';
import { canRead } from './http/media-type';
import { undeclaredStatuses } from './rules/error-rules';
import { loadContract, type LoadedContract } from './rules/load-contract';
import type { Service } from './service-interface';
import type { Settings } from './settings';

/** A contract that is fit to be served, and how. */
export interface Loaded {
  contract: LoadedContract;
  /** Where the API is mounted: empty, or `/v1` and the like. */
  basePath: string;
  verifiers: Verifiers;
  /** What operations do not declare and may be answered all the same, in lines. */
  undeclared: string[];
}

export interface LoadOptions {
  settings: Pick<Settings, 'basePath' | 'mockMissing' | 'rateLimit'>;
  /** The accepted tokens. */
  tokens: TokenVerifier;
  log: Logger;
}

/** Reads the contract and holds the service to it; throws ContractProblems with all that is wrong, and logs what is odd. */
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
    errorSample: service.mock?.errorSample,
    rateLimit: settings.rateLimit,
  });
  const mocked = contract.operations.filter(({ id }) => !Object.hasOwn(service.handlers, id)).map(({ id }) => id);
  const undeclared = undeclaredStatuses(contract, settings);
  for (const line of [...contract.warnings, ...undeclared]) log.warn(line);
  if (mocked.length > 0 && settings.mockMissing)
    log.warn(`no handler yet, answered with examples of the contract and \`Mock: true\`: ${mocked.join(', ')}`);
  return {
    contract,
    basePath: settings.basePath ?? serverPath(contract.document),
    verifiers: verifiersOf(contract.document, { tokens }, own),
    undeclared,
  };
}

/** The security schemes of a document that has not been checked yet. */
function schemesOf(document: unknown): Readonly<Record<string, SecurityScheme>> {
  const { components } = (typeof document === 'object' && document !== null ? document : {}) as Partial<Document>;
  return components?.securitySchemes ?? {};
}

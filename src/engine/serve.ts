/** A service from its parts to listening: load -> prove -> open -> listen; closed in reverse. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import type { DestinationStream, Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Admin } from './admin/admin';
import { type AppOptions, createApp } from './app';
import type { Verifiers } from './auth/authenticate';
import { type Credentials, openCredentials } from './auth/credentials';
import { proveSecured } from './auth/prove-secured';
import type { TokenVerifier } from './auth/tokens';
import { canVerify, verifiersOf } from './auth/verifiers';
import { bannerLine, bannerOf, bannerText } from './banner';
import { readServed, type ServedDocument } from './contract/bundle';
import type { Document, SecurityScheme } from './contract/document';
import type { AnyHandlers } from './contract/handler-types';
import { type Contract, serverPath } from './contract/operations';
import type { Reader } from './http/body';
import { ErrorCode } from './http/error-codes';
import { canRead } from './http/media-type';
import type { ErrorShape } from './http/error-body';
import { writtenOf } from './http/not-written';
import { createServer, type HttpServer, serverLimits } from './http/server';
import { createLog } from './log/log';
import { type ErrorOptions, undeclaredStatuses } from './rules/error-rules';
import { loadContract, type LoadedContract } from './rules/load-contract';
import type { Settings } from './settings';
import type { Mock } from './validation/dispatch';

/** How long the end may take once nothing is accepted any more; the last second is for what the service has opened, and the log. */
const END_MS = 10_000;
const GRACE_MS = END_MS - 1_000;
const FLUSH_MS = 500;

/** What is served: a contract, and all that answers for it. A contract and its handlers are enough. */
export interface Service {
  /** The file of the contract. */
  contract: string;
  /** A handler for each operation, by its `operationId`. */
  handlers: AnyHandlers;
  /** The digest of the contract that the types of the handlers were made from; not looked at unless given. */
  digest?: string;
  /** The version of the program, for its metrics. */
  version?: string;
  /** The codes of the errors that handlers throw, by name. */
  errorCodes?: Readonly<Record<string, number>>;
  /** The shape of errors, instead of the one that fits what the contract declares. */
  errorBody?: ErrorShape;
  /** Readers of bodies by media type, such as `application/xml`, for those that the engine does not read. */
  readers?: Readonly<Record<string, Reader>>;
  /** Verifiers of its own, by the names of security schemes; for the others the engine chooses one by the scheme's kind. */
  verifiersOn?: (tokens: TokenVerifier, schemes: Readonly<Record<string, SecurityScheme>>) => Verifiers;
  /** Answers for operations that have no handler; without it such a contract is refused. */
  mock?: Mocking;
  /** Reads the contract otherwise than `readServed` does. */
  read?: () => ServedDocument;
  /** Accepted credentials, instead of those that the settings name. */
  credentials?: Credentials;
  /** Opens what the handlers need, such as a store, before the service listens; rejects with an Error that says what to do. */
  open?: (context: Context) => Promise<Opened>;
}

/** What stands in for handlers that are not written yet; `mock/mocking.ts` makes it. */
export interface Mocking {
  answersOf(contract: Contract): Mock;
  /** A body for errors of which the server cannot write one that the contract declares. */
  errorSample?: ErrorOptions['errorSample'];
  /** A line to try the contract with, where it has no example for one. */
  curl?(contract: Contract, baseUrl: string, token: string | undefined): string | undefined;
}

/** What a service is given to open what it needs. */
export interface Context {
  log: Logger;
  /** Metrics of its own go here; undefined if there are none. */
  registry: Registry | undefined;
  /** To be called if the service can do its work no longer: the process has to end. */
  broken: (error: Error) => void;
}

/** What a service has opened. */
export interface Opened {
  /** Rejects with the reason as long as no request should be sent here. */
  ready?: () => Promise<void>;
  /** What the log's line `listening` says of it. */
  description?: object;
  /** Called after the last answer. */
  close(): Promise<void>;
}

/** A running service. */
export interface Running {
  /** Where it is reached: the contract's `{base_url}`. */
  baseUrl: string;
  /** What operations do not declare and may be answered all the same, in lines. */
  undeclared: readonly string[];
  /** Resolves if the service can do its work no longer, and the process has to end. */
  broken: Promise<Error>;
  /** Reads the contract again, and serves what it says from the next request on; rejects, and changes nothing, if it is not fit to be. */
  reload(): Promise<void>;
  /** Finishes what is under way, then closes what the service has opened. */
  close(): Promise<void>;
}

export interface Outputs {
  /** Given what whoever has started the service wants to know: its address, and how to try it. */
  print: (text: string) => void;
  /** Whether that is a line of JSON, as the log's are, rather than text for a person. */
  printsJson?: boolean;
  logTo: DestinationStream;
  /** How many lines of the log could not be written, for the metrics. */
  linesLost?: () => number;
}

/** Serves; rejects, with nothing left open, if anything is not as it must be: the message says what, all at once. */
export async function serve(service: Service, settings: Settings, outputs: Outputs): Promise<Running> {
  const { logLevel, logTime } = settings;
  const log = createLog(logLevel, logTime, outputs.logTo);
  const credentials = service.credentials ?? (await openCredentials(settings, log));
  const mocking = service.mock ?? (settings.mockMissing ? await mockingByDefault() : undefined);
  const handlers = mocking ? writtenOf(service.handlers) : service.handlers;
  const { promise: broken, resolve: reportBroken } = withResolvers<Error>();
  let admin: Admin | undefined;
  let opened: Opened | undefined;
  let address: string | undefined;
  const baseUrlOf = ({ basePath }: Loaded): string => settings.baseUrl ?? `${address}${basePath}`;
  const close = async (): Promise<void> => {
    await opened?.close();
    credentials.close();
    admin?.close();
  };
  const load = (): Loaded => {
    const document = service.read?.() ?? readServed(service.contract);
    const schemes = schemesOf(document.value);
    const own = service.verifiersOn?.(credentials.verifier, schemes) ?? {};
    const contract = loadContract(service.contract, {
      ...service,
      document,
      handlers: Object.keys(handlers),
      verifiers: own,
      canVerify,
      canRead: (mediaType) => canRead(mediaType) || Object.hasOwn(service.readers ?? {}, mediaType),
      mocksMissing: mocking !== undefined,
      errorSample: service.mock?.errorSample,
      rateLimit: settings.rateLimit,
    });
    const mocked = contract.operations.filter(({ id }) => !Object.hasOwn(handlers, id)).map(({ id }) => id);
    const undeclared = undeclaredStatuses(contract, settings);
    for (const line of [...contract.warnings, ...undeclared]) log.warn(line);
    if (mocked.length > 0 && !service.mock)
      log.warn(`no handler yet, answered with examples of the contract and \`Mock: true\`: ${mocked.join(', ')}`);
    return {
      contract,
      undeclared,
      basePath: settings.basePath ?? serverPath(contract.document),
      verifiers: verifiersOf(contract.document, { tokens: credentials.verifier }, own),
    };
  };
  const appOf = (loaded: Loaded): Express =>
    createApp({
      ...settings,
      ...loaded,
      handlers,
      readers: service.readers,
      mock: mocking?.answersOf(loaded.contract),
      enforceAnswers: !settings.production,
      docsBaseUrl: settings.docs ? () => baseUrlOf(loaded) : undefined,
      observeRequests: admin?.metrics.observeRequests,
      log,
    });
  const serverOf = (app: Express, { contract: { errorBodies } }: Loaded): HttpServer =>
    createServer(app, log, {
      limits: { ...serverLimits, idleMs: settings.keepAliveMs },
      tls: settings.tls,
      corsOrigins: settings.corsOrigins,
      errorBodies,
      observeRefusal: admin?.metrics.observeRefusal,
    });
  try {
    let loaded = load();
    if (settings.adminPort !== undefined) {
      const { startAdmin } = await import('./admin/admin.js'); // a tenth of the start with what it needs
      admin = await startAdmin({
        host: settings.host,
        port: settings.adminPort,
        contractVersion: loaded.contract.document.info.version,
        version: service.version,
        errorCodes: Object.values({ ...ErrorCode, ...service.errorCodes }),
        nextTokenEnd: credentials.nextEnd,
        certificateEnd: settings.tls && (() => server.certificateEnd?.() ?? Infinity),
        linesLost: outputs.linesLost,
        check: async () => opened?.ready?.(),
      });
    }
    const server = serverOf(appOf(loaded), loaded);
    if (log.isLevelEnabled('info')) log.level = 'warn'; // the trial requests are not logged
    await proveSecured(server.http, loaded.contract, loaded.basePath);
    log.level = logLevel;
    opened = await service.open?.({ log, registry: admin?.metrics.registry, broken: reportBroken });
    const port = await server.listen(settings.host, settings.port);
    address = `${settings.tls ? 'https' : 'http'}://localhost:${port}`;
    const baseUrl = baseUrlOf(loaded);
    admin?.ready();
    const { version: contractVersion } = loaded.contract.document.info;
    const where = { baseUrl, host: settings.host, port, adminPort: admin?.port };
    log.info(
      { ...where, ...opened?.description, version: service.version, contractVersion, node: process.version },
      'listening',
    );
    const { oneOff: token, note } = credentials;
    const curl = mocking?.curl?.(loaded.contract, baseUrl, token);
    const banner = bannerOf(loaded.contract, baseUrl, { token, docs: settings.docs, curl });
    outputs.print(outputs.printsJson ? bannerLine(banner, logTime) : bannerText(banner, note));
    return {
      baseUrl,
      undeclared: loaded.undeclared,
      broken,
      async reload() {
        const next = load();
        const app = appOf(next);
        await proveSecured(serverOf(app, next).http, next.contract, next.basePath);
        server.replaceApp(app, next.contract.errorBodies);
        loaded = next;
      },
      async close() {
        log.info('stopping: finishing what is under way');
        if (admin) server.endKeepAlive();
        await admin?.drain();
        const late = sleep(END_MS - FLUSH_MS, undefined, { ref: false }).then(() => {
          throw new Error(`the end took longer than ${END_MS} ms: what was under way is cut off`);
        });
        await Promise.race([server.close(GRACE_MS).then(close), late]);
        log.info('stopped');
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loaded only if it is needed: what makes values takes a while. */
async function mockingByDefault(): Promise<Mocking> {
  const { mockingOf } = await import('./mock/mocking.js');
  return mockingOf(0);
}

/** A contract as it is served. */
interface Loaded extends Pick<AppOptions, 'basePath' | 'verifiers'> {
  contract: LoadedContract;
  undeclared: string[];
}

/** Of a document that nobody has looked at yet. */
function schemesOf(document: unknown): Readonly<Record<string, SecurityScheme>> {
  const { components } = (typeof document === 'object' && document !== null ? document : {}) as Partial<Document>;
  return components?.securitySchemes ?? {};
}

/** `Promise.withResolvers`, which Node has from version 22 on. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

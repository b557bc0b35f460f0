/** A service from its parts to listening: load -> prove -> open -> listen; closed in reverse. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationStream, Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Admin, startAdmin } from './admin/admin';
import { createApp } from './app';
import type { Verifiers } from './auth/authenticate';
import { openCredentials } from './auth/credentials';
import { proveSecured } from './auth/prove-secured';
import type { TokenVerifier } from './auth/tokens';
import { canVerify, verifiersOf } from './auth/verifiers';
import { bannerLine, bannerOf, bannerText } from './banner';
import type { AnyHandlers } from './contract/handler-types';
import { serverPath } from './contract/operations';
import type { Reader } from './http/body';
import { ErrorCode } from './http/error-codes';
import { canRead } from './http/media-type';
import type { ErrorShape } from './http/error-body';
import { createServer, serverLimits } from './http/server';
import { createLog } from './log/log';
import { undeclaredStatuses } from './rules/error-rules';
import { loadContract } from './rules/load-contract';
import type { Settings } from './settings';

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
  verifiersOn?: (tokens: TokenVerifier) => Verifiers;
  /** Opens what the handlers need, such as a store, before the service listens; rejects with an Error that says what to do. */
  open?: (context: Context) => Promise<Opened>;
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
  /** A line for each operation of what the contract does not declare and is answered all the same. */
  undeclared: readonly string[];
  /** Resolves if the service can do its work no longer, and the process has to end. */
  broken: Promise<Error>;
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
  const credentials = await openCredentials(settings, log);
  const own = service.verifiersOn?.(credentials.verifier) ?? {};
  const { promise: broken, resolve: reportBroken } = withResolvers<Error>();
  let admin: Admin | undefined;
  let opened: Opened | undefined;
  const close = async (): Promise<void> => {
    await opened?.close();
    credentials.close();
    admin?.close();
  };
  try {
    const contract = loadContract(service.contract, {
      ...service,
      handlers: Object.keys(service.handlers),
      verifiers: own,
      canVerify,
      canRead: (mediaType) => canRead(mediaType) || Object.hasOwn(service.readers ?? {}, mediaType),
      rateLimit: settings.rateLimit,
    });
    const undeclared = undeclaredStatuses(contract, settings);
    for (const line of [...contract.warnings, ...undeclared]) log.warn(line);
    const basePath = settings.basePath ?? serverPath(contract.document);
    if (settings.adminPort !== undefined) {
      admin = await startAdmin({
        host: settings.host,
        port: settings.adminPort,
        contractVersion: contract.document.info.version,
        version: service.version,
        errorCodes: Object.values({ ...ErrorCode, ...service.errorCodes }),
        nextTokenEnd: credentials.nextEnd,
        certificateEnd: settings.tls && (() => server.certificateEnd?.() ?? Infinity),
        linesLost: outputs.linesLost,
        check: async () => opened?.ready?.(),
      });
    }
    let baseUrl = settings.baseUrl ?? '';
    const app = createApp({
      ...settings,
      basePath,
      contract,
      handlers: service.handlers,
      readers: service.readers,
      verifiers: verifiersOf(contract.document, { tokens: credentials.verifier }, own),
      enforceAnswers: !settings.production,
      docsBaseUrl: settings.docs ? () => baseUrl : undefined,
      observeRequests: admin?.metrics.observeRequests,
      log,
    });
    const limits = { ...serverLimits, idleMs: settings.keepAliveMs };
    const { tls, corsOrigins } = settings;
    const { errorBodies } = contract;
    const server = createServer(app, log, {
      limits,
      tls,
      corsOrigins,
      errorBodies,
      observeRefusal: admin?.metrics.observeRefusal,
    });
    if (log.isLevelEnabled('info')) log.level = 'warn'; // the trial requests are not logged
    await proveSecured(server.http, contract, basePath);
    log.level = logLevel;
    opened = await service.open?.({ log, registry: admin?.metrics.registry, broken: reportBroken });
    const port = await server.listen(settings.host, settings.port);
    baseUrl ||= `${tls ? 'https' : 'http'}://localhost:${port}${basePath}`;
    admin?.ready();
    const { version: contractVersion } = contract.document.info;
    const where = { baseUrl, host: settings.host, port, adminPort: admin?.port };
    log.info(
      { ...where, ...opened?.description, version: service.version, contractVersion, node: process.version },
      'listening',
    );
    const banner = bannerOf(contract, baseUrl, { token: credentials.oneOff, docs: settings.docs });
    outputs.print(outputs.printsJson ? bannerLine(banner, logTime) : bannerText(banner));
    return {
      baseUrl,
      undeclared,
      broken,
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

/** `Promise.withResolvers`, which Node has from version 22 on. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

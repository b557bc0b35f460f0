/** Starts a service: load -> prove -> open -> listen; closes it in reverse. */
import type { Express } from 'express';
import type { DestinationStream } from 'pino';
import type { Admin } from './admin/admin';
import { createApp } from './app';
import { openCredentials } from './auth/credentials';
import { proveSecured } from './auth/prove-secured';
import { bannerLine, bannerOf, bannerText } from './banner';
import { ErrorCode } from './errors/error-codes';
import { createServer, type HttpServer, serverLimits } from './http/server';
import { within } from './process/time-limit';
import { type Loaded, loadService } from './load';
import { createLog } from './process/log';
import { printable } from './process/printable';
import type { Opened, Service } from './service-interface';
import type { Settings } from './settings';

/**
 * The time limit of closing, from when nothing is accepted any more; the last second is for `Opened.close` and the log.
 */
const END_MS = 10_000;
const GRACE_MS = END_MS - 1_000;
const FLUSH_MS = 500;

/**
 * A running service.
 *
 * @example
 * const running: Running = await serve(service, settings, outputs);
 * await running.reload();
 * await running.close();
 */
export interface Running {
  /** The address of the service: the contract's `{base_url}`. */
  baseUrl: string;
  /** Statuses that operations do not declare although the server may answer with them, in lines. */
  undeclared: readonly string[];
  /** Resolves with the error if the service can no longer work and the process has to end. */
  broken: Promise<Error>;
  /**
   * Reads the contract again and serves it from the next request on; rejects, and changes nothing, if it cannot be
   * served.
   */
  reload(): Promise<void>;
  /** Finishes what is under way, then closes what the service has opened. */
  close(): Promise<void>;
}

/**
 * The outputs of a service: its banner and its log.
 *
 * @example
 * const outputs: Outputs = { print: (text) => process.stdout.write(text), logTo: process.stderr };
 */
export interface Outputs {
  /** Prints the address of the service, and how to try it, for whoever has started it. */
  print: (text: string) => void;
  /** True to print a line of JSON, like those of the log, rather than text for a person. */
  printsJson?: boolean;
  logTo: DestinationStream;
  /** The number of log lines that could not be written, for the metrics. */
  linesLost?: () => number;
}

/**
 * Starts a service; rejects with all problems, and leaves nothing open.
 *
 * @example
 * const settings = readVariables(engineVariables, process.env, settingsOf);
 * const running = await serve(service, settings, { print: console.log, logTo: process.stderr });
 * console.log(running.baseUrl);
 */
export async function serve(service: Service, settings: Settings, outputs: Outputs): Promise<Running> {
  const { logLevel, logTime } = settings;
  const log = createLog(logLevel, logTime, outputs.logTo);
  const credentials = service.credentials ?? (await openCredentials(settings, log));
  let reportBroken: (error: Error) => void = () => undefined;
  const broken = new Promise<Error>((resolve) => (reportBroken = resolve));
  let admin: Admin | undefined;
  let stopListening: (() => Promise<void>) | undefined;
  let opened: Opened | undefined;
  let address: string | undefined;
  const baseUrlOf = ({ basePath }: Loaded): string => settings.baseUrl ?? `${address}${basePath}`;
  const close = async (): Promise<void> => {
    await opened?.close();
    credentials.close();
    admin?.close();
  };
  const load = (): Loaded => loadService(service, { settings, tokens: credentials.verifier, log });
  /** Resolves to an app that has refused requests without a token; those are neither logged nor counted. */
  const provenApp = async (loaded: Loaded): Promise<Express> => {
    let isProven = false;
    const appLog = log.child({});
    if (appLog.isLevelEnabled('info')) appLog.level = 'warn';
    const app = createApp({
      ...settings,
      ...loaded,
      handlers: service.handlers,
      limits: service.limits,
      readers: service.readers,
      writers: service.writers,
      readOnly: service.readOnly,
      mock: service.mock?.answersOf(loaded.contract),
      enforceAnswers: !settings.production,
      baseUrl: () => baseUrlOf(loaded),
      observeRequests: admin && ((exchange) => isProven && admin?.metrics.observeRequests(exchange)),
      log: appLog,
    });
    await proveSecured(app, loaded.contract, loaded.basePath);
    isProven = true;
    appLog.level = logLevel;
    return app;
  };
  const serverOf = (app: Express, { contract: { errorBodies } }: Loaded): HttpServer =>
    createServer(app, log, {
      limits: { ...serverLimits, idleMs: settings.keepAliveMs },
      tls: settings.tls,
      corsOrigins: settings.corsOrigins,
      errorBodies,
      observeRefusal: admin?.metrics.observeRefusal,
    });
  try {
    // Load: read the contract, and check the service against it.
    const loaded = load();

    // Health and metrics start before any slow step.
    if (settings.adminPort !== undefined) {
      const { startAdmin } = await import('./admin/admin.js'); // only if needed: it takes a tenth of the startup time
      admin = await startAdmin({
        host: settings.host,
        port: settings.adminPort,
        contractVersion: loaded.contract.document.info.version,
        version: service.version,
        errorCodes: Object.values({ ...ErrorCode, ...service.errorCodes }),
        nextTokenEnd: credentials.nextEnd,
        isTokensFileUsable: credentials.isFileUsable,
        certificateEnd: settings.tls && (() => server.certificateEnd?.() ?? Infinity),
        linesLost: outputs.linesLost,
        check: async () => opened?.ready?.(),
      });
    }

    // Prove: requests without a token are refused.
    const server = serverOf(await provenApp(loaded), loaded);

    // Open: the store, or whatever handlers need.
    opened = await service.open?.({ log, registry: admin?.metrics.registry, broken: reportBroken });

    // Listen, and print the address.
    const port = await server.listen(settings.host, settings.port);
    stopListening = () => server.close(0);
    address = `${settings.tls ? 'https' : 'http'}://localhost:${port}`;
    const baseUrl = baseUrlOf(loaded);
    admin?.ready();
    const { version: contractVersion } = loaded.contract.document.info;
    const addresses = { baseUrl, host: settings.host, port, adminPort: admin?.port };
    log.info(
      { ...addresses, ...opened?.description, version: service.version, contractVersion, node: process.version },
      'listening',
    );
    const { oneOff: token, note } = credentials;
    const curl = service.mock?.curl?.(loaded.contract, baseUrl, token);
    const banner = bannerOf(loaded.contract, baseUrl, { token, docs: settings.docs, curl });
    outputs.print(printable(outputs.printsJson ? bannerLine(banner, logTime) : bannerText(banner, note)));
    return {
      baseUrl,
      undeclared: loaded.undeclared,
      broken,
      async reload() {
        const next = load();
        server.replaceApp(await provenApp(next), next.contract.errorBodies);
      },
      async close() {
        log.info('stopping: finishing what is under way');
        if (admin) server.endKeepAlive();
        await admin?.drain();
        const end = server.close(GRACE_MS).then(close);
        await within(END_MS - FLUSH_MS, end, `the end took longer than ${END_MS} ms: what was under way is cut off`);
        log.info('stopped');
      },
    };
  } catch (error) {
    await stopListening?.();
    await close();
    throw error;
  }
}

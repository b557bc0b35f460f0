/** The process: configuration -> contract -> app -> store -> listening; closed in reverse. */
import './node-version';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DestinationStream, pino } from 'pino';
import { contractDigest } from '../generated/openapi';
import { messageOf } from './engine/http/api-error';
import { type Admin, startAdmin } from './engine/admin/admin';
import { createApp } from './engine/app';
import { answerArguments } from './arguments';
import type { Verifiers } from './engine/auth/authenticate';
import { bearer } from './engine/auth/bearer';
import { openCredentials } from './engine/auth/credentials';
import { proveSecured } from './engine/auth/prove-secured';
import type { TokenVerifier } from './engine/auth/tokens';
import { banner } from './engine/banner';
import { readConfig } from './config';
import { undeclaredStatuses } from './engine/rules/error-rules';
import type { AnyHandlers } from './engine/contract/handler-types';
import { serverPath } from './engine/contract/operations';
import { loadContract } from './engine/rules/load-contract';
import { createServer, listen, serverLimits } from './engine/http/server';
import { errorCodes, handlersOn } from './handlers';
import { Lines, standardError, standardOutput } from './engine/log/lines';
import { openStore } from './plants/open-store';
import { GroupCommit } from './plants/group-commit';
import { type PlantStore, type PlantReader } from './plants/store';
import type { PlantRepository } from './plants/repository';
import { canRead } from './engine/http/media-type';
import { projectRoot } from './project-root';
import { closeServer } from './engine/http/shutdown';
import { tlsServer } from './engine/http/tls';

/** How long the end may take once nothing is accepted any more; the last second is for the store and the log. */
const END_MS = 10_000;
const GRACE_MS = END_MS - 1_000;
const FLUSH_MS = 500;

const stdout = new Lines(standardOutput);
const stderr: Lines = new Lines(standardError, (lost) => {
  pino({}, stderr).error({ lost }, 'lines of the log could not be written and are lost');
});

/** What is served: a contract, and all that answers for it. */
export interface Application {
  /** The file of the contract. */
  contract: string;
  /** The digest of the contract that the types of the handlers were made from. */
  digest: string;
  handlersOn: (plants: PlantRepository) => AnyHandlers;
  errorCodes: Readonly<Record<string, number>>;
  /** The verifiers of credentials by the names of the contract's security schemes; all of them ask the accepted tokens. */
  verifiersOn: (tokens: TokenVerifier) => Verifiers;
}

/** Ours. The engine's tests serve one of their own. */
const ours: Application = {
  contract: join(projectRoot, 'openapi.yaml'),
  digest: contractDigest,
  handlersOn,
  errorCodes,
  // auth/basic.ts and auth/api-key.ts have verifiers for other kinds of schemes.
  verifiersOn: (tokens) => ({ bearerAuth: bearer(tokens) }),
};

/** A running service. */
export interface Service {
  /** Where it is reached: the contract's `{base_url}`. */
  baseUrl: string;
  /** A line for each operation of what the contract does not declare and is answered all the same. */
  undeclared: readonly string[];
  /** Resolves if the store must not be used any more; everything is then refused, and the process has to end. */
  broken: Promise<Error>;
  /** Finishes what is under way, then closes the store. */
  close(): Promise<void>;
}

/**
 * Starts the service from environment variables; `print` is given what a person at a terminal wants to read. Rejects,
 * with nothing left open, if anything is not as it must be: the message says what, all at once.
 */
export async function start(
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
  { application = ours, logTo = stderr }: { application?: Application; logTo?: DestinationStream } = {},
): Promise<Service> {
  const config = readConfig(env);
  const log = pino({ level: config.logLevel }, logTo);
  const credentials = await openCredentials(config, log);
  const verifiers = application.verifiersOn(credentials.verifier);

  let reportBroken: (error: Error) => void = () => undefined;
  const broken = new Promise<Error>((resolve) => (reportBroken = resolve));
  const tell = (text: string): void => log.warn(text);
  let store: PlantReader | undefined;
  let admin: Admin | undefined;
  const open = async (): Promise<PlantStore> => {
    const opened = await openStore(config, { broken: reportBroken, tell });
    store = opened;
    return admin?.metrics.observeStore(opened) ?? opened;
  };
  const plants = new GroupCommit(open, { batchMax: config.batchMax });
  const close = async (): Promise<void> => {
    await plants.close();
    credentials.close();
    admin?.close();
  };
  try {
    const handlers = application.handlersOn(plants);
    const served = { ...application, handlers: Object.keys(handlers), verifiers, canRead };
    const contract = loadContract(application.contract, served);
    const undeclared = undeclaredStatuses(contract);
    for (const line of undeclared) log.warn(line);
    const basePath = config.basePath ?? serverPath(contract.document);
    if (config.adminPort !== undefined) {
      admin = await startAdmin({
        host: config.host,
        port: config.adminPort,
        contractVersion: contract.document.info.version,
        queueLength: () => plants.queueLength,
        async checkStore() {
          await store?.page(0n, 1);
        },
      });
    }
    let baseUrl = config.baseUrl ?? '';
    const app = await createApp({
      ...config,
      basePath,
      contract,
      handlers,
      verifiers,
      enforceAnswers: !config.production,
      docsBaseUrl: config.docs ? () => baseUrl : undefined,
      observeRequests: admin?.metrics.observeRequests,
      log,
    });
    const limits = { ...serverLimits, idleMs: config.keepAliveMs };
    const server = createServer(app, log, limits, admin?.metrics.observeRefusal);
    if (log.isLevelEnabled('info')) log.level = 'warn'; // the trial requests are not logged
    await proveSecured(server, contract, basePath);
    log.level = config.logLevel;
    await plants.open();
    const listener = config.tls ? tlsServer(server, config.tls, log) : server;
    const port = await listen(listener, config.host, config.port);
    baseUrl ||= `${config.tls ? 'https' : 'http'}://localhost:${port}${basePath}`;
    admin?.ready();
    log.info({ baseUrl, host: config.host, port, adminPort: admin?.port, node: process.version }, 'listening');
    print(banner(contract, baseUrl, { token: credentials.oneOff, docs: config.docs }));
    return {
      baseUrl,
      undeclared,
      broken,
      async close() {
        await admin?.drain();
        const late = sleep(END_MS - FLUSH_MS, undefined, { ref: false }).then(() => {
          throw new Error(`the end took longer than ${END_MS} ms: what was under way is cut off`);
        });
        await Promise.race([closeServer(server, GRACE_MS, listener).then(close), late]);
        log.info('stopped');
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The process; ends it where it cannot start. */
export function main(application = ours): void {
  void run(application).catch(fail);
}

async function run(application: Application): Promise<void> {
  const asked = answerArguments(process.argv.slice(2));
  if (asked !== undefined) {
    stdout.write(asked);
    await exit(0);
  }
  const running: { service?: Service; ending?: boolean } = {};
  const end = (code: number): void => {
    running.ending = true;
    // Where it has not started yet there is nothing to finish.
    Promise.resolve(running.service?.close()).then(() => exit(code), fail);
  };
  const stop = (): void => (running.ending ? process.exit(1) : end(0));
  // Before anybody can know that it runs. A parent that has given us a channel (scripts/dev) is gone when that is closed.
  process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
  const { broken } = (running.service = await start(process.env, (text) => stdout.write(text), { application }));
  stderr.write(`${(await broken).message}\n`);
  if (!running.ending) end(1);
}

function fail(error: unknown): Promise<never> {
  stderr.write(`${messageOf(error)}\n`);
  return exit(1);
}

async function exit(code: number): Promise<never> {
  await Promise.all([stdout.flush(FLUSH_MS), stderr.flush(FLUSH_MS)]);
  process.exit(code);
}

if (require.main === module) main();

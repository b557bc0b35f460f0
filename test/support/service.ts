/** A server of the engine's test contract, or of another, on a free port of the loopback interface. */
import type { Server } from 'node:http';
import type { Express } from 'express';
import { type Logger, pino } from 'pino';
import { createApp } from '../../src/engine/app';
import type { Verifiers } from '../../src/engine/auth/authenticate';
import { makeToken, type TokenVerifier, tokens } from '../../src/engine/auth/tokens';
import { verifiersOf } from '../../src/engine/auth/verifiers';
import { readServed, type ServedDocument } from '../../src/engine/contract/bundle';
import type { Document } from '../../src/engine/contract/document';
import type { AnyHandlers as Handlers } from '../../src/engine/contract/handler-types';
import { loadContract } from '../../src/engine/rules/load-contract';
import type { Reader } from '../../src/engine/http/parse-body';
import type { Writer } from '../../src/engine/operation/write-body';
import { canRead } from '../../src/engine/contract/media-type';
import { type ErrorBody, plainShape } from '../../src/engine/errors/error-body';
import type { Limits } from '../../src/engine/operation/limits';
import { createServer, type ServerLimits, serverLimits } from '../../src/engine/http/server';
import { engineContract, handlersOf } from './contracts';
import type { TlsFiles } from '../../src/engine/http/tls';
import { EnginePlants } from './engine/plants';
import { recordServerAnswer } from './record-answers';

export interface ServerOptions {
  /** The accepted tokens, in place of one. */
  tokens?: TokenVerifier;
  /** Verifiers in place of those that ask the tokens. */
  verifiers?: Verifiers;
  basePath?: string;
  bodyBytesMax?: number;
  /** Limits of single operations. */
  operationLimits?: Limits;
  readers?: Readonly<Record<string, Reader>>;
  writers?: Readonly<Record<string, Writer>>;
  readOnly?: 'refuse' | 'leave out';
  rateLimit?: number;
  enforceAnswers?: boolean;
  limits?: Partial<ServerLimits>;
  /** Whether the documentation is served. */
  docs?: boolean;
  corsOrigins?: string[];
  /** How errors are written; `{error, message}` by default. */
  errorBody?: ErrorBody | undefined;
  trustProxy?: string[];
  tls?: TlsFiles;
  /** The folder for large files of forms. */
  temporaryFolder?: string;
  /** The interval of comments in event streams. */
  commentMs?: number;
}

export interface ServiceOptions extends ServerOptions {
  /** The contract; by default that of the engine's tests. */
  contract?: string;
  /** Handlers instead of those of that contract. */
  handlers?: (plants: EnginePlants) => Handlers;
}

export interface TestServer {
  app: Express;
  server: Server;
  port: number;
  baseUrl: string;
  /** A token that is accepted. */
  token: string;
  /** The log, parsed. */
  logged: Line[];
  /** Cuts what is under way, unless it is given time. */
  close(graceMs?: number): Promise<void>;
}

export interface TestService extends TestServer {
  /** What the handlers of the engine's contract have stored. */
  rows: EnginePlants['rows'];
}

type Line = Record<string, unknown>;

/** Starts a server of the engine's contract, or of the given one. */
export async function startService({ contract, handlers, ...options }: ServiceOptions = {}): Promise<TestService> {
  const plants = new EnginePlants();
  const server = await startServer(contract ?? engineContract, (handlers ?? handlersOf(plants.handlers))(plants), {
    ...options,
    record: contract === undefined && options.enforceAnswers !== false ? recordServerAnswer : undefined,
  });
  return { ...server, rows: () => plants.rows() };
}

/** Servers that their test has not closed, because it has failed before. */
const open = new Set<TestServer>();
afterAll(() => Promise.all([...open].map((service) => service.close())));

/** What most services serve is read once. */
let engineDocument: ServedDocument | undefined;
const documentOf = (file: string): ServedDocument =>
  file === engineContract ? (engineDocument ??= readServed(file)) : readServed(file);

/** Starts a server; `record` is given each line of its log. Its `close` leaves nothing behind. */
export async function startServer(
  contractFile: string,
  handlers: Handlers,
  options: ServerOptions & { record?: ((line: Line) => void) | undefined } = {},
): Promise<TestServer> {
  const { token, line } = makeToken('tester');
  const document = documentOf(contractFile);
  const verifiers = verifiersOf(
    document.value as Document,
    { tokens: options.tokens ?? tokens(line, 'the test') },
    options.verifiers,
  );
  const { logged, log } = memoryLog(options.record);
  let baseUrl = '';
  const contract = loadContract(contractFile, {
    document,
    handlers: Object.keys(handlers),
    verifiers,
    canRead: (mediaType) => canRead(mediaType) || Object.hasOwn(options.readers ?? {}, mediaType),
    errorBody: options.errorBody ?? plainShape,
  });
  const app = createApp({
    contract,
    handlers,
    verifiers,
    basePath: options.basePath ?? '',
    bodyBytesMax: options.bodyBytesMax ?? 102_400,
    limits: options.operationLimits,
    readers: options.readers,
    writers: options.writers,
    readOnly: options.readOnly,
    rateLimit: options.rateLimit,
    enforceAnswers: options.enforceAnswers ?? true,
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy ?? [],
    baseUrl: () => baseUrl,
    docs: options.docs ?? false,
    temporaryFolder: options.temporaryFolder,
    commentMs: options.commentMs,
    errorRepeatMs: 0, // tests look for each error in the log
    log,
  });
  const limits = { ...serverLimits, ...options.limits };
  const server = createServer(app, log, {
    limits,
    tls: options.tls,
    corsOrigins: options.corsOrigins ?? [],
    errorBodies: contract.errorBodies,
  });
  const port = await server.listen('127.0.0.1', 0);
  baseUrl = `${options.tls ? 'https' : 'http'}://localhost:${port}${options.basePath ?? ''}`;
  let closing: Promise<void> | undefined;
  const service: TestServer = {
    app,
    server: server.http,
    port,
    baseUrl,
    token,
    logged,
    close(graceMs = 0) {
      open.delete(service);
      return (closing ??= server.close(graceMs));
    },
  };
  open.add(service);
  return service;
}

function memoryLog(record: (line: Line) => void = () => undefined): { logged: Line[]; log: Logger } {
  const logged: Line[] = [];
  const write = (text: string): void => {
    const line = JSON.parse(text) as Line;
    logged.push(line);
    record(line);
  };
  return { logged, log: pino({ level: 'debug' }, { write }) };
}

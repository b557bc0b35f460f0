/** The service as `main.ts` assembles it, with a temporary store, on a free port of the loopback interface. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import request, { type Test } from 'supertest';
import { createApp } from '../../src/app';
import type { Verifiers } from '../../src/auth/authenticate';
import { bearer } from '../../src/auth/bearer';
import { makeToken, tokens } from '../../src/auth/tokens';
import { loadContract, type Served } from '../../src/contract/rules';
import type { Contract } from '../../src/contract/operations';
import type { Handlers } from '../../src/contract/handler-types';
import { createServer, type ServerLimits, serverLimits } from '../../src/http/server';
import { handlersOn } from '../../src/handlers';
import { GroupCommit } from '../../src/plants/group-commit';
import type { PlantRepository } from '../../src/plants/repository';
import { openDatabase, type SqlValue } from '../../src/plants/sqlite/driver';
import { recordAnswer } from './record-answers';
import { freshStore } from './store';
import { canRead } from '../../src/http/media-type';
import { closeServer } from '../../src/http/shutdown';

export const contractFile = join(__dirname, '..', '..', 'openapi.yaml');

export interface ServiceOptions {
  /** The contract; by default that of the repository. */
  contract?: string;
  /** Handlers instead of the real ones. */
  handlers?: (plants: PlantRepository) => Handlers;
  verifiers?: Verifiers;
  basePath?: string;
  bodyBytesMax?: number;
  enforceAnswers?: boolean;
  limits?: Partial<ServerLimits>;
  /** Whether the documentation is served. */
  docs?: boolean;
  corsOrigins?: string[];
  trustProxy?: string[];
}

export type Row = Record<string, SqlValue>;

export interface TestService {
  server: Server;
  port: number;
  baseUrl: string;
  /** A token that is accepted. */
  token: string;
  plants: PlantRepository;
  /** The log, parsed. */
  logged: Record<string, unknown>[];
  /** The content of the store, read by another connection. */
  rows(): Row[];
  /** `POST /plants` with the token and a JSON body; text is sent unchanged. */
  create(body: string | object): Test;
  close(): Promise<void>;
}

/** Starts a service; its `close` leaves nothing behind. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const store = await freshStore();
  const { token, line } = makeToken('tester');
  const verifiers = options.verifiers ?? { bearerAuth: bearer(tokens(line, 'the test')) };
  const plants = new GroupCommit(() => store.open());
  await plants.open();
  const handlers = (options.handlers ?? handlersOn)(plants);
  const served = { handlers: Object.keys(handlers), verifiers, canRead };
  // Answers of another contract, or of one that is not enforced, say nothing about ours.
  const isOurs = options.contract === undefined && options.enforceAnswers !== false;
  const { logged, log } = memoryLog(isOurs ? recordAnswer : () => undefined);
  let baseUrl = '';
  const app = await createApp({
    contract: options.contract === undefined ? ours(served) : loadContract(options.contract, served),
    handlers,
    verifiers,
    basePath: options.basePath ?? '',
    bodyBytesMax: options.bodyBytesMax ?? 102_400,
    enforceAnswers: options.enforceAnswers ?? true,
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy ?? [],
    documentationAt: options.docs ? () => baseUrl : undefined,
    errorRepeatMs: 0, // tests look for each error in the log
    log,
  });
  const server = createServer(app, log, { ...serverLimits, ...options.limits });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  baseUrl = `http://localhost:${port}${options.basePath ?? ''}`;
  return {
    server,
    port,
    baseUrl,
    token,
    plants,
    logged,
    rows: () => store.rows(),
    create: (body) =>
      request(server)
        .post('/plants')
        .set('Authorization', `Bearer ${token}`)
        .set('Content-Type', 'application/json')
        .send(typeof body === 'string' ? body : JSON.stringify(body)),
    async close() {
      await closeServer(server, 1_000);
      await plants.close();
      await store.remove();
    },
  };
}

let loaded: Contract | undefined;
/** The repository's contract, read once, because that takes some time. */
const ours = (served: Served): Contract => (loaded ??= loadContract(contractFile, served));

/** The plants of a store file, by id. */
export function rowsOf(file: string): Row[] {
  const database = openDatabase(file);
  try {
    const all = database.prepare('SELECT id, name, tag FROM plants ORDER BY id');
    all.setReadBigInts(true);
    return all.all().map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

type Line = Record<string, unknown>;

function memoryLog(tell: (line: Line) => void): { logged: Line[]; log: Logger } {
  const logged: Line[] = [];
  const write = (text: string): void => {
    const line = JSON.parse(text) as Line;
    logged.push(line);
    tell(line);
  };
  return { logged, log: pino({ level: 'debug' }, { write }) };
}

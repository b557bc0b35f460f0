/** The contract that is served, with its handlers on a store of the test's own: for the tests of plants. */
import { join } from 'node:path';
import request, { type Test } from 'supertest';
import { handlersOn } from '../../../src/handlers';
import { GroupCommit } from '../../../src/plants/group-commit';
import type { PlantRepository } from '../../../src/plants/repository';
import { openSqliteStore } from '../../../src/plants/sqlite/store';
import { recordAnswer } from '../../support/record-answers';
import { type ServerOptions, startServer, type TestServer } from '../../support/service';
import { temporaryFolder } from '../../support/temporary-folder';
import { type Row, rowsOf } from './store';

export const ourContract = join(__dirname, '..', '..', '..', 'openapi.yaml');

export interface OurService extends TestServer {
  /** `POST /plants` with the token and a JSON body. */
  create(body: object): Test;
  /** The content of the store, read by another connection. */
  rows(): Row[];
}

export interface OurServiceOptions extends ServerOptions {
  /** Another repository than one on a store of its own. */
  plants?: PlantRepository;
}

/** Services that their test has not closed, because it has failed before. */
const open = new Set<OurService>();
afterAll(() => Promise.all([...open].map((service) => service.close())));

/** Starts the service; its `close` leaves nothing behind. */
export async function startOurService({ plants, ...options }: OurServiceOptions = {}): Promise<OurService> {
  const file = join(temporaryFolder(), 'plants.db');
  const stored = new GroupCommit();
  // The folder of a service that its test has not closed is removed before it: that would end the process.
  stored.use(openSqliteStore(file, { broken: () => undefined }));
  const server = await startServer(ourContract, handlersOn(plants ?? stored), { ...options, record: recordAnswer });
  const closeAll = async (): Promise<void> => {
    await server.close();
    await stored.close();
  };
  let closing: Promise<void> | undefined;
  const service: OurService = {
    ...server,
    create: (body) => request(server.server).post('/plants').auth(server.token, { type: 'bearer' }).send(body),
    rows: () => rowsOf(file),
    close() {
      open.delete(service);
      return (closing ??= closeAll());
    },
  };
  open.add(service);
  return service;
}

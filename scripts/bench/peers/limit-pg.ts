/** The limit on PostgreSQL: what `node:http` and our own store can do when nothing is checked, no token and no body. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from './listen';
import { settings } from './settings';

interface NewPlant {
  id: bigint;
  name: string;
  tag?: string;
}

/** The parts of our build that are the store. */
interface Built {
  GroupCommit: new (open: () => unknown) => { open(): Promise<void>; add(plant: NewPlant): Promise<void> };
  openPostgresStore: (url: string) => unknown;
}
const built = (name: string): Built => require(join(process.cwd(), 'dist', 'src', 'plants', name)) as Built;

async function main(): Promise<void> {
  const { GroupCommit } = built('group-commit.js');
  const { openPostgresStore } = built('postgres/store.js');
  const plants = new GroupCommit(() => openPostgresStore(settings.database));
  await plants.open();
  listen(
    createServer((request: IncomingMessage, response: ServerResponse) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('end', () => {
        const { id, name, tag } = JSON.parse(text) as { id: number; name: string; tag?: string };
        const body = JSON.stringify({ name, tag });
        void plants.add({ id: BigInt(id), name, ...(tag !== undefined && { tag }) }).then(() => {
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
          response.end(body);
        });
      });
    }),
  );
}

void main();

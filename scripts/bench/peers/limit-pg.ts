/** The upper limit on PostgreSQL, with our own store. */
import { join } from 'node:path';
import { serveUnchecked } from './serve-unchecked';
import { settings } from './settings';

/** The parts of our build that are the store. */
interface Built {
  GroupCommit: new (open: () => unknown) => { open(): Promise<void>; add(plant: object): Promise<void> };
  openPostgresStore: (url: string) => unknown;
}
const built = (name: string): Built => require(join(process.cwd(), 'dist', 'src', 'plants', name)) as Built;

const { GroupCommit } = built('group-commit.js');
const { openPostgresStore } = built('postgres/store.js');
const plants = new GroupCommit(() => openPostgresStore(settings.database));
void plants.open().then(() => serveUnchecked((plant) => plants.add({ ...plant, id: BigInt(plant.id) })));

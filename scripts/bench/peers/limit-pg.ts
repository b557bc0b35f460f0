/** The upper limit on PostgreSQL, with our own store. */
import { join } from 'node:path';
import { serveUnchecked } from './serve-unchecked';
import { settings } from './settings';

/** The parts of our build that are the store. */
interface Built {
  GroupCommit: new () => { use(store: unknown): void; add(plant: object): Promise<void> };
  openPostgresStore: (url: string) => Promise<unknown>;
}
const built = (name: string): Built => require(join(process.cwd(), 'dist', 'src', 'plants', name)) as Built;

const { GroupCommit } = built('group-commit.js');
const { openPostgresStore } = built('postgres/store.js');
const plants = new GroupCommit();
void openPostgresStore(settings.database).then((store) => {
  plants.use(store);
  serveUnchecked((plant) => plants.add({ ...plant, id: BigInt(plant.id) }));
});

/** The upper limit on SQLite, with group commit. */
import { GroupCommit } from './group-commit';
import { serveUnchecked } from './serve-unchecked';

const plants = new GroupCommit();
serveUnchecked((plant) => plants.add(plant));

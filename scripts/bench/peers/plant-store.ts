/**
 * The store of every peer: one durable SQLite commit for each plant, as most services do it, or for many that share it
 * (`addAll`), as the peers with group commit do.
 */
import { DatabaseSync } from '@photostructure/sqlite';

export interface Plant {
  name: string;
  tag?: string;
}

export interface NewPlant extends Plant {
  id: number;
}

export class PlantStore {
  readonly #database;
  readonly #insert;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT`);
    this.#insert = this.#database.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?)');
    // Without it a large id throws on the way back, after its row is in.
    this.#insert.setReadBigInts(true);
  }

  /** Stores the plant and answers with what is shown of it; it is on disk by then. Throws if the id is taken. */
  add(plant: NewPlant): Plant {
    const { id, name, tag } = plant;
    this.#insert.run(id, name, tag ?? null);
    return shownOf(plant);
  }

  /** Stores all of the plants in one commit, or throws and stores none. */
  addAll(plants: Iterable<NewPlant>): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const { id, name, tag } of plants) this.#insert.run(id, name, tag ?? null);
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** What the answer shows of a plant. */
export function shownOf({ name, tag }: NewPlant): Plant {
  return tag === undefined ? { name } : { name, tag };
}

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
    // Without this a large id throws when it is read back, after its row was inserted.
    this.#insert.setReadBigInts(true);
  }

  /** Stores the plant, synced to disk, and returns it as it is answered. Throws if the id is taken. */
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

/** The plant as it is answered. */
export function shownOf({ name, tag }: NewPlant): Plant {
  return tag === undefined ? { name } : { name, tag };
}

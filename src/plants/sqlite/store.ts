/** Plants in an SQLite file, synced to disk with every commit. */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { explain } from './advice';
import { type CheckpointOptions, Checkpoints } from './checkpoints';
import type { Outcome, PlantStore } from '../group-commit';
import type { EachProperty, NewPlant } from '../repository';
import { type Database, SqliteCode, sqliteCode, type SqlValue, type Statement } from './driver';
import { openStoreFile } from './open';

export interface SqliteStoreOptions extends CheckpointOptions {
  /** How long another process may hold the file locked before a create is refused. */
  lockWaitMs?: number;
  /** The same while the store is opened, when nobody else waits for this process. */
  openWaitMs?: number;
}

/** Opens the file, or makes it, and brings its schema up to date; throws an Error that says what to do. */
export function openSqliteStore(
  file: string,
  { lockWaitMs = 2_000, openWaitMs = 5_000, ...checkpoints }: SqliteStoreOptions = {},
): PlantStore {
  // A whole path is always a file; SQLite takes `:memory:` and `file:?mode=memory` for stores that are on no disk.
  const path = resolve(file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const database = openStoreFile(path, openWaitMs);
    return new SqliteStore(database, new Checkpoints(database, path, checkpoints), lockWaitMs);
  } catch (cause) {
    throw new Error(`the store ${file} cannot be opened: ${explain(cause)}`, { cause });
  }
}

/** Two processes may have the same file open: every batch is one transaction that begins by taking the write lock. */
class SqliteStore implements PlantStore {
  private readonly begin: Statement;
  private readonly insert: Statement;
  private readonly select: Statement;
  private readonly commit: Statement;

  /** Holds the database as long as its statements. */
  constructor(
    private readonly database: Database,
    private readonly checkpoints: Checkpoints,
    private readonly lockWaitMs: number,
  ) {
    // Waiting is done here, between attempts: SQLite's own would stop the process.
    database.exec('PRAGMA busy_timeout = 0');
    this.begin = database.prepare('BEGIN IMMEDIATE');
    this.insert = database.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.select = database.prepare('SELECT name, tag FROM plants WHERE id = ?');
    this.commit = database.prepare('COMMIT');
    // Without this a large id is an error in what the statement returns, after the row is in.
    for (const each of [this.begin, this.insert, this.select, this.commit]) each.setReadBigInts(true);
  }

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + this.lockWaitMs;
    for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, 50)) {
      try {
        return this.checkpoints.around(plants.length, () => this.transaction(plants));
      } catch (error) {
        if (sqliteCode(error) !== SqliteCode.BUSY || performance.now() + waitMs > deadline) throw error;
        await sleep(waitMs);
      }
    }
  }

  close(): void {
    try {
      // The backport keeps the file open until the statements are garbage: without this, plants would stay in the log.
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // They are as safe there, and the next start finds them.
    }
    this.database.close();
    this.checkpoints.close();
  }

  private transaction(plants: readonly NewPlant[]): Outcome[] {
    this.begin.run();
    try {
      const outcomes = plants.map((plant) => this.add(plant));
      this.commit.run();
      return outcomes;
    } catch (error) {
      // Some failures have rolled back already.
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private add({ id, name, tag }: NewPlant): Outcome {
    const row = { name, tag: tag ?? null } satisfies EachProperty<SqlValue>;
    if (Number(this.insert.run(id, row.name, row.tag).changes) === 1) return 'stored';
    const stored = this.select.get(id);
    return stored?.name === row.name && stored.tag === row.tag ? 'replayed' : 'taken';
  }
}

/** Plants in an SQLite file, synced to disk with every commit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { explain } from './advice';
import { type CheckpointOptions, Checkpoints } from './checkpoints';
import { columnList, columns, hasContentOf, plantOfRow, valueOf } from '../columns';
import type { Outcome, PlantStore, PlantReader } from '../store';
import type { NewPlant } from '../repository';
import { type Database, SqliteCode, sqliteCode, type Statement } from './driver';
import { NotInPlace, StoreFile } from './file';
import { openStoreDatabase, type Tell } from './open';

export interface SqliteStoreOptions extends CheckpointOptions {
  /** How long another process may hold the file locked before a create is refused. */
  lockWaitMs?: number;
  /** The same while the store is opened, when nobody else waits for this process. */
  openWaitMs?: number;
  /**
   * Called once if the store must not be used any more: its file is gone, or the disk refuses a sync. It refuses
   * everything from then on, and the process has to end. By default the error is thrown, which ends it.
   */
  broken?: (error: Error) => void;
  /** Called with what an operator should know while the store works. */
  tell?: Tell;
}

/** Opens the file, or makes it, and brings its schema up to date; throws an Error that says what to do. */
export function openSqliteStore(
  given: string,
  {
    lockWaitMs = 2_000,
    openWaitMs = 5_000,
    broken = rethrow,
    tell = () => undefined,
    ...options
  }: SqliteStoreOptions = {},
): PlantStore & PlantReader {
  let [file, database]: [StoreFile?, Database?] = [];
  try {
    file = new StoreFile(given);
    database = openStoreDatabase(file, openWaitMs, tell);
    return new SqliteStore(file, database, { lockWaitMs, broken, tell, ...options });
  } catch (cause) {
    database?.close();
    file?.close();
    throw new Error(`the store ${given} cannot be opened: ${explain(cause)}`, { cause });
  }
}

type Settings = SqliteStoreOptions & Required<Pick<SqliteStoreOptions, 'lockWaitMs' | 'broken' | 'tell'>>;

/** How often a store that nobody writes to looks whether its file is still there. */
const LOOK_MS = 1_000;

/** Two processes may have the same file open: every batch is one transaction that begins by taking the write lock. */
class SqliteStore implements PlantStore, PlantReader {
  private readonly begin: Statement;
  private readonly insert: Statement;
  private readonly commit: Statement;
  private readonly selectPage: Statement;
  private readonly selectOne: Statement;
  private readonly checkpoints: Checkpoints;
  private readonly looking: NodeJS.Timeout;
  private failure: Error | undefined;

  /** Keeps the database: it must not be garbage-collected before its statements. */
  constructor(
    private readonly file: StoreFile,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {
    this.begin = database.prepare('BEGIN IMMEDIATE');
    const values = columns.map(() => '?').join(', ');
    this.insert = database.prepare(`INSERT INTO plants (${columnList}) VALUES (${values}) ON CONFLICT DO NOTHING`);
    this.commit = database.prepare('COMMIT');
    const all = `SELECT ${columnList} FROM plants`;
    this.selectPage = database.prepare(`${all} WHERE id >= ? ORDER BY id LIMIT ?`);
    this.selectOne = database.prepare(`${all} WHERE id = ?`);
    // Otherwise an id beyond 2^53 throws in what the statement returns, after the row has been inserted.
    for (const each of [this.begin, this.insert, this.commit, this.selectPage, this.selectOne]) {
      each.setReadBigInts(true);
    }
    const events = { tell: settings.tell, broken: (error: Error) => this.fail(error) };
    this.checkpoints = new Checkpoints(database, file, settings, events);
    file.remember();
    this.looking = setInterval(() => this.look(), LOOK_MS).unref();
  }

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + this.settings.lockWaitMs;
    for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, 50)) {
      if (this.failure) throw this.failure;
      try {
        const outcomes = this.checkpoints.around(plants.length, () => this.transaction(plants));
        // After the commit: what is committed to a file that is gone, or to its log, is gone with this process.
        this.file.assertInPlace();
        return outcomes;
      } catch (error) {
        if (error instanceof NotInPlace) this.fail(error);
        if (sqliteCode(error) !== SqliteCode.BUSY || performance.now() + waitMs > deadline) throw error;
        await sleep(waitMs);
      }
    }
  }

  page(first: bigint, count: number): Promise<NewPlant[]> {
    return Promise.resolve(this.selectPage.all(first, count).map(plantOfRow));
  }

  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    const rows = ids.map((id) => this.selectOne.get(id)).filter((row) => row !== undefined);
    return Promise.resolve(new Map(rows.map(plantOfRow).map((plant) => [plant.id, plant])));
  }

  close(): void {
    clearInterval(this.looking);
    // Closing would write to the file, and remove a log that may be another's. The next start reads what is in it.
    if (this.failure) return;
    this.checkpoints.close();
    this.file.close();
  }

  private look(): void {
    try {
      this.file.assertEachInPlace();
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private fail(error: Error): void {
    if (this.failure) return;
    this.failure = error;
    clearInterval(this.looking);
    this.settings.broken(error);
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

  private add(plant: NewPlant): Outcome {
    if (Number(this.insert.run(...columns.map((column) => valueOf(plant, column))).changes) === 1) return 'stored';
    const stored = this.selectOne.get(plant.id);
    return stored && hasContentOf(plant, stored) ? 'replayed' : 'taken';
  }
}

function rethrow(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** Plants in an SQLite file, synced to disk with every commit. */
import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../engine';
import { columnList, columns, hasContentOf, plantOfRow, valueOf, writtenColumns } from '../columns';
import type { NewPlant } from '../repository';
import {
  BatchRefused,
  DamagedText,
  type Measurement,
  type Outcome,
  type PlantStore,
  StoreBroken,
  type StoreDescription,
} from '../store';
import { pageLength, TurnText } from '../turn';
import { explain } from './advice';
import { type CheckpointOptions, Checkpoints, pageBytesOf } from './checkpoints';
import { bound, type Database, SqliteCode, sqliteCode, type SqlValue, type Statement } from './driver';
import { FilesInPlace, makeFile } from './file';
import { type OpenedDatabase, openStoreDatabase, type Warn } from './open';
import { TableWatch } from './table';

export interface SqliteStoreOptions extends CheckpointOptions {
  /** Makes missing folders above a new file. */
  makeFolders?: boolean;
  /** Refuses a file that has no table of plants, or one of another version, and leaves it unchanged. */
  mustExist?: boolean;
  /** The longest wait for another process's lock before a create is refused. */
  lockWaitMs?: number;
  /** The same while the store is opened. */
  openWaitMs?: number;
  /** A sync of a commit that takes longer is reported. */
  syncWarnMs?: number;
  /**
   * Called once if the store must not be used any more: its file is gone, or the disk refuses a sync. It refuses everything from then on,
   * so that the process has to end. By default the error is thrown as uncaught, which ends it.
   */
  broken?: (error: Error) => void;
  /** Called with messages for operators. */
  warn?: Warn;
}

const INSERT = `INSERT INTO plants (${columnList}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`;

/** Slow syncs are reported at most so often. */
const WARN_EACH_MS = 10_000;

/** Opens the file, or makes it, and brings its schema up to date; throws an Error that says what to do. */
export function openSqliteStore(given: string, options: SqliteStoreOptions = {}): PlantStore {
  const { makeFolders = true, mustExist = false, openWaitMs = 5_000, warn = () => undefined } = options;
  let opened: OpenedDatabase | undefined;
  try {
    const path = makeFile(given, makeFolders);
    opened = openStoreDatabase(path, { waitMs: openWaitMs, mustExist, warn });
    return new SqliteStore(given, path, opened, options);
  } catch (cause) {
    opened?.database.close();
    throw new Error(`the store ${resolve(given)} cannot be opened: ${explain(cause)}`, { cause });
  }
}

/** A plant of a batch whose id is there already. */
interface Present {
  index: number;
  plant: NewPlant;
}

/** A store in a file that other processes may have open too: each batch is a transaction that takes the write lock first. */
class SqliteStore implements PlantStore {
  readonly description: StoreDescription;
  readonly batchesAtOnce = 1;
  /** A reference that keeps it from being garbage-collected before its statements. */
  private readonly database: Database;
  private readonly begin: Statement;
  private readonly insert: Statement;
  private readonly commit: Statement;
  private readonly selectPage: Statement;
  private readonly selectLengths: Statement;
  private readonly selectAny: Statement;
  private readonly selectOne: Statement;
  private readonly selectShort: Statement;
  private readonly selectLength: Statement;
  private readonly checkpoints: Checkpoints;
  private readonly table: TableWatch;
  private readonly files: FilesInPlace;
  private readonly lockWaitMs: number;
  private readonly broken: (error: Error) => void;
  private readonly warn: Warn;
  private readonly syncWarnMs: number;
  private failure: Error | undefined;
  private longestSync = 0;
  private warnNext = -Infinity;

  constructor(
    given: string,
    private readonly path: string,
    { database, made, schemaVersion }: OpenedDatabase,
    {
      lockWaitMs = 2_000,
      broken = rethrow,
      warn = () => undefined,
      syncWarnMs = 1_000,
      ...options
    }: SqliteStoreOptions,
  ) {
    this.description = { store: resolve(given), made, schemaVersion };
    this.database = database;
    this.lockWaitMs = lockWaitMs;
    this.broken = broken;
    this.warn = warn;
    this.syncWarnMs = syncWarnMs;
    this.begin = database.prepare('BEGIN IMMEDIATE');
    this.insert = database.prepare(INSERT);
    this.commit = database.prepare('COMMIT');
    const fromFirst = 'FROM plants WHERE id >= ? ORDER BY id LIMIT ?';
    const bytes = writtenColumns.map((column) => `CAST("${column}" AS BLOB) AS ${quoted(bytesNameOf(column))}`);
    const select = `SELECT ${[columnList, ...bytes].join(', ')}`;
    this.selectPage = database.prepare(`${select} ${fromFirst}`);
    const lengths = writtenColumns.map((column) => `coalesce(octet_length("${column}"), 0)`);
    const length = ['0', ...lengths].join(' + ');
    const total = `${length} AS ${quoted(LENGTH)}`;
    this.selectLengths = database.prepare(`SELECT ${total} ${fromFirst}`);
    this.selectLength = database.prepare(`SELECT ${total} FROM plants WHERE id = ?`);
    this.selectShort = database.prepare(`${select}, ${total} FROM plants WHERE id = ? AND ${length} <= ?`);
    this.selectAny = database.prepare('SELECT 1 FROM plants LIMIT 1');
    this.selectOne = database.prepare(`${select} FROM plants WHERE id = ?`);
    // Without this a statement throws for an id beyond 2^53 when it returns, after the row was inserted.
    for (const each of [this.begin, this.insert, this.commit, this.selectPage, this.selectOne, this.selectShort]) {
      each.setReadBigInts(true);
    }
    this.table = new TableWatch(database);
    this.files = new FilesInPlace(given, path, pageBytesOf(database), (look) => this.whileLocked(look));
    this.checkpoints = new Checkpoints(this.description.store, database, options, warn, this.files);
  }

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + this.lockWaitMs;
    for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, 50)) {
      if (this.failure) throw this.failure;
      try {
        this.checkpoints.beforeCommit();
        const present = this.transaction(plants);
        // After the commit: a commit to a file or log that was removed is lost with this process.
        this.files.assert();
        return this.outcomesOf(plants, present);
      } catch (error) {
        if (error instanceof StoreBroken) this.fail(error);
        const refusal = this.refusalOf(error);
        if (refusal) throw refusal;
        if (sqliteCode(error) !== SqliteCode.BUSY || performance.now() + waitMs > deadline) throw error;
        await sleep(waitMs);
      }
    }
  }

  ready(): Promise<void> {
    // The promise is rejected with what is thrown.
    return new Promise((resolve) => {
      if (this.failure) throw this.failure;
      this.selectAny.get();
      this.check();
      resolve();
    });
  }

  page(first: bigint, count: number): Promise<NewPlant[]> {
    const lengths = this.selectLengths.all(first, count).map((row) => Number(row[LENGTH]));
    const rows = this.selectPage.all(first, pageLength(lengths));
    for (const row of rows) assertTexts(row);
    return Promise.resolve(rows.map(plantOfRow));
  }

  async find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    const found = new Map<bigint, NewPlant>();
    const text = new TurnText();
    for (const id of new Set(ids)) {
      await text.take(Number(this.selectLength.get(id)?.[LENGTH] ?? 0));
      const row = this.storedRow(id);
      if (row) found.set(id, plantOfRow(row));
    }
    return found;
  }

  measure(): readonly Measurement[] {
    const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const { longestSync } = this;
    this.longestSync = 0;
    return [
      {
        name: 'store_sync_seconds',
        help: 'The longest sync of a commit by the disk since the last scrape.',
        value: longestSync,
      },
      { name: 'store_file_bytes', help: 'Size of the file of SQLite.', value: bytesOf(this.path) },
      { name: 'store_log_bytes', help: 'Size of the log of SQLite.', value: bytesOf(`${this.path}-wal`) },
      { name: 'store_disk_free_bytes', help: 'Free room on the disk of the store.', value: roomOn(dirname(this.path)) },
    ];
  }

  close(): void {
    // A failed store is left as it is: closing would write to the file, and remove a log that may be of another store. The next start reads
    // it.
    if (this.failure) return;
    try {
      // The backport keeps the file open until the statements are garbage-collected: without this, plants would stay in the log.
      this.checkpoints.beforeClose();
    } catch (error) {
      return this.fail(error instanceof Error ? error : new Error(String(error)));
    }
    this.database.close();
    this.files.close();
  }

  private fail(error: Error): void {
    if (this.failure) return;
    this.failure = error;
    this.broken(error);
  }

  private whileLocked<T>(act: () => T): T {
    this.begin.run();
    try {
      return act();
    } finally {
      this.database.exec('ROLLBACK');
    }
  }

  /** Inserts the plants; returns those that were there already. */
  private transaction(plants: readonly NewPlant[]): Present[] {
    this.begin.run();
    try {
      this.check();
      const present = this.addEach(plants);
      const start = performance.now();
      this.commit.run();
      this.synced((performance.now() - start) / 1_000);
      return present;
    } catch (error) {
      // Some failures have rolled back already.
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Measures the sync of a commit, which holds up everything else. */
  private synced(seconds: number): void {
    this.longestSync = Math.max(this.longestSync, seconds);
    if (seconds * 1_000 < this.syncWarnMs || performance.now() < this.warnNext) return;
    this.warnNext = performance.now() + WARN_EACH_MS;
    this.warn(
      `the disk of the store ${this.description.store} took ${seconds.toFixed(1)} s to sync a commit: nothing else is served meanwhile`,
    );
  }

  /** Inserts all plants that the database takes; throws BatchRefused with all others, so that a second batch stores the rest. */
  private addEach(plants: readonly NewPlant[]): Present[] {
    const present: Present[] = [];
    const refused = new Map<number, BatchRefused>();
    for (const [index, plant] of plants.entries()) {
      try {
        if (!this.isInserted(plant)) present.push({ index, plant });
      } catch (error) {
        const refusal = this.refusalOf(error);
        if (!refusal || !this.database.isTransaction) throw error;
        refused.set(index, refusal);
      }
    }
    assertNone(refused);
    return present;
  }

  /** Compares plants with those that were there already: behind the commit, as nothing changes these. */
  private outcomesOf(plants: readonly NewPlant[], present: readonly Present[]): Outcome[] {
    const outcomes = plants.map((): Outcome => 'stored');
    const refused = new Map<number, BatchRefused>();
    const text = new TurnText();
    for (const { index, plant } of present) {
      try {
        outcomes[index] = this.outcomeOf(plant, text, plants.length === 1);
      } catch (error) {
        const refusal = this.refusalOf(error);
        if (!refusal) throw error;
        refused.set(index, refusal);
      }
    }
    assertNone(refused);
    return outcomes;
  }

  private outcomeOf(plant: NewPlant, text: TurnText, isAlone: boolean): Outcome {
    const most = isAlone ? Number.MAX_SAFE_INTEGER : text.left;
    const stored = this.selectShort.get(plant.id, most);
    if (!stored) return this.selectLength.get(plant.id) ? 'later' : this.missing(plant.id);
    assertTexts(stored);
    text.count(Number(stored[LENGTH]));
    return hasContentOf(plant, stored) ? 'replayed' : 'taken';
  }

  /** The error for a plant that the database refuses; undefined if the error has another reason. */
  private refusalOf(error: unknown): BatchRefused | undefined {
    if (error instanceof BatchRefused) return error;
    if (sqliteCode(error) !== SqliteCode.CONSTRAINT && !(error instanceof DamagedText)) return undefined;
    return new BatchRefused(`the store ${this.description.store} refuses a plant`, { cause: error });
  }

  /** Refuses a plant of which another unique key than the id is taken. */
  private missing(id: bigint): never {
    throw new BatchRefused(`the store ${this.description.store}: a plant with id ${id} is neither inserted nor there`);
  }

  /** Inserts a plant unless there is one with its id. */
  private isInserted(plant: NewPlant): boolean {
    const row = columns.map((column) => bound(valueOf(plant, column)));
    try {
      return Number(this.insert.run(...row).changes) === 1;
    } catch (cause) {
      const code = sqliteCode(cause);
      // The driver has no parameter for a value, such as an integer beyond int64, or an expression of an index or a check fails for it.
      if (code !== undefined && !(code === SqliteCode.ERROR && this.isPrepared())) throw cause;
      throw new BatchRefused(`the store ${this.description.store} refuses a plant`, { cause });
    }
  }

  /** True if the statement that inserts a plant is one for this table, so that it has failed for its values. */
  private isPrepared(): boolean {
    try {
      this.database.prepare(INSERT);
      return true;
    } catch {
      return false;
    }
  }

  private storedRow(id: bigint): Record<string, SqlValue> | undefined {
    const row = this.selectOne.get(id);
    if (row) assertTexts(row);
    return row;
  }

  private check(): void {
    try {
      this.table.check();
    } catch (cause) {
      throw new Error(`the store ${this.description.store}: ${messageOf(cause)}`, { cause });
    }
  }
}

/** Throws BatchRefused if there are refused plants. */
function assertNone(refused: ReadonlyMap<number, BatchRefused>): void {
  const [first] = refused.values();
  if (first) throw new BatchRefused(first.message, { cause: first.cause }, refused);
}

/** The free bytes on the disk of a folder; 0 if it is gone, because an error would take all other metrics with it. */
function roomOn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

function rethrow(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** The name for the bytes of a row's texts together, and that for those of one: with a quote, as no column has. */
const LENGTH = '"';
const bytesNameOf = (column: string): string => `"${column}`;

/** A name as SQL writes it. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Throws if a text differs from its bytes in the file: invalid UTF-8 is read with U+FFFD, and the backport ends a text at U+0000. */
function assertTexts(row: Readonly<Record<string, SqlValue>>): void {
  for (const column of writtenColumns) {
    const [text, bytes] = [row[column], row[bytesNameOf(column)]];
    if (typeof text !== 'string' || typeof bytes !== 'object' || bytes === null) continue;
    if (!text.includes('\0') && Buffer.from(text).equals(bytes)) continue;
    const got = Buffer.from(bytes.subarray(0, 50)).toString('hex').toUpperCase();
    throw new DamagedText(
      `expected UTF-8 without U+0000 as the ${column} of plant ${String(row.id)}, got the bytes ${got}`,
    );
  }
}

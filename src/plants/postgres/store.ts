/** Plants in a PostgreSQL database, or in one that Citus distributes over several servers; synced to disk with every batch. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { messageOf } from '../../engine';
import { notNullColumn, plantOfRow, unknownColumns } from '../columns';
import {
  BatchRefused,
  DamagedText,
  type Measurement,
  type Outcome,
  type PlantStore,
  StoreBroken,
  type StoreDescription,
} from '../store';
import { ownTurn, pageLength } from '../turn';
import type { NewPlant } from '../repository';
import { nameOf, refuseMisread } from './address';
import { explain, Unsuitable, UnsuitableTable } from './advice';
import { addBatch } from './batch';
import type { Counters } from './counters';
import {
  cancel,
  emptyColumn,
  isAboutContent,
  isPassing,
  isUnanswered,
  isWraparound,
  type Queries,
  sqlState,
} from './driver';
import { checkConnection, checkNodes } from './durable';
import { openDatabase, type Opened, type OpenOptions } from './open';
import { refusedIn } from './refused';
import { INSERT_MAX, selectLengths, selectPage, selectPlants, selectTexts, type TextRow } from './statements';
import { checkInsert, checkTable, countPlants, tableStampOf, type Table } from './table';

export interface PostgresStoreOptions extends OpenOptions {
  /** The time for retries of a batch after its connection was lost. */
  retryMs?: number;
}

/** Opens the database and brings its schema up to date; rejects with an Error that says what to do. */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<PlantStore> {
  const name = nameOf(url);
  try {
    refuseMisread(url);
    return new PostgresStore(name, await openDatabase(url, name, options), options.retryMs);
  } catch (cause) {
    throw new Error(`the store ${name} cannot be opened: ${explain(cause)}`, { cause });
  }
}

/** The largest number of statements that the server may still run although it was asked to end them, beside one for each connection. */
const ABANDONED_MAX = 10;
/** The longest wait for the end of such a statement: its connection may be dead without a sign. */
const ABANDONED_MS = 600_000;
/** The age at which a check of the workers of Citus is repeated. */
const NODES_CHECKED_MS = 1_000;

class PostgresStore implements PlantStore {
  readonly description: StoreDescription;
  readonly batchesAtOnce: number;
  private readonly pool: Pool;
  private readonly counters: Counters;
  private readonly table: Table;
  /** The connections whose statement the server has not ended, for each of which the pool may have one more. */
  private readonly abandoned = new Set<PoolClient>();
  private nodesChecked = performance.now();
  /** The check whether it is ready that is under way, for all that ask meanwhile. */
  private looking: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    { pool, counters, table, made, schemaVersion }: Opened,
    private readonly retryMs = 2_000,
  ) {
    this.pool = pool;
    this.counters = counters;
    this.table = table;
    this.batchesAtOnce = pool.options.max;
    this.description = { store: name, made, schemaVersion };
  }

  measure(): Measurement[] {
    return this.counters.measure();
  }

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + this.retryMs;
    for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 250)) {
      try {
        return await this.attempt(plants);
      } catch (error) {
        this.counters.add(error);
        // A column that has become NOT NULL is a fault of the table, not of this plant.
        const empty = emptyColumn(error);
        const fault = empty === undefined ? undefined : (unknownColumns([empty]) ?? notNullColumn([empty]));
        if (fault !== undefined) throw this.failure(new Unsuitable(fault));
        if (isAboutContent(error) || error instanceof DamagedText)
          throw this.refusal(error, await this.refusedOf(plants, error));
        // The batch may be stored all the same. Repeating it does no harm: stored plants have the same content.
        const isFinal = error instanceof UnsuitableTable || !isPassing(error);
        if (isFinal || performance.now() + waitMs > deadline) throw this.failure(error);
        this.counters.retries++;
        await sleep(waitMs);
      }
    }
  }

  private refusal(cause: unknown, refused?: ReadonlyMap<number, BatchRefused>): BatchRefused {
    return new BatchRefused(`the store ${this.name} refuses a plant`, { cause }, refused);
  }

  /** The plants that are the reason for an error; empty if that cannot be found. */
  private async refusedOf(plants: readonly NewPlant[], error: unknown): Promise<Map<number, BatchRefused>> {
    if (plants.length === 1 || this.table.citus || !isAboutContent(error)) return new Map();
    try {
      const refused = await this.withConnection((client) => refusedIn(client, this.table, plants));
      return new Map([...refused].map(([index, cause]) => [index, this.refusal(cause)]));
    } catch {
      return new Map();
    }
  }

  ready(): Promise<void> {
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async look(): Promise<void> {
    // By a connection more if it takes one: all others may wait for a row that somebody else's transaction holds locked.
    this.pool.options.max++;
    try {
      await this.withConnection(async (client) => {
        // Again, because a server may read other settings at any time.
        await checkConnection(client, () => undefined);
        await checkTable(client, this.table.name);
        await checkInsert(client, this.table.name);
      });
    } finally {
      this.pool.options.max--;
    }
  }

  async count(): Promise<number> {
    const { found, stored } = await this.withConnection((client) => countPlants(client, this.table));
    if (found === stored) return stored;
    throw new StoreBroken(
      `the store ${this.name} is damaged: of ${stored} plants ${found} are found by their ids: the index of ids is damaged. REINDEX TABLE plants makes it anew`,
    );
  }

  stamp(): Promise<string> {
    return this.withConnection((client) => tableStampOf(client, this.table));
  }

  async page(first: bigint, count: number): Promise<NewPlant[]> {
    const lengths = await this.rows(selectLengths(this.table, first, count));
    const fitting = pageLength(lengths.map(({ bytes }) => Number(bytes)));
    return (await this.rows(selectPage(this.table, first, fitting))).map(plantOfRow);
  }

  async find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    const found = new Map<bigint, NewPlant>();
    // A few at a time, as they may have much text.
    let waiting = ids.length === 1 ? [{ id: ids[0], bytes: 0 }] : await this.rows(selectTexts(this.table, ids));
    while (waiting.length > 0) {
      if (found.size > 0) await ownTurn();
      const page = waiting.slice(0, pageLength(waiting.map((each) => Number(each.bytes))));
      const rows = await this.rows(
        selectPlants(
          this.table,
          page.map(({ id }) => BigInt(String(id))),
        ),
      );
      for (const plant of rows.map(plantOfRow)) found.set(plant.id, plant);
      waiting = waiting.slice(page.length);
    }
    return found;
  }

  private async rows(statement: QueryConfig): Promise<TextRow[]> {
    try {
      return (await this.pool.query<TextRow>(statement)).rows;
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Closes the connections; does not wait for a frozen server. */
  async close(): Promise<void> {
    for (const client of this.abandoned) void client.end();
    await Promise.race([this.pool.end(), sleep(1_000, undefined, { ref: false })]);
  }

  private async withConnection<T>(act: (client: Queries) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    try {
      client = await this.connect();
      const result = await act(client);
      client.release();
      return result;
    } catch (error) {
      client?.release(true);
      throw this.failure(error);
    }
  }

  /** Takes a connection; rejects while the server has so many statements to end that it would not end another one either. */
  private async connect(): Promise<PoolClient> {
    const { size } = this.abandoned;
    if (size >= this.batchesAtOnce + ABANDONED_MAX)
      throw new Unsuitable(`${size} statements that it was asked to end may still run in it`);
    return this.pool.connect();
  }

  /** Makes one attempt on one connection; discards the connection if the attempt fails, for whatever reason. */
  private async attempt(plants: readonly NewPlant[]): Promise<Outcome[]> {
    this.counters.awaited++;
    const client = await this.connect().finally(() => this.counters.awaited--);
    let warning: string | undefined;
    const note = (notice: Record<'code' | 'message' | 'routine', string | undefined>): void => {
      const isOfCheck = notice.routine === 'exec_stmt_raise'; // a function of a check says so of a plant
      if (notice.code?.startsWith('01') && !isWraparound(notice) && !isOfCheck)
        warning = `the server warned: ${notice.message}`;
    };
    client.on('notice', note);
    try {
      const outcomes: Outcome[] = [];
      for (let from = 0; from < plants.length; from += INSERT_MAX)
        outcomes.push(...(await addBatch(client, this.table, plants.slice(from, from + INSERT_MAX))));
      if (this.table.citus) await this.lookAtNodes(client);
      // PostgreSQL reports a commit that did not reach its standby or its workers as a success with a warning.
      if (warning !== undefined) throw new Unsuitable(warning);
      client.off('notice', note).release();
      return outcomes;
    } catch (error) {
      void this.throwAway(client, error);
      throw error;
    }
  }

  /** Discards a connection; one whose statement the server has not answered, once the server has ended that statement. */
  private async throwAway(client: PoolClient, error: unknown): Promise<void> {
    if (isUnanswered(error)) {
      this.counters.abandoned++;
      this.abandoned.add(client);
      this.pool.options.max++;
      await cancel(client, ABANDONED_MS);
      this.pool.options.max--;
      this.abandoned.delete(client);
    }
    client.release(true);
  }

  private async lookAtNodes(client: PoolClient): Promise<void> {
    const now = performance.now();
    if (now - this.nodesChecked < NODES_CHECKED_MS) return;
    await checkNodes(client);
    await checkTable(client, this.table.name);
    this.nodesChecked = now;
  }

  /** The error for a batch that was given up, with the name of the store and the server's code. */
  private failure(cause: unknown): Error {
    const code = sqlState(cause);
    return Object.assign(
      new Error(`the store ${this.name}: ${messageOf(cause)}`, { cause }),
      code !== undefined && { code },
    );
  }
}

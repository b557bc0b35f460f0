/** Plants in a PostgreSQL database, or in one that Citus spreads over many: on disk there with every batch. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { messageOf } from '../../engine/http/api-error';
import { columnList, columns, columnTypes, hasContentOf, plantOfRow, type SqlValue, valueOf } from '../columns';
import { BatchRefused, type Measurement, type Outcome, type PlantStore, type StoreDescription } from '../store';
import type { NewPlant } from '../repository';
import { nameOf, refuseMisread } from './address';
import { explain, Unsuitable } from './advice';
import { SQL_TYPES } from './column-types';
import { cancel, isAboutContent, isLost, isPassing, isUnanswered, PostgresCode, sqlState } from './driver';
import { assertSafe, checkNodes, UNSAFE, UNSAFE_AFTER_FLUSH } from './durable';
import { openDatabase, type Opened } from './open';

export interface PostgresStoreOptions {
  /** How many connections there are at most; each stores one batch at a time. */
  connections?: number;
  /** Into how many shards Citus distributes the table; its own default unless given. */
  shards?: number | undefined;
  /** For how long a batch is sent again after its connection was lost. */
  retryMs?: number;
  /** How long a database that is not there yet is waited for while the store is opened. */
  openWaitMs?: number;
  /** The versions of the schema; those of this program unless given. */
  migrations?: readonly string[];
  /** Called with why the start takes long, and with what an operator should know. */
  tell?: (text: string) => void;
}

/** Opens the database and brings its schema up to date; rejects with an Error that says what to do. */
export async function openPostgresStore(
  url: string,
  {
    connections = 2,
    shards,
    retryMs = 2_000,
    openWaitMs = 30_000,
    migrations,
    tell = () => undefined,
  }: PostgresStoreOptions = {},
): Promise<Required<PlantStore>> {
  const name = nameOf(url);
  const counters = new Counters();
  const lost = (): void => {
    counters.lostConnections++;
  };
  try {
    refuseMisread(url);
    const opened = await openDatabase(url, { name, connections, shards, waitMs: openWaitMs, migrations, tell, lost });
    return new PostgresStore(name, opened, connections, retryMs, counters);
  } catch (cause) {
    throw new Error(`the store ${name} cannot be opened: ${explain(cause)}`, { cause });
  }
}

class Counters {
  retries = 0;
  abandoned = 0;
  lostConnections = 0;
  /** Preset with what a statement that takes too long ends with. */
  readonly sqlStates: Record<string, number> = { [PostgresCode.QUERY_CANCELED]: 0 };

  /** Counts a failed attempt with a batch. */
  add(error: unknown): void {
    const state = sqlState(error);
    if (state !== undefined) this.sqlStates[state] = (this.sqlStates[state] ?? 0) + 1;
    if (isLost(error) && !(error instanceof Unsuitable)) this.lostConnections++;
  }
}

/** So many statements that the server was asked to end and did not are borne for ten minutes; then no other is sent. */
const ABANDONED_MAX = 10;
const ABANDONED_MS = 600_000;
/** How old an answer of the workers of Citus may be. */
const NODES_CHECKED_MS = 1_000;

/**
 * Many processes may use one database, and each has several batches under way: every batch is one statement with its plants
 * in the order of their ids, so that two batches with the same ids wait for each other in one direction only.
 */
class PostgresStore implements Required<PlantStore> {
  readonly description: StoreDescription;
  private readonly pool: Pool;
  private readonly citus: boolean;
  private abandoned = 0;
  private nodesChecked = performance.now();
  private connectionsMade: number;

  constructor(
    private readonly name: string,
    { pool, citus, made, schemaVersion }: Opened,
    readonly batchesAtOnce: number,
    private readonly retryMs: number,
    private readonly counted: Counters,
  ) {
    this.pool = pool.on('connect', () => this.connectionsMade++);
    this.connectionsMade = pool.totalCount;
    this.citus = citus;
    this.description = { store: name, made, schemaVersion };
  }

  measure(): Measurement[] {
    const { totalCount, idleCount, waitingCount } = this.pool;
    const { retries, abandoned, lostConnections, sqlStates } = this.counted;
    return [
      { name: 'store_connections_made_total', help: 'Connections that were made.', value: this.connectionsMade },
      { name: 'store_connections', help: 'Connections to the database.', value: totalCount },
      { name: 'store_connections_used', help: 'Connections that are in use.', value: totalCount - idleCount },
      { name: 'store_connections_awaited', help: 'Batches that wait for a connection.', value: waitingCount },
      {
        name: 'store_connections_lost_total',
        help: 'Connections that were lost, or could not be made.',
        value: lostConnections,
      },
      { name: 'store_batches_retried_total', help: 'Batches that were sent again.', value: retries },
      {
        name: 'store_batches_abandoned_total',
        help: 'Batches that the server did not answer in time.',
        value: abandoned,
      },
      ...Object.entries(sqlStates).map(([sqlstate, value]) => ({
        name: 'store_batches_failed_total',
        help: 'Attempts with a batch that the database has failed, by SQLSTATE.',
        value,
        labels: { sqlstate },
      })),
    ];
  }

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + this.retryMs;
    for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 250)) {
      try {
        return await this.attempt(plants);
      } catch (error) {
        this.counted.add(error);
        if (isAboutContent(error)) throw new BatchRefused(`the store ${this.name} refuses a plant`, { cause: error });
        // The batch may be stored all the same. Sent again it does no harm: what is stored has the same content.
        if (!isPassing(error) || performance.now() + waitMs > deadline) throw this.failure(error);
        this.counted.retries++;
        await sleep(waitMs);
      }
    }
  }

  async page(first: bigint, count: number): Promise<NewPlant[]> {
    const rows = await this.read({
      name: 'page',
      text: `SELECT ${selectList} FROM plants WHERE id >= $1::int8 ORDER BY id LIMIT $2::int8`,
      values: [first, count],
    });
    return rows.map(plantOfRow);
  }

  async find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    return plantsById(await this.read(selectOf(ids)));
  }

  private async read(statement: QueryConfig): Promise<TextRow[]> {
    try {
      return (await this.pool.query<TextRow>(statement)).rows;
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Waits for a server that does not say goodbye no longer than a moment. */
  async close(): Promise<void> {
    await Promise.race([this.pool.end(), sleep(1_000, undefined, { ref: false })]);
  }

  /** One attempt on one connection, which is thrown away where the attempt fails, whatever the reason. */
  private async attempt(plants: readonly NewPlant[]): Promise<Outcome[]> {
    const client = await this.pool.connect();
    if (this.abandoned >= ABANDONED_MAX) {
      client.release();
      throw new Unsuitable(`${this.abandoned} statements that it was asked to end may still run in it`);
    }
    let warning: string | undefined;
    const note = ({ code, message }: { code: string | undefined; message: string | undefined }): void => {
      if (code?.startsWith('01')) warning = `the server warned: ${message}`;
    };
    client.on('notice', note);
    try {
      const outcomes = await this.add(client, plants);
      // A commit that did not reach its standby or its workers is a success with a warning.
      if (warning !== undefined) throw new Unsuitable(warning);
      client.off('notice', note).release();
      return outcomes;
    } catch (error) {
      void this.throwAway(client, error);
      throw error;
    }
  }

  /** Until the server has ended its statement, a connection is not replaced: the server never has more than there are here. */
  private async throwAway(client: PoolClient, error: unknown): Promise<void> {
    if (isUnanswered(error)) {
      this.counted.abandoned++;
      if (!(await cancel(client))) {
        this.abandoned++;
        setTimeout(() => this.abandoned--, ABANDONED_MS).unref();
      }
    }
    client.release(true);
  }

  private async add(client: PoolClient, plants: readonly NewPlant[]): Promise<Outcome[]> {
    // Of several plants with one id the first goes in, and the others are compared with it.
    const firsts = new Map<bigint, NewPlant>();
    for (const plant of plants) if (!firsts.has(plant.id)) firsts.set(plant.id, plant);
    const sorted = [...firsts.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    if (sorted.length === 0) return [];

    const { rows: inserted } = await client.query<Asked>(insertOf(sorted, this.citus));
    const stored = new Set(inserted.map(({ id }) => BigInt(id)));
    const others = await this.replayed(
      client,
      sorted.filter(({ id }) => !stored.has(id)).map(({ id }) => id),
    );
    if (this.citus) await this.lookAtNodes(client, others.size > 0);
    else if (inserted[0]) assertSafe(inserted[0].unsafe);
    return plants.map((plant) => {
      const { id } = plant;
      const first = firsts.get(id);
      if (stored.has(id) && plant === first) return 'stored';
      const row = stored.has(id) ? first : others.get(id);
      if (!row) throw new Unsuitable(`a plant with id ${id} is neither inserted nor there`);
      return hasContentOf(plant, row) ? 'replayed' : 'taken';
    });
  }

  /**
   * What is stored of plants that were not inserted, once it is on disk: a primary that was restarted while a commit waited for
   * its standby shows the row from then on. A statement of its own: one that inserts and selects does not see what another
   * instance has just inserted.
   */
  private async replayed(client: PoolClient, ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    if (ids.length === 0) return new Map();
    if (this.citus) return plantsById((await client.query<TextRow>(selectOf(ids))).rows);
    const { rows } = await client.query<TextRow & Asked>({
      name: 'replay',
      text: `SELECT ${selectList}, (SELECT ${UNSAFE_AFTER_FLUSH}) AS unsafe FROM plants WHERE id = ANY($1::int8[])`,
      values: [ids],
    });
    if (rows[0]) assertSafe(rows[0].unsafe);
    return plantsById(rows);
  }

  private async lookAtNodes(client: PoolClient, flush: boolean): Promise<void> {
    const now = performance.now();
    if (!flush && now - this.nodesChecked < NODES_CHECKED_MS) return;
    await checkNodes(client, flush);
    this.nodesChecked = now;
  }

  /** Why a batch was given up, with the name of the store and the server's code. */
  private failure(cause: unknown): Error {
    const code = sqlState(cause);
    return Object.assign(
      new Error(`the store ${this.name}: ${messageOf(cause)}`, { cause }),
      code !== undefined && { code },
    );
  }
}

/**
 * How many plants an insert may have, so that few texts are prepared; a batch is filled up to the next size with repetitions
 * of its last plant, which is then in conflict with itself and inserted once.
 */
const SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024];

function insertOf(plants: readonly NewPlant[], citus: boolean): QueryConfig {
  const size = SIZES.find((each) => each >= plants.length) ?? plants.length;
  const values: SqlValue[] = [];
  for (let row = 0; row < size; row++) {
    const plant = plants[Math.min(row, plants.length - 1)];
    if (plant) for (const column of columns) values.push(valueOf(plant, column));
  }
  return { name: `insert-${size}`, text: insertText(size, citus), values };
}

const texts = new Map<string, string>();

/** The one form that PostgreSQL and Citus both run fast: rows of parameters. Arrays are a COPY for each shard of Citus. */
function insertText(size: number, citus: boolean): string {
  const asked = citus ? '' : `, (SELECT ${UNSAFE}) AS unsafe`;
  let text = texts.get(`${size}${asked}`);
  if (text === undefined) {
    const row = (first: number): string =>
      `(${columns.map((column, index) => `$${first + index}::${SQL_TYPES[columnTypes[column]]}`).join(', ')})`;
    const rows = Array.from({ length: size }, (_, index) => row(index * columns.length + 1));
    text = `INSERT INTO plants (${columnList}) VALUES ${rows.join(', ')} ON CONFLICT (id) DO NOTHING RETURNING id${asked}`;
    texts.set(`${size}${asked}`, text);
  }
  return text;
}

function selectOf(ids: readonly bigint[]): QueryConfig {
  return { name: 'select', text: `SELECT ${selectList} FROM plants WHERE id = ANY($1::int8[])`, values: [ids] };
}

function plantsById(rows: readonly TextRow[]): Map<bigint, NewPlant> {
  return new Map(rows.map(plantOfRow).map((plant) => [plant.id, plant]));
}

/** What a batch is told beside its rows. */
interface Asked {
  id: string;
  unsafe?: string | null;
}

/** JSON as the text that it is: `pg` would parse it, and round its numbers. */
const selectList = columns
  .map((column) => (SQL_TYPES[columnTypes[column]] === 'json' ? `"${column}"::text` : `"${column}"`))
  .join(', ');

/** A row as `pg` gives it: an int8 is text. */
type TextRow = Record<string, unknown>;

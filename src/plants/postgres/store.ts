/** Plants in a PostgreSQL database, or in one that Citus spreads over many: on disk there with every batch. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { columnList, columns, columnTypes, hasContentOf, plantOfRow, type SqlValue, valueOf } from '../columns';
import { BatchRefused, type Outcome, type PlantStore, type StoreDescription } from '../store';
import type { NewPlant } from '../repository';
import { explain } from './advice';
import { SQL_TYPES } from './column-types';
import { isAboutContent, isPassing } from './driver';
import { openDatabase } from './open';

export interface PostgresStoreOptions {
  /** How many connections there are at most; each stores one batch at a time. */
  connections?: number;
  /** Into how many shards Citus distributes the table; its own default unless given. */
  shards?: number | undefined;
  /** For how long a batch is sent again after its connection was lost. */
  retryMs?: number;
  /** How long a database that is not there yet is waited for while the store is opened. */
  openWaitMs?: number;
  /** Called with why the start takes long. */
  tell?: (text: string) => void;
}

/** Opens the database and brings its schema up to date; rejects with an Error that says what to do. */
export async function openPostgresStore(
  url: string,
  { connections = 2, shards, retryMs = 2_000, openWaitMs = 30_000, tell = () => undefined }: PostgresStoreOptions = {},
): Promise<PlantStore> {
  try {
    const pool = await openDatabase(url, { connections, shards, waitMs: openWaitMs, tell });
    // Whether it was made, and by which migration, openDatabase does not say yet.
    const description = { store: nameOf(url), made: false, schemaVersion: 1 };
    return new PostgresStore(description, pool, connections, retryMs);
  } catch (cause) {
    throw new Error(`the store ${nameOf(url)} cannot be opened: ${explain(cause)}`, { cause });
  }
}

/**
 * Many processes may use one database, and each has several batches under way: every batch is one statement with its plants
 * in the order of their ids, so that two batches with the same ids wait for each other in one direction only.
 */
class PostgresStore implements PlantStore {
  constructor(
    readonly description: StoreDescription,
    private readonly pool: Pool,
    readonly batchesAtOnce: number,
    private readonly retryMs: number,
  ) {}

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + this.retryMs;
    for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 250)) {
      try {
        return await this.attempt(plants);
      } catch (error) {
        if (isAboutContent(error)) throw new BatchRefused('PostgreSQL refuses a plant', { cause: error });
        // The batch may be stored all the same. Sent again it does no harm: what is stored has the same content.
        if (!isPassing(error) || performance.now() + waitMs > deadline) throw error;
        await sleep(waitMs);
      }
    }
  }

  async page(first: bigint, count: number): Promise<NewPlant[]> {
    const { rows } = await this.pool.query<TextRow>({
      name: 'page',
      text: `SELECT ${selectList} FROM plants WHERE id >= $1::int8 ORDER BY id LIMIT $2::int8`,
      values: [first, count],
    });
    return rows.map(plantOfRow);
  }

  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    return select(this.pool, ids);
  }

  /** Waits for a server that does not say goodbye no longer than a moment. */
  async close(): Promise<void> {
    await Promise.race([this.pool.end(), sleep(1_000, undefined, { ref: false })]);
  }

  /** One attempt on one connection, which is thrown away where the attempt fails, whatever the reason. */
  private async attempt(plants: readonly NewPlant[]): Promise<Outcome[]> {
    const client = await this.pool.connect();
    let warning: string | undefined;
    const note = ({ code, message }: { code: string | undefined; message: string | undefined }): void => {
      if (code?.startsWith('01')) warning = `the server warned: ${message}`;
    };
    client.on('notice', note);
    try {
      const outcomes = await add(client, plants);
      // A commit that did not reach its standby or its workers is a success with a warning.
      if (warning !== undefined) throw new Error(warning);
      client.off('notice', note).release();
      return outcomes;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}

async function add(client: PoolClient, plants: readonly NewPlant[]): Promise<Outcome[]> {
  // Of several plants with one id the first goes in, and the others are compared with it.
  const firsts = new Map<bigint, NewPlant>();
  for (const plant of plants) if (!firsts.has(plant.id)) firsts.set(plant.id, plant);
  const sorted = [...firsts.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  if (sorted.length === 0) return [];

  const { rows: inserted } = await client.query<{ id: string }>(insertOf(sorted));
  const stored = new Set(inserted.map(({ id }) => BigInt(id)));
  const others = await select(
    client,
    sorted.filter(({ id }) => !stored.has(id)).map(({ id }) => id),
  );
  if (others.size > 0) await awaitStandby(client);
  return plants.map((plant) => {
    const { id } = plant;
    const first = firsts.get(id);
    if (stored.has(id) && plant === first) return 'stored';
    const row = stored.has(id) ? first : others.get(id);
    if (!row) throw new Error(`a plant with id ${id} is neither inserted nor there`);
    return hasContentOf(plant, row) ? 'replayed' : 'taken';
  });
}

/**
 * How many plants an insert may have, so that few texts are prepared; a batch is filled up to the next size with repetitions
 * of its last plant, which is then in conflict with itself and inserted once.
 */
const SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024];

function insertOf(plants: readonly NewPlant[]): QueryConfig {
  const size = SIZES.find((each) => each >= plants.length) ?? plants.length;
  const values: SqlValue[] = [];
  for (let row = 0; row < size; row++) {
    const plant = plants[Math.min(row, plants.length - 1)];
    if (plant) for (const column of columns) values.push(valueOf(plant, column));
  }
  return { name: `insert-${size}`, text: insertText(size), values };
}

const texts = new Map<number, string>();

/** The one form that PostgreSQL and Citus both run fast: rows of parameters. Arrays are a COPY for each shard of Citus. */
function insertText(size: number): string {
  let text = texts.get(size);
  if (text === undefined) {
    const row = (first: number): string =>
      `(${columns.map((column, index) => `$${first + index}::${SQL_TYPES[columnTypes[column]]}`).join(', ')})`;
    const rows = Array.from({ length: size }, (_, index) => row(index * columns.length + 1));
    text = `INSERT INTO plants (${columnList}) VALUES ${rows.join(', ')} ON CONFLICT (id) DO NOTHING RETURNING id`;
    texts.set(size, text);
  }
  return text;
}

/** A statement of its own: one that inserts and selects does not see what another instance has just inserted. */
async function select(client: Pick<Pool, 'query'>, ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<TextRow>({
    name: 'select',
    text: `SELECT ${selectList} FROM plants WHERE id = ANY($1::int8[])`,
    values: [ids],
  });
  return new Map(rows.map(plantOfRow).map((plant) => [plant.id, plant]));
}

/**
 * Waits until a synchronous standby has what was read. A primary that was restarted while a commit waited for the standby
 * shows the row from then on, and a read waits for nothing; this transaction is behind it in the log, and does.
 */
async function awaitStandby(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ standbys: string | null }>(
    `SELECT current_setting('synchronous_standby_names', true) AS standbys`,
  );
  if (rows[0]?.standbys) await client.query(`SELECT pg_logical_emit_message(true, 'plant-store', '')`);
}

/** JSON as the text that it is: `pg` would parse it, and round its numbers. */
const selectList = columns
  .map((column) => (SQL_TYPES[columnTypes[column]] === 'json' ? `"${column}"::text` : `"${column}"`))
  .join(', ');

/** A row as `pg` gives it: an int8 is text. */
type TextRow = Record<string, unknown>;

/** What a database is called in a message: never with its password. */
function nameOf(url: string): string {
  const { host = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {};
  return `postgres://${host}${pathname}`;
}

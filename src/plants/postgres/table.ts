/** Checks that the table of a PostgreSQL database takes plants and keeps them unchanged: at the start, and with every batch. */
import { type ColumnKind, postgres } from '../column-types';
import { columnList, columns, missingColumns, notNullColumn, otherTypes, unknownColumns } from '../columns';
import { UnsuitableTable } from './advice';
import { NO_TIMEOUT, type Queries, quoted, withTimeout } from './driver';

/** The table of the plants. */
export interface Table {
  /** Its name with its schema, as SQL: a pooler may give a connection the search path that another client of it has set. */
  name: string;
  /** True if Citus has distributed it over its workers. */
  citus: boolean;
}

/**
 * The schema of the store as SQL, that in which the first start has made the table of migrations: others may have made a table `plants` in an earlier one
 * of the search path. Undefined if there is none.
 */
export async function schemaOf(client: Queries): Promise<string | undefined> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT quote_ident(nspname) AS schema FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE pg_class.oid = to_regclass('plants_migrations')`,
  );
  return rows[0]?.schema;
}

/**
 * An SQL expression for the kind of the table, for the statement that stores a batch: a permanent ordinary table without triggers, rules, child tables and
 * row-level security is `PLAIN`. Any other may have to be refused, which `checkTable` decides; the full check in each statement would make it half as slow again.
 */
export function shapeOf({ name }: Table): string {
  return `(SELECT concat(relkind, relpersistence, relhastriggers, relhasrules, relhassubclass, relrowsecurity) FROM pg_class WHERE oid = ${quoted(name)}::regclass)`;
}
const PLAIN = 'rpffff';

/** True for a table that needs no other check by its `shapeOf`. `RETURNING` alone would not show the changes of a trigger that runs after it. */
export function isPlain(shape: unknown): boolean {
  return shape === PLAIN;
}

/** The names of the columns. */
export async function columnsOf(client: Queries, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** `filled`: NOT NULL; `required`: so without a default; `generated`: takes no value. */
type Quality = 'filled' | 'required' | 'generated';

/** Refuses a table whose columns do not fit. The table of a newer program is accepted if that has added optional columns only. */
export async function checkColumns(client: Queries, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string } & Record<Quality, boolean>>(
    `SELECT attname AS name, attnotnull AS filled, attnotnull AND NOT atthasdef AND attidentity = '' AS required,
       attgenerated <> '' OR attidentity = 'a' AS generated,
       CASE WHEN atttypid = 'varchar'::regtype AND atttypmod = -1 THEN 'text' ELSE format_type(atttypid, atttypmod) END AS type
     FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  if (rows.length === 0)
    throw new UnsuitableTable(
      `its table of migrations is there, and ${table} is not. Restore it, or move it there if it is in another schema: ALTER TABLE ... SET SCHEMA`,
    );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const named = (quality: Quality): string[] => rows.filter((row) => row[quality]).map(({ name }) => name);
  const unsuitable =
    missingColumns([...types.keys()], postgres) ??
    unknownColumns(named('required')) ??
    notNullColumn(named('filled')) ??
    otherTypes(types, await typeNames(client)) ??
    generatedColumn(named('generated'));
  if (unsuitable !== undefined) throw new UnsuitableTable(unsuitable);
  await client.query(`SELECT ${columnList} FROM ${table} LIMIT 0`);
}

/** Refuses a user who may not insert. One who may only read can export and verify. */
export async function checkInsert(client: Queries, table: string): Promise<void> {
  const { rows } = await client.query<{ allowed: boolean }>(
    `SELECT bool_and(has_column_privilege($1::text, name, 'INSERT')) AS allowed FROM unnest($2::text[]) name`,
    [table, columns],
  );
  if (rows[0]?.allowed !== true)
    throw new UnsuitableTable(
      'this user may not insert into its table plants. Grant it SELECT and INSERT on the table',
    );
}

/** An SQL expression for the fault of a table `c`: a crash would empty it, or it does not take and show every plant; NULL if there is none. */
const FAULT = `CASE
    WHEN relpersistence <> 'p' THEN format('its table %1$s is UNLOGGED, so that a crash of the server empties it. Make it durable: ALTER TABLE %1$s SET LOGGED', relname)
    WHEN row_security_active(c.oid) THEN format('the row-level security of its table %1$s may hide plants from this user, or refuse them with all that share their batch. Name a user with BYPASSRLS in DATABASE_URL, or the owner of the table, or ALTER TABLE %1$s DISABLE ROW LEVEL SECURITY', relname)
    ELSE coalesce(
      (SELECT min(format('its table %s has the trigger %s, which may change or remove plants: drop it', relname, tgname))
        FROM pg_trigger WHERE tgrelid = c.oid AND tgtype & 4 <> 0 AND tgenabled <> 'D' AND NOT tgisinternal),
      (SELECT min(format('its table %s has the rule %s, with which nothing can be inserted: drop it', relname, rulename))
        FROM pg_rewrite WHERE ev_class = c.oid AND ev_type IN ('2', '3') AND ev_enabled <> 'D'),
      (SELECT min(format('its table %1$s has the child table %2$s, so that an id may be stored twice: ALTER TABLE %2$s NO INHERIT %1$s', c.relname, child.relname))
        FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = c.oid AND c.relkind = 'r')) END`;

/** Refuses a table that a crash of the server empties, that changes plants, or on which no create would succeed. */
export async function checkTable(
  client: Queries,
  table: string,
  warn: (text: string) => void = () => undefined,
): Promise<void> {
  await checkColumns(client, table);
  const { rows } = await client.query<{ name: string; kind: string; keyed: boolean; fault: string | null }>(
    `SELECT relname AS name, relkind AS kind, ${FAULT} AS fault, EXISTS (
      SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
      WHERE indrelid = c.oid AND attname = 'id' AND indnkeyatts = 1
        AND indisunique AND indisvalid AND indimmediate AND indpred IS NULL) AS keyed
    FROM pg_class c WHERE oid = to_regclass($1) OR oid IN (SELECT relid FROM pg_partition_tree(to_regclass($1)))
    ORDER BY oid <> to_regclass($1)`,
    [table],
  );
  for (const { name, kind, fault } of rows) {
    if (kind !== 'r' && kind !== 'p')
      throw new UnsuitableTable(`its ${name} is no table, but of the kind "${kind}". Make it one`);
    if (fault !== null) throw new UnsuitableTable(fault);
  }
  if (rows[0]?.keyed !== true) {
    throw new UnsuitableTable(
      'its table plants has no unique key of id alone. Add it: ALTER TABLE plants ADD PRIMARY KEY (id)',
    );
  }
  if (rows[0].kind === 'p')
    warn('the table plants is partitioned, so that each create is looked up in one of its parts');
}

/** The number of plants, and of those that are found by their ids, in one snapshot: after an index was damaged there are fewer. Citus is not asked for its indexes. */
export async function countPlants(
  client: Queries,
  { name, citus }: Table,
): Promise<Record<'found' | 'stored', number>> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0');
  const count = async (): Promise<number> => {
    const text = `SELECT count(*) FROM ${name} WHERE id >= '${-(2n ** 63n)}'::int8`;
    const { rows } = await client.query<{ count: string }>(withTimeout(NO_TIMEOUT, text));
    return Number(rows[0]?.count);
  };
  await client.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
  const found = await count();
  await client.query(
    'SET LOCAL enable_seqscan = on; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off',
  );
  const stored = citus ? found : await count();
  await client.query('COMMIT');
  return { found, stored };
}

/**
 * A text that is another once the table or a partition was altered, detached or attached: each writes a row of the catalogs anew, so that it has
 * another `xmin`.
 */
export async function tableStampOf(client: Queries, { name }: Table): Promise<string> {
  const { rows } = await client.query<{ stamp: string }>(
    `SELECT string_agg(concat_ws(' ', c.oid, c.xmin, inherits.xmin), ', ' ORDER BY c.oid) AS stamp
     FROM pg_class c LEFT JOIN pg_inherits inherits ON inhrelid = c.oid
     WHERE c.oid = to_regclass($1) OR c.oid IN (SELECT relid FROM pg_partition_tree(to_regclass($1)))`,
    [name],
  );
  return rows[0]?.stamp ?? '';
}

/** Why no plant can be inserted, given the columns that take no value; a column that this program does not know may be one. */
function generatedColumn(generated: readonly string[]): string | undefined {
  const column = columns.find((each) => generated.includes(each));
  return (
    column && `its table plants has a column ${column} that is generated, and takes no value: expected one that does`
  );
}

/** The server's names for the types of our columns: "bigint" for int8. */
async function typeNames(client: Queries): Promise<Record<ColumnKind, string>> {
  const list = Object.entries(postgres).map(([kind, type]) => `'${type}'::regtype::text AS "${kind}"`);
  const { rows } = await client.query<Record<ColumnKind, string>>(`SELECT ${list.join(', ')}`);
  return rows[0] ?? postgres;
}

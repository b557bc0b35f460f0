/** Checks that the table of an SQLite file takes plants and keeps them unchanged: at the start, and whenever its schema has changed. */
import { sqlite } from '../column-types';
import { missingColumns, notNullColumn, otherTypes, unknownColumns } from '../columns';
import type { Database, SqlValue, Statement } from './driver';

/** Throws an Error that names the column or trigger that would refuse or change plants. */
export function checkTable(database: Database): void {
  const found = database.prepare('PRAGMA table_info(plants)').all();
  const filled = found.filter(({ notnull }) => notnull === 1);
  const required = filled.filter(({ dflt_value }) => dflt_value === null);
  const types = new Map(found.map(({ name, type }) => [String(name), String(type)]));
  const unsuitable =
    missingColumns([...types.keys()], sqlite) ??
    unknownColumns(required.map(({ name }) => name)) ??
    otherTypes(types, sqlite) ??
    looseType(database, types) ??
    otherDefault(database, found) ??
    otherKey(found) ??
    conflictClauseOf(database) ??
    notNullColumn(filled.map(({ name }) => name)) ??
    otherEncoding(database) ??
    triggersOf(database);
  if (unsuitable !== undefined) throw new Error(unsuitable);
}

/** Repeats the check whenever another connection may have changed the schema. */
export class TableWatch {
  private readonly schemaVersion: Statement;
  private checked: unknown;

  constructor(private readonly database: Database) {
    this.schemaVersion = database.prepare('PRAGMA schema_version');
  }

  /** Throws as `checkTable` does. In a write transaction the result holds until its end. */
  check(): void {
    const version = this.schemaVersion.get()?.schema_version;
    if (version === this.checked) return;
    checkTable(this.database);
    this.checked = version;
  }
}

/** Refuses ANY where a table is not STRICT: it would store the text `1.50` as a number. */
function looseType(database: Database, types: ReadonlyMap<string, string>): string | undefined {
  const [column] = [...types].find(([, type]) => type === sqlite.json) ?? [];
  const isStrict =
    database.prepare(`SELECT strict FROM pragma_table_list WHERE schema = 'main' AND lower(name) = 'plants'`).get()
      ?.strict === 1;
  if (column === undefined || isStrict) return undefined;
  return `its table plants is not STRICT, so that its column ${column} may store another value than it is given: make it again as STRICT`;
}

/** Refuses a default that is no text of JSON in a column of JSON: plants of before would have it, and be read no more, or as others. */
function otherDefault(database: Database, found: readonly Record<string, SqlValue>[]): string | undefined {
  const isJson = (value: string): boolean => {
    const isText = `typeof(${value}) IN ('text', 'null') AND coalesce(json_valid(${value}), 1)`;
    return database.prepare(`SELECT ${isText} AS valid`).get()?.valid === 1;
  };
  const column = found.find(
    ({ type, dflt_value }) => type === sqlite.json && dflt_value !== null && !isJson(String(dflt_value)),
  );
  return (
    column &&
    `its table plants has a column ${String(column.name)} whose default ${String(column.dflt_value)} is no JSON: expected a text such as '"sun"'`
  );
}

/** Why a table of plants may have two with one id; undefined if it cannot. A copy of a table (CREATE TABLE ... AS SELECT) has no key. */
function otherKey(found: readonly Record<string, SqlValue>[]): string | undefined {
  const key = found.filter(({ pk }) => pk !== 0).map(({ name }) => name);
  const hasId = found.some(({ name }) => name === 'id');
  if (!hasId || key.join() === 'id') return undefined;
  return 'its table plants has no primary key of id alone, so that an id may be stored twice: make it again with id INTEGER PRIMARY KEY';
}

/** Refuses `tag TEXT NOT NULL ON CONFLICT REPLACE DEFAULT ''`: the default would be stored in place of NULL, or a plant replaced or passed over. */
function conflictClauseOf(database: Database): string | undefined {
  const table = database.prepare(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND lower(name) = 'plants'`).get();
  const withoutComments = String(table?.sql).replace(/\/\*.*?\*\/|--[^\n]*/gs, ' ');
  if (!/\bON\s+CONFLICT\b/i.test(withoutComments)) return undefined;
  return 'its table plants has a constraint with ON CONFLICT, which may store another value than it is given: make it again without';
}

/** Refuses UTF-16, in which a text that the file has damaged cannot be told from a sound one. */
function otherEncoding(database: Database): string | undefined {
  const encoding = database.prepare('PRAGMA encoding').get()?.encoding;
  return encoding === 'UTF-8'
    ? undefined
    : `its encoding is ${String(encoding)}, in which plants cannot be verified: expected UTF-8`;
}

/** Refuses any trigger, because `RETURNING` does not show the changes of one that runs after the insert. */
function triggersOf(database: Database): string | undefined {
  const [trigger] = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = 'plants' ORDER BY name`)
    .all();
  return (
    trigger && `its table plants has the trigger ${String(trigger.name)}, which may change or remove plants: drop it`
  );
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as types from '../../src/plants/column-types';
import { parseJsonText } from '../../src/plants/json-text';
import { openDatabase } from '../../src/plants/sqlite/driver';
import { temporaryFolder } from '../support/temporary-folder';

it.each(Object.entries(types))(
  '%s has a type of its own for each kind of column, so that the start sees another kind',
  (_store, names) => {
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length);
  },
);

it('the migration of README.md makes JSON of a column of text, and loses nothing', () => {
  const readme = readFileSync('src/plants/README.md', 'utf8');
  const [, statements = ''] = /^-- SQLite\n([^]*?)^-- PostgreSQL$/m.exec(readme) ?? [];
  const database = openDatabase(join(temporaryFolder(), 'plants.db'));
  const texts = ['sun', '5', 'null', '1.50', '"q"', '[]', '\u{1f33f}\u0001\\', ''];
  database.exec('CREATE TABLE plants (id INTEGER PRIMARY KEY, light TEXT) STRICT; INSERT INTO plants VALUES (0, NULL)');
  texts.forEach((text, index) => database.prepare('INSERT INTO plants VALUES (?, ?)').run(index + 1, text));
  database.exec(statements);
  const rows = database.prepare('SELECT light FROM plants ORDER BY id').all();
  database.close();
  expect(rows.map(({ light }) => light && parseJsonText(String(light)))).toEqual([null, ...texts]);
});

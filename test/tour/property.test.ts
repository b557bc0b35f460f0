/**
 * A property more in the contract, and each place in turn where its storing may be forgotten: a command that everyone runs
 * tells which. That the compiler misses it where it is shown and stored is in drift.test.ts.
 */
import { ProjectCopy } from './project-copy';

jest.setTimeout(120_000);

const copy = new ProjectCopy(['plants', 'conformance']);
afterAll(() => copy.discard());

const [COLUMNS, SQLITE] = ['src/plants/columns.ts', 'src/plants/sqlite/open.ts'];
const MIGRATION = `'ALTER TABLE plants ADD COLUMN "height" TEXT'`;

beforeAll(async () => {
  copy.editContract((contract) => {
    contract.setIn(['components', 'schemas', 'Plant', 'properties', 'height'], contract.createNode({ type: 'string' }));
  });
  await copy.run(['tsx', 'scripts/generate.ts']);
  copy.replace(COLUMNS, "  tag: 'text',\n", "  tag: 'text',\n  height: 'text',\n");
});

/** The tests of the SQLite store, as far as they are about columns. */
async function test(): Promise<string> {
  return (await copy.test('test/plants/sqlite/store', '--testNamePattern', 'property height|version 1')).output;
}

/** The file with a change that is taken back afterwards. */
async function changed(file: string, text: string, by: string, then: () => Promise<void>): Promise<void> {
  const before = copy.read(file);
  copy.replace(file, text, by);
  await then();
  copy.write(file, before);
}

it('the column is missing: the start and the tests name the migration to append', async () => {
  const told = `its table plants has no column height. Append to MIGRATIONS in ${SQLITE}: ${MIGRATION}`;
  const started = await copy.run(['tsx', 'src/main.ts'], { PORT: '0' });
  expect(started).toEqual({ code: 1, output: expect.stringContaining(told) as unknown });
  expect(await test()).toContain(told);
});

it('an old migration is edited: the file of version 1 is found to lack the column', () =>
  changed(SQLITE, 'tag TEXT) STRICT', 'tag TEXT, height TEXT) STRICT', async () => {
    const output = await test();
    expect(output).toMatch(/✕ is what a file of version 1 becomes/);
    expect(output).toContain(`no column height. Append to MIGRATIONS in ${SQLITE}: ${MIGRATION}`);
  }));

describe('with the migration appended', () => {
  beforeAll(() => copy.replace(SQLITE, ") STRICT'];", `) STRICT', ${MIGRATION}];`));

  it('all is well', async () => {
    expect(await test()).toMatch(/^Tests: +\d+ skipped, 3 passed/m);
  });

  it('it is stored and not compared', () =>
    changed(
      COLUMNS,
      'return contentColumns.every((column) =>',
      "return ['name', 'tag'].every((column) =>",
      async () => {
        expect(await test()).toMatch(/✕ is compared: another value of it is another plant/);
      },
    ));
});

/**
 * A property more in the contract, and each place in turn where its storing may be forgotten: a command that everyone runs
 * tells which. That the compiler misses it where it is shown and stored is in drift.slow.test.ts.
 */
import { isFunctionDeclaration, isIdentifier, isStringLiteral, type Node } from 'typescript';
import { addMember, editCode } from './edit-code';
import { ProjectCopy } from './project-copy';

const copy = new ProjectCopy(['plants', 'conformance']);
afterAll(() => copy.discard());

const [COLUMNS, SQLITE] = ['src/plants/columns.ts', 'src/plants/sqlite/open.ts'];
const NAME = 'trunkGirth'; // whose capital letter a database may fold
const MIGRATION = `'ALTER TABLE plants ADD COLUMN "${NAME}" TEXT'`;

beforeAll(async () => {
  copy.editContract((contract) => {
    contract.setIn(['components', 'schemas', 'Plant', 'properties', NAME], contract.createNode({ type: 'string' }));
  });
  await copy.run(['tsx', 'scripts/generate.ts']);
  addMember(copy, COLUMNS, 'columnTypes', `${NAME}: 'text'`);
});

/** The tests of the SQLite store, as far as they are about columns. */
async function test(): Promise<string> {
  return (await copy.test('test/plants/sqlite/store', '--testNamePattern', `property ${NAME}|version 1`)).output;
}

/** What the tests say of a change, which is taken back afterwards. */
async function testWith(file: string, by: (node: Node) => string | undefined): Promise<string> {
  const before = copy.read(file);
  editCode(copy, file, by);
  const output = await test();
  copy.write(file, before);
  return output;
}

it('the column is missing: the start and the tests name the migration to append', async () => {
  const told = `its table plants has no column ${NAME}. Append to MIGRATIONS in ${SQLITE}: ${MIGRATION}`;
  const started = await copy.run(['tsx', 'src/main.ts'], { PORT: '0' });
  expect(started).toEqual({ code: 1, output: expect.stringContaining(told) as unknown });
  expect(await test()).toContain(told);
});

it('an old migration is edited: the file of version 1 is found to lack the column', async () => {
  const output = await testWith(SQLITE, (node) =>
    isStringLiteral(node) && node.text.startsWith('CREATE TABLE plants')
      ? JSON.stringify(node.text.replace('(', `("${NAME}" TEXT, `))
      : undefined,
  );
  expect(output).toMatch(/✕ is what a file of version 1 becomes/);
  expect(output).toContain(`no column ${NAME}. Append to MIGRATIONS in ${SQLITE}: ${MIGRATION}`);
});

describe('with the migration appended', () => {
  beforeAll(() => addMember(copy, SQLITE, 'MIGRATIONS', MIGRATION));

  it('all is well', async () => {
    expect(await test()).toMatch(/^Tests: +\d+ skipped, 3 passed/m);
  });

  it('it is stored and not compared', async () => {
    const output = await testWith(COLUMNS, (node) =>
      isIdentifier(node) && node.text === 'contentColumns' && isWithin(node, 'hasContentOf')
        ? `contentColumns.filter((column) => column !== '${NAME}')`
        : undefined,
    );
    expect(output).toMatch(/✕ is compared: another value of it is another plant/);
  });
});

function isWithin(node: Node | undefined, name: string): boolean {
  if (node === undefined) return false;
  return (isFunctionDeclaration(node) && node.name?.text === name) || isWithin(node.parent, name);
}

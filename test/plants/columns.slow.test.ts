/** Properties of every type in the contract: both stores keep them, compare them, and give them back as handlers have them. */
import { missing } from '../support/postgres';
import { addMember } from '../tour/edit-code';
import { ProjectCopy } from '../tour/project-copy';

jest.setTimeout(240_000);

const int64 = { type: 'integer', format: 'int64' };
const PROPERTIES = [
  { name: 'leaves', schema: { type: 'integer', format: 'int32' }, kind: 'number', sqlite: 'REAL', postgres: 'float8' },
  { name: 'height', schema: { type: 'number' }, kind: 'number', sqlite: 'REAL', postgres: 'float8' },
  { name: 'cells', schema: int64, kind: 'int64', sqlite: 'INTEGER', postgres: 'int8' },
  { name: 'evergreen', schema: { type: 'boolean' }, kind: 'boolean', sqlite: 'INTEGER', postgres: 'bool' },
  { name: 'planted', schema: { type: 'string', format: 'date' }, kind: 'text', sqlite: 'TEXT', postgres: 'text' },
  { name: 'spots', schema: { type: 'array', items: int64 }, kind: 'json', sqlite: 'TEXT', postgres: 'json' },
  {
    name: 'origin',
    schema: { type: 'object', required: ['id'], properties: { id: int64, height: { type: 'number' } } },
    kind: 'json',
    sqlite: 'TEXT',
    postgres: 'json',
  },
] as const;

const copy = new ProjectCopy(['plants', 'conformance']);
afterAll(() => copy.discard());

beforeAll(async () => {
  for (const { name, schema, kind, sqlite, postgres } of PROPERTIES) {
    copy.editContract((contract) =>
      contract.setIn(['components', 'schemas', 'Plant', 'properties', name], contract.createNode(schema)),
    );
    addMember(copy, 'src/plants/columns.ts', 'columnTypes', `${name}: '${kind}'`);
    const added = `ALTER TABLE plants ADD COLUMN ${name}`;
    addMember(copy, 'src/plants/sqlite/open.ts', 'MIGRATIONS', `'${added} ${sqlite}'`);
    addMember(copy, 'src/plants/postgres/open.ts', 'MIGRATIONS', `'${added} ${postgres}'`);
  }
  await copy.run(['tsx', 'scripts/generate.ts']);
});

it('the compiler agrees with their columns', async () => {
  const { output } = await copy.run(['tsc', '--noEmit', '-p', 'src']);
  expect(output.split('\n').filter((line) => line.includes('columns.ts'))).toEqual([]);
  expect(output).toContain('create-plant.ts'); // where they are not shown yet
});

const both = ['test/plants/sqlite/store', ...(missing === undefined ? ['test/plants/postgres/store'] : [])];
it.each(both)('%s holds them all', async (file) => {
  const { output } = await copy.run(['jest', '--colors=false', '--testNamePattern', 'the property', file]);
  // Each property is stored and compared; so are the name and the tag.
  expect(output).toMatch(new RegExp(`^Tests: +\\d+ skipped, ${2 * (PROPERTIES.length + 2)} passed`, 'm'));
});

it('a line of an export holds them all', async () => {
  const line =
    '{"id":1,"name":"Ficus","leaves":5,"height":0.5,"cells":9223372036854775807,"evergreen":true,' +
    '"planted":"2026-01-31","spots":[9007199254740993],"origin":{"id":1,"height":2.0}}';
  const script = `const { lineOf, plantOf } = require('./src/plants/commands/lines.ts');
    process.stdout.write(lineOf(plantOf(Buffer.from(process.argv[1]))));`;
  expect(await copy.run(['tsx', '--eval', script, line])).toEqual({ code: 0, output: line });
});

/**
 * README.md's "Adding an operation", followed in a copy of the project: what is described there is generated, and its snippet is
 * compiled and served. That the compiler names a missing handler is in tour.slow.test.ts.
 */
import { addHandlers } from './larger-contract';
import { ProjectCopy } from './project-copy';

/** Its own name here: the contract may have one of the snippet's name already. */
const NAME = 'describeGardenOfReadme';

const copy = new ProjectCopy();
const [, steps = ''] = /^## Adding an operation\n([^]*?)^## /m.exec(copy.read('README.md')) ?? [];
const [, snippet = ''] = /^ {3}```ts\n([^]*?)^ {3}```$/m.exec(steps) ?? [];

/** The first step: the operation of the snippet, with no more errors than a contract has to declare, and the contract's next version. */
beforeAll(async () => {
  const error = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const garden = {
    type: 'object',
    description: 'A garden.',
    required: ['id', 'name'],
    properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
  };
  const id = { name: 'id', in: 'path', required: true, description: 'Which.', schema: garden.properties.id };
  const example = { summary: 'One', value: { id: 7, name: 'Garden 7' } };
  const content = { 'application/json': { schema: garden, examples: { one: example } } };
  let next = '';
  copy.editContract((contract) => {
    const [major, minor] = String(contract.getIn(['info', 'version'])).split('.');
    next = `${major}.${Number(minor) + 1}.0`;
    contract.setIn(['info', 'version'], next);
    const operation = {
      operationId: NAME,
      tags: ['plants'],
      summary: 'Describe a garden',
      description: 'Says what the garden is called.',
      parameters: [id],
      responses: { 200: { description: 'The garden.', content }, 400: error('BadRequest'), 401: error('Unauthorized') },
    };
    contract.setIn(['paths', '/readme/{id}'], contract.createNode({ get: operation }));
  });
  await copy.run(['npm', 'version', '--no-git-tag-version', next]);
  await copy.run(['npm', 'run', 'generate']);
});
afterAll(() => copy.discard());

it('with the handler of the snippet and its row the check of contract and types is green', async () => {
  copy.write('src/readme/operation.ts', snippet.replaceAll(/^ {3}/gm, '').replaceAll('describeGarden', NAME));
  addHandlers(copy, NAME, `import { ${NAME} } from './readme/operation';\n`);
  const { code, output } = await copy.check('contract', 'drift', 'start', 'types');
  expect(output).toMatch(/^all steps passed/m);
  expect(code).toBe(0);
});

it('the operation is served, and its number is exact', async () => {
  const { baseUrl, token } = await copy.serve();
  const answer = await fetch(`${baseUrl}/readme/9007199254740993`, { headers: { Authorization: `Bearer ${token}` } });
  expect([answer.status, await answer.text()]).toEqual([
    200,
    '{"id":9007199254740993,"name":"Garden 9007199254740993"}',
  ]);
});

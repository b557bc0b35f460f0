/** Introduces drift into a copy of the project. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isCallExpression, isPropertyAccessExpression, isReturnStatement } from 'typescript';
import { readContract } from '../../scripts/read-contract';
import { editCode } from './edit-code';
import { project, type ProjectCopy } from './project-copy';

const CREATE = ['paths', '/plants', 'post'];
const CODES = ['components', 'schemas', 'ErrorCode'];

/** Contract, generated files and documents differ from each other; the main branch has the original contract. */
export function driftApart(copy: ProjectCopy): void {
  copy.setVersion('1.0.0');
  commit(copy);
  copy.setVersion('1.0.1');
  copy.write('coverage/answers.ndjson', producedAnswers());
  changeGenerator(copy);
  copy.write('generated/openapi.ts', `${copy.read('generated/openapi.ts')}// by hand\n`);

  copy.editContract((contract) => {
    const responses = [...CREATE, 'responses'];
    contract.setIn([...responses, '410'], contract.getIn([...responses, '409']));
    contract.deleteIn([...responses, '409']);
    contract.addIn([...CODES, 'enum'], 41001);
    contract.addIn([...CODES, 'x-enum-varnames'], 'Gone');
    contract.setIn(['components', 'schemas', 'Error', 'description'], 'What has gone wrong.');
    contract.setIn(
      [...CREATE, 'requestBody', 'content', 'application/json', 'examples', 'untagged', 'value', 'id'],
      'two',
    );
    contract.delete('security');
    contract.setIn(['servers', 0, 'variables', 'base_url', 'default'], 'http://localhost:8080');
    contract.setIn(['info', 'title'], 'OpenAPI Garden Store');
  });

  copy.replace('README.md', '| `npm run types` |', '| `npm run typecheck` |');
  copy.replace('src/README.md', '| `BODY_BYTES_MAX` | `102400` |', '| `BODY_BYTES_MAX` | `204800` |');
  copy.replace('src/README.md', '| `LOG_LEVEL` |', '| `LOG_FORMAT` |');
  copy.write('README.md', `${copy.read('README.md')}\n\`src/nowhere.ts\` answers at http://localhost:8080.\n`);
}

/** A plant has a new property; the table of handlers has two mistakes, and each of three other files has one. */
export async function spoilHandlers(copy: ProjectCopy): Promise<void> {
  copy.editContract((contract) => {
    contract.setIn(
      ['components', 'schemas', 'Plant', 'properties', 'height'],
      contract.createNode({ type: 'integer' }),
    );
  });
  await copy.run(['tsx', 'scripts/generate.ts']);
  const handler = (answer: string): string =>
    `import type { Operation } from '../operation';\n
     export const create: Operation<'createPlant'> = () => Promise.resolve(${answer});\n`;
  copy.write('src/plants/wrong-type.ts', handler('{ status: 200, body: { name: 1 } }'));
  copy.write('src/plants/wrong-status.ts', handler("{ status: 201, body: { name: '' } }"));
  const code = "import { ErrorCode } from '../error-codes';\n\nexport const code = ErrorCode.Gone;\n";
  copy.write('src/plants/wrong-code.ts', code);
  const table = (row: string): string =>
    `import type { Handlers } from './operation';\n\nexport const table = { ${row} } satisfies Handlers;\n`;
  copy.write('src/no-handler.ts', table(''));
  copy.write('src/other-handler.ts', table('removePlant: () => Promise.reject(new Error())'));
}

/** Adds a path and a method that are not in the contract, removes authentication, and answers with a wrong name. */
export function spoilCode(copy: ProjectCopy): void {
  editCode(copy, 'src/engine/app.ts', (node) => {
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
    const [stage] = node.arguments;
    const isAuthentication = stage && isCallExpression(stage) && stage.expression.getText() === 'authenticate';
    return isAuthentication ? node.expression.expression.getText() : undefined;
  });
  const beside = "app.get('/health', refuseMalformed); app.put('/plants', refuseMalformed);";
  editCode(copy, 'src/engine/app.ts', (node) =>
    isReturnStatement(node) && node.expression?.getText() === 'app' ? `${beside} ${node.getText()}` : undefined,
  );
  copy.write(
    'src/plants/create-plant.ts',
    "export const createPlant = () => () => Promise.resolve({ status: 200 as const, body: { name: '\\0' } });\n",
  );
}

/** Makes the copy a git repository whose main branch has the current contract. */
function commit(copy: ProjectCopy): void {
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: copy.folder, env: { PATH: process.env.PATH, HOME: copy.folder } });
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'openapi.yaml');
  git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '--quiet', '--message=before');
}

/** Gives the copy another version of openapi-typescript. */
function changeGenerator(copy: ProjectCopy): void {
  const from = join(project, 'node_modules');
  const to = join(copy.folder, 'node_modules');
  unlinkSync(to);
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === 'openapi-typescript') cpSync(join(from, name), join(to, name), { recursive: true });
    else symlinkSync(join(from, name), join(to, name));
  }
  const manifest = 'node_modules/openapi-typescript/package.json';
  copy.write(manifest, JSON.stringify({ ...(JSON.parse(copy.read(manifest)) as object), version: '7.99.0' }));
}

/** The record of tests that produce every answer of the contract. */
function producedAnswers(): string {
  const { operations, document } = readContract(join(project, 'openapi.yaml'));
  const answers = operations.flatMap(({ id: operation, responses }) =>
    Object.keys(responses).map((status) => ({ operation, status: Number(status) })),
  );
  const codes = document.components?.schemas?.ErrorCode?.enum;
  const errors = Array.isArray(codes) ? codes.map((error) => ({ status: 404, error: Number(error) })) : [];
  return [...answers, ...errors].map((answer) => `${JSON.stringify(answer)}\n`).join('');
}

/** Introduces drift into a copy of the project. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../../scripts/read-contract';
import { project, type ProjectCopy } from './project-copy';

/** Contract, generated files and documents differ from each other; the main branch has the original contract. */
export function driftApart(copy: ProjectCopy): void {
  copy.setVersion('1.0.0');
  commit(copy);
  copy.setVersion('1.0.1');
  copy.write('coverage/answers.ndjson', producedAnswers());
  changeGenerator(copy);
  copy.write('generated/openapi.ts', `${copy.read('generated/openapi.ts')}// by hand\n`);

  const conflict = "        '409':\n          $ref: '#/components/responses/Conflict'\n";
  copy.replace('openapi.yaml', conflict, conflict.replace('409', '410'));
  copy.replace('openapi.yaml', '        - 41301\n', '        - 41001\n        - 41301\n');
  copy.replace('openapi.yaml', '        - BodyTooLarge\n', '        - Gone\n        - BodyTooLarge\n');
  copy.replace('openapi.yaml', 'description: What went wrong.\n', 'description: What has gone wrong.\n');
  copy.replace('openapi.yaml', 'value: { id: 2,', 'value: { id: two,');
  copy.replace('openapi.yaml', /^security:\n {2}- bearerAuth: \[\]\n/m, '');
  copy.replace('openapi.yaml', 'default: http://localhost:3000\n', 'default: http://localhost:8080\n');
  copy.replace('openapi.yaml', 'title: OpenAPI Plant Store\n', 'title: OpenAPI Garden Store\n');

  copy.replace('README.md', '| `npm run types` |', '| `npm run typecheck` |');
  copy.replace('src/README.md', '| `BODY_BYTES_MAX` | `102400` |', '| `BODY_BYTES_MAX` | `204800` |');
  copy.replace('src/README.md', '| `LOG_LEVEL` |', '| `LOG_FORMAT` |');
  copy.write('README.md', `${copy.read('README.md')}\n\`src/nowhere.ts\` answers at http://localhost:8080.\n`);
}

/** A plant has a new property; the table of handlers has two mistakes, and each of three other files has one. */
export function spoilHandlers(copy: ProjectCopy): void {
  copy.replace(
    'generated/openapi.ts',
    '            tag?: string;\n',
    '            tag?: string;\n            height?: number;\n',
  );
  const handler = copy.read('src/plants/create-plant.ts');
  copy.write('src/plants/wrong-type.ts', handler.replace('body: plantOf(body)', 'body: { ...plantOf(body), name: 1 }'));
  copy.write('src/plants/wrong-status.ts', handler.replace('status: 200', 'status: 201'));
  const code = "import { ErrorCode } from '../error-codes';\n\nexport const code = ErrorCode.Gone;\n";
  copy.write('src/plants/wrong-code.ts', code);
  const table = copy.read('src/handlers.ts');
  copy.write('src/no-handler.ts', table.replace('createPlant: createPlant(plants),', ''));
  copy.replace('src/handlers.ts', 'createPlant: createPlant(plants)', 'removePlant: createPlant(plants)');
}

/** Adds a path and a method that are not in the contract, removes authentication, and answers with a wrong name. */
export function spoilCode(copy: ProjectCopy): void {
  copy.replace('src/app.ts', '    .all(authenticate(verifiers))\n', '');
  const beside = "  app.get('/health', refuseMalformed);\n  app.put('/plants', refuseMalformed);\n";
  copy.replace('src/app.ts', '  app.use(writeErrors', `${beside}  app.use(writeErrors`);
  copy.replace('src/plants/create-plant.ts', '= { name, tag }', '= { name: `${name}\\0`, tag }');
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
  copy.replace('node_modules/openapi-typescript/package.json', /^ {2}"version": "[^"]*"/m, '  "version": "7.99.0"');
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

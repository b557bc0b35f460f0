/** The command as a process: a contract of several files, changes of each. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();
const contract = join(folder, 'notes.yaml');
const part = join(folder, 'note.yaml');
const noteOf = (text: string): string => `type: object\nproperties: { text: { type: string, const: ${text} } }\n`;
const notesOf = (file: string): string => `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
paths:
  /notes/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 5 } }]
      responses: { '200': { description: A note., content: { application/json: { schema: { $ref: ${file} } } } } }
`;
const children = new Set<ChildProcess>();

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/tools/cli.ts', 'mock', ...args], {
    env: { ...process.env, PORT: '1', AUTH_TOKENS_FILE: 'none', NODE_ENV: 'production' }, // which are not for mocks
  });
  children.add(child);
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  return { child, said, exited: once(child, 'exit').then(([code]) => ({ code: code as number | null, ...said })) };
}

it('serves a contract of several files, reads each again when it changes, and ends when it is asked to', async () => {
  writeFileSync(part, noteOf('first'));
  writeFileSync(contract, notesOf('note.yaml'));
  const { child, said, exited } = start(contract, '--port', '0');
  await eventually(() => expect(said.stdout).toContain('Try it: '));
  const [, line = ''] = /^Try it: curl -i (\S+)$/m.exec(said.stdout) ?? [];
  const text = async (): Promise<string> => (await fetch(line)).text();
  expect(await text()).toBe('{"text":"first"}');
  writeFileSync(part, noteOf('second'));
  await eventually(async () => expect(await text()).toBe('{"text":"second"}'));
  rmSync(part);
  await eventually(() => expect(said.stderr).toContain('The contract has changed, and is served as it was before.'));
  expect(await text()).toBe('{"text":"second"}');
  writeFileSync(contract, notesOf('later.yaml'));
  await eventually(() => expect(said.stderr).toContain('later.yaml leads to a file that is not there'));
  writeFileSync(join(folder, 'later.yaml'), noteOf('third'));
  await eventually(async () => expect(await text()).toBe('{"text":"third"}'));
  child.kill('SIGTERM');
  expect(await exited).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Notes 1\.0\.0 at http:\/\/localhost:\d+\n/),
  });
});

/** A contract of several files, in a copy of the project: bundled, checked and served. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { ProjectCopy } from './project-copy';

const SCHEMAS = 'contract/schemas.yaml';
const BUNDLE = 'generated/openapi.yaml';
const copy = new ProjectCopy();
const original = copy.read('openapi.yaml');
afterAll(() => copy.discard());

beforeAll(() => copy.moveSchemas(SCHEMAS));

const generate = (...args: string[]) => copy.run(['tsx', 'src/tools/cli.ts', 'generate', ...args]);
const startOnce = () => copy.run(['tsx', 'src/tools/cli.ts', 'try']);

it('is bundled by npm run generate, and served', async () => {
  const { code, output } = await generate();
  expect(output).toMatch(new RegExp(`^${BUNDLE} written\ngenerated/openapi.ts is up to date\n`)); // it is the same contract
  expect(code).toBe(0);
  expect(copy.read(BUNDLE)).toMatch(
    /^# Generated from openapi\.yaml .*\n# sha256 [0-9a-f]{64} openapi\.yaml\n# sha256 [0-9a-f]{64} contract\/schemas\.yaml\nopenapi: 3\.1\.0\n/,
  );
  expect(copy.read(BUNDLE)).not.toContain(SCHEMAS.concat('#'));
  expect(await generate('--check')).toEqual({ code: 0, output: '' });
  expect(await startOnce()).toMatchObject({ code: 0 });
});

it('drifts where a further file is edited, and is compared with itself before, as its bundle', async () => {
  const commit = () => copy.commit('openapi.yaml', 'contract', 'generated');
  await commit();
  copy.editContract((schemas) => schemas.setIn(['Error', 'description'], 'What has gone wrong.'), SCHEMAS);
  const { code, output } = await generate('--check');
  expect(code).toBe(1);
  expect(output).toMatch(/^\+ +description: What has gone wrong\.$/m);
  expect(output).toContain(`${BUNDLE} does not match openapi.yaml. Fix it with: `);
  expect(output).toContain('generated/openapi.ts does not match openapi.yaml. Fix it with: ');
  await generate();
  await commit();
  const diff = async () => (await copy.run(['tsx', 'src/tools/cli.ts', 'diff', '--main'])).output;
  expect(await diff()).toMatch(/^Other changes:\n.* description modified\n {4}contract\/schemas\.yaml:\d+:\d+$/m);
  copy.editContract((schemas) => schemas.deleteIn(['Plant', 'properties', 'tag']), SCHEMAS);
  await generate();
  await commit();
  expect(await diff()).toMatch(
    /^Breaks clients:\n.*`tag`.* was removed\.\n {4}[0-9a-f]+:generated\/openapi\.yaml:\d+:\d+$/m,
  );
});

it('has the integers of its files, which doubles would round, and is not bundled where a file is missing', async () => {
  const [contract, schemas] = [copy.read('openapi.yaml'), copy.read(SCHEMAS)];
  const declare = (...bounds: bigint[]): void => {
    copy.write(SCHEMAS, schemas);
    copy.editContract((each) => {
      for (const maximum of bounds)
        each.setIn(['Error', 'properties', `below ${maximum}`], each.createNode({ maximum }));
    }, SCHEMAS);
  };
  declare(18446744073709551615n, 18446744073709551614n);
  await generate();
  expect(copy.read(BUNDLE)).toMatch(/^ +maximum: 18446744073709551615\n[^]*^ +maximum: 18446744073709551614$/m);
  copy.write(SCHEMAS, schemas);
  copy.editContract((each) => each.setIn(['components', 'schemas', 'Error', '$ref'], 'nowhere.yaml#/Error'));
  expect(await generate()).toEqual({ code: 1, output: expect.stringContaining('nowhere.yaml') as unknown });
  copy.write('openapi.yaml', contract);
});

it('is told by the places in its files where something is wrong', async () => {
  copy.write(SCHEMAS, `${copy.read(SCHEMAS)}Hidden: { type: string, pattern: '(' }\n`);
  copy.editContract((each) => {
    const parameter = { name: 'hidden', in: 'query', schema: { $ref: `${SCHEMAS}#/Hidden` } };
    each.setIn(['paths', '/plants', 'post', 'parameters'], each.createNode([parameter]));
  });
  await generate();
  const { code, output } = await startOnce();
  expect(code).toBe(1);
  const line = copy.read(SCHEMAS).trimEnd().split('\n').length;
  expect(output).toMatch(new RegExp(`^ *contract/schemas\\.yaml:${line}:\\d+ Invalid regular expression`, 'm'));
});

it('passes its checks with files of another folder that these are told of, and says so of one that is not there', async () => {
  const shared = temporaryFolder();
  copy.write('openapi.yaml', original);
  copy.moveSchemas(relative(copy.folder, join(shared, 'schemas.yaml')));
  await generate('--allow-folder', shared);
  const check = (folder: string) =>
    copy.run(['tsx', 'src/tools/cli.ts', 'check', '--only', 'contract,drift', '--allow-folder', folder]);
  expect(await check(shared)).toEqual({ code: 0, output: expect.stringMatching(/^all steps passed/m) as unknown });
  const nowhere = join(shared, 'nowhere');
  const refusal = `expected a folder of files of a contract, got ${nowhere}, which cannot be read`;
  expect(await check(nowhere)).toEqual({ code: 1, output: expect.stringContaining(refusal) as unknown });
});

it('leaves nothing behind where it becomes one file again', async () => {
  copy.write('openapi.yaml', original);
  expect((await generate()).code).toBe(0);
  expect(existsSync(join(copy.folder, BUNDLE))).toBe(false);
  expect(await generate('--check')).toEqual({ code: 0, output: '' });
});

/** What `npm run new` makes of names and files, whatever a contract has; whole projects are in tour/new.slow.test.ts. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ContractProblems } from '../../../src/engine/contract/problems';
import { guessedBody } from '../../../src/tools/errors/shapes';
import { completeInEditors, writeContract } from '../../../src/tools/new/contract-files';
import { errorBodyText } from '../../../src/tools/new/error-body';
import { exampleTestText } from '../../../src/tools/new/example-test';
import { handledOf } from '../../../src/tools/new/handlers';
import { handlerNames } from '../../../src/tools/new/operation-names';
import { packageName } from '../../../src/tools/new/package-json';
import { fill } from '../../../src/tools/new/template';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { readmeText } from '../../../src/tools/new/readme';
import { contractOf } from '../../support/contracts';
import { temporaryFolder } from '../../support/temporary-folder';
import { table } from '../../support/table';

it.each<[id: string, constant: string, file: string]>([
  ['listNotes', 'listNotes', 'list-notes'],
  ['get-hut', 'getHut', 'get-hut'],
  ['Notes.List all/of them', 'NotesListAllOfThem', 'notes-list-all-of-them'],
  ['getHTTPInfo2', 'getHTTPInfo2', 'get-http-info2'],
  ['get_notes__v2', 'get_notes__v2', 'get-notes-v2'],
  ['delete', 'deleteOperation', 'delete-operation'],
  ['con', 'conOperation', 'con-operation'],
  ['Operation', 'OperationOperation', 'operation-operation'],
  ['2ndNote', 'operation2ndNote', 'operation2nd-note'],
  ['café', 'cafe', 'cafe'],
  ['植物', 'operation', 'operation'],
  ["'; drop\n*/", 'drop', 'drop'],
  ['../../etc/passwd', 'etcPasswd', 'etc-passwd'],
  ['', 'operation', 'operation'],
  ['a'.repeat(300), 'a'.repeat(80), 'a'.repeat(80)],
])('the operation %j has the handler %s in %s.ts', (id, constant, file) => {
  expect(handlerNames([id])).toEqual([{ id, constant, file }]);
});

it('gives no two operations one name or file, on file systems without letter case either', () => {
  const ids = ['getNote', 'GetNote', 'get-note', 'get_note', 'getNote2', 'getnote', '植', '物', 'class', 'Class'];
  const names = handlerNames([...ids, ...Array.from({ length: 50 }, (_, index) => `${'x'.repeat(90)}${index}`)]);
  for (const key of ['constant', 'file'] as const)
    expect(new Set(names.map((each) => each[key])).size).toBe(names.length);
  for (const { constant, file } of names) {
    expect(constant).toMatch(/^[A-Za-z]\w*$/);
    expect(file).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  }
});

it.each<[title: string, name: string]>([
  ['Mountain Huts', 'mountain-huts'],
  ['The "Notes"\n# API', 'the-notes-api'],
  ['Express', 'express-service'],
  ['注释', 'service'],
])('the title %j names the package %s', (title, name) => {
  expect(packageName(title)).toBe(name);
});

it('writes a page on which no text of the contract is markup', () => {
  const file = contractOf(`
openapi: 3.1.0
info: { title: '<b>Notes</b>', version: 1.0.0 }
paths: {}
components: { securitySchemes: { own: { type: http, scheme: '<img src=x> [a](b)' } } }
`);
  const contract = loadContract(file, { handlers: [], verifiers: {}, canVerify: () => true, canRead: () => true });
  expect(readmeText(contract, [], false)).toMatch(/own` \(http \\<img src=x\\> \\\[a\\\]\(b\)\)/);
});

it('writes a test in which no method of the contract is code', () => {
  const file = contractOf(`
openapi: 3.2.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes/;process.exit(): { additionalOperations: { X-EVAL: { operationId: evil, responses: { '200': { description: No. } } } } }
  /notes 植: { get: { operationId: getNotes, responses: { '200': { description: Notes. } } } }
`);
  const served = { handlers: ['evil', 'getNotes'], verifiers: {}, canRead: () => true };
  const contract = loadContract(file, served);
  const calls = exampleTestText(contract, handledOf(contract)).match(/await request.*/g);
  expect(calls).toEqual(['await request(service.baseUrl).get("/notes%20%E6%A4%8D");']);
});

it('writes an error body that takes of an error only what it writes', () => {
  const file = contractOf(`
paths: { /notes: { get: { operationId: getNotes, responses: { default: { $ref: '#/components/responses/Error' } } } } }
components:
  responses: { Error: { description: No., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } } }
  schemas: { Error: { required: [status, message], properties: { status: { enum: [error] }, message: { type: string } } } }
`);
  const served = { handlers: ['getNotes'], verifiers: {}, canRead: () => true };
  const text = errorBodyText(loadContract(file, { ...served, errorsOf: guessedBody }));
  expect(text).toContain(`body: ({ message }) => ({ "status": "error", message }),`);
});

it.each([
  ['3.0.3', '3.0/schema/2024-10-18'],
  ['3.1.0', '3.1/schema-base/2022-10-07'],
  ['3.2.0', '3.2/schema-base/2025-09-17'],
])('has editors complete a contract of OpenAPI %s, of which no line moves', (version, schema) => {
  const text = `openapi: ${version}\ninfo: { description: none }`;
  const file = contractOf(text);
  for (let times = 0; times < 2; times++) completeInEditors(file);
  const modeline = `# yaml-language-server: $schema=https://spec.openapis.org/oas/${schema}\n`;
  expect(readFileSync(file, 'utf8')).toBe(`${text}\n\n${modeline}`);
});

describe('the files of a contract', () => {
  const folder = temporaryFolder();

  /** What was told of the files that were written last. */
  const told: string[] = [];

  /** What becomes of files, of which the first is the contract. */
  function written(
    name: string,
    files: Readonly<Record<string, string>>,
    allowed?: readonly string[],
  ): Record<string, string> {
    const [from, to] = [join(folder, name, 'from'), join(folder, name, 'to')];
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(from, file)), { recursive: true });
      writeFileSync(join(from, file), text);
    }
    told.length = 0;
    writeContract(join(from, Object.keys(files)[0] ?? ''), to, (what) => told.push(what.replace(from, '')), allowed);
    const names = readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((each) =>
      statSync(join(to, each)).isFile(),
    );
    return Object.fromEntries(names.sort().map((each) => [each, readFileSync(join(to, each), 'utf8')]));
  }

  it('stay as they are in a folder of their own, but for where they name each other', () => {
    const [main, part] = [
      "# ours\npaths: {'/a': {$ref:   'paths/a.yaml#/a'}}\n",
      "a: {get: {$ref: '../api.yaml#/info'}}\n",
    ];
    const text = '# {no: [yaml';
    const described = `info: {description: {$ref: docs/a.md}}\n${main}`;
    expect(written('beside', { 'api.yaml': described, 'paths/a.yaml': part, 'docs/a.md': text })).toEqual({
      'contract/docs/a.md': text,
      'contract/paths/a.yaml': 'a: {get: {$ref: "../../openapi.yaml#/info"}}\n',
      'openapi.yaml': described
        .replace('docs/a.md', '"contract/docs/a.md"')
        .replace("'paths", '"contract/paths')
        .replace("#/a'", '#/a"'),
    });
  });

  it('may be in another folder that is allowed', () => {
    const files = {
      'spec/api.yaml': '- $ref: ../common/errors.json#/a\n- $ref: src/b.yaml\n',
      'common/errors.json': '{"a": {"$ref": "../spec/src/b.yaml"}}',
      'spec/src/b.yaml': 'b: 1\n',
    };
    expect(written('moved', files, [join(folder, 'moved', 'from')])).toEqual({
      'contract/common/errors.json': files['common/errors.json'],
      'contract/spec/src/b.yaml': files['spec/src/b.yaml'],
      'openapi.yaml': '- $ref: "contract/common/errors.json#/a"\n- $ref: "contract/spec/src/b.yaml"\n',
    });
    expect(told).toEqual(["copying /common/errors.json, which is outside of the contract's folder"]);
  });

  it('are named by the mapping of a discriminator, and by an example, as well', () => {
    const main = (folder: string): string =>
      `a: {$ref: ${folder}a.yaml}\ndiscriminator: {mapping: {b: ${folder}b.yaml, c: c.name}, defaultMapping: ${folder}b.yaml}\nexample: {$ref: ${folder}b.yaml}\n`;
    const files = {
      'api.yaml': main(''),
      'a.yaml': 'properties: {$ref: true, a: {enum: [{$ref: b.yaml}]}}\n',
      'b.yaml': 'b: 1\n',
    };
    expect(written('mapping', files)).toEqual({
      'contract/a.yaml': files['a.yaml'],
      'contract/b.yaml': files['b.yaml'],
      'openapi.yaml': main('contract/').replaceAll(/contract\/\w\.yaml/g, '"$&"'),
    });
  });

  it('may have any name', () => {
    const files = { 'api.yaml': '$ref: 100%.yaml\n', '100%.yaml': 'a: 1\n' };
    expect(written('percent', files)).toEqual({
      'openapi.yaml': '$ref: "contract/100%.yaml"\n',
      'contract/100%.yaml': files['100%.yaml'],
    });
    expect(told).toEqual([]);
  });

  it('are YAML if the contract is JSON, with the same numbers and texts', () => {
    const json =
      '{"openapi": "3.0.3", "a": [9223372036854775807, 1.50, "007", "yes", "a: b"], "200": {}, "text": "one\\ntwo"}';
    const { 'openapi.yaml': yaml = '' } = written('json', { 'api.json': json });
    expect(yaml).toBe(`\
openapi: 3.0.3
a:
  - 9223372036854775807
  - 1.50
  - "007"
  - yes
  - "a: b"
"200": {}
text: |-
  one
  two
`);
    expect(parse(yaml, { intAsBigInt: true })).toEqual(parse(json, { intAsBigInt: true }));
  });

  it('are none that a tool would take for its settings', () => {
    const files = {
      'api.yaml': '- $ref: package.json\n- $ref: conf/.prettierrc.yaml\n',
      'package.json': '{}',
      'conf/.prettierrc.yaml': 'a: 1',
    };
    expect(Object.keys(written('settings', files))).toEqual([
      'contract/conf/_.prettierrc.yaml',
      'contract/package.json',
      'openapi.yaml',
    ]);
  });

  it.each(table`
    code | ./eslint.config.js | leads to a file of another kind: expected .yaml, .yml or .json
    of another folder | ../b.yaml | leads out of the folder of the contract: --allow-folder FOLDER allows another one
  `)('are refused if one is %s', (what, reference, why) => {
    const files = {
      'spec/api.yaml': `a: { $ref: ${reference} }\n`,
      'spec/eslint.config.js': 'run();',
      'b.yaml': 'b: 1',
    };
    expect(() => written(what, files)).toThrow(`api.yaml:1:12 ${reference} ${why}`);
  });

  it('are refused if one is not there', () => {
    expect(() => written('missing', { 'api.yaml': '$ref: b.yaml\n' })).toThrow(
      new ContractProblems(['api.yaml:1:7 b.yaml leads to a file that is not there']),
    );
  });
});

it('has a handler that README.md shows', () => {
  const root = join(__dirname, '..', '..', '..');
  const file = join(root, 'test', 'tour', 'new', 'allotments', 'src', 'operations', 'delete-allotment.ts.txt');
  const [, snippet = ''] =
    /^## A service of your own\n[^]*?^```ts\n([^]*?)^```$/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  expect(snippet).not.toBe('');
  expect(readFileSync(file, 'utf8')).toContain(snippet);
});

it('has each command of its CI in a line of its own: bash goes on behind one that fails before &&', () => {
  const lines = fill('ci-run').split('\n');
  expect(lines.filter((line) => line.startsWith('npm '))).toHaveLength(5);
  expect(lines.filter((line) => !line.startsWith('#') && /&&|\|\||;/.test(line))).toEqual([]);
});

/** Contracts of several files, of which the bundle is served. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { Path } from '../../../src/engine/contract/document';
import { BUNDLE, bundleFiles, bundleHead, readDocument, readServed } from '../../../src/engine/contract/bundle';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { ContractProblems } from '../../../src/engine/contract/problems';
import { Folders } from '../../../src/engine/contract/folders';
import { namesOtherFiles, Sources, sourcesOf, watchedFiles } from '../../../src/engine/contract/sources';
import { canRead } from '../../../src/engine/contract/media-type';
import { contractOf, handlersOf } from '../../support/contracts';
import { ask } from '../../support/raw';
import { startService } from '../../support/service';
import { temporaryFolder } from '../../support/temporary-folder';

/** A contract whose path stands in another file, which names the first again. */
function severalFiles(): { file: string; other: string; bundle: string } {
  const file = contractOf(`openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths: { /notes: { $ref: 'parts/notes.yaml#/path' } }
components: { schemas: { Note: { type: string } } }
`);
  const other = join(dirname(file), 'parts', 'notes.yaml');
  mkdirSync(dirname(other));
  writeFileSync(
    other,
    `path:
  get: { operationId: getNote, responses: { '200': { description: A note., content: { application/json: { schema: { $ref: '../openapi.yaml#/components/schemas/Note' } } } }, default: { $ref: '#/failed' } } }
failed: { description: It failed. }
`,
  );
  return { file, other, bundle: join(dirname(file), BUNDLE) };
}

/** Writes what `npm run generate` would. */
function generate(file: string, bundle: string): void {
  mkdirSync(dirname(bundle));
  const { value } = bundleFiles(new Sources(file));
  writeFileSync(bundle, `# Generated.\n${bundleHead(file, sourcesOf(file))}${stringify(value)}`);
}

const served = { handlers: ['getNote'], verifiers: {}, canRead };

it('are served as their bundle', async () => {
  const { file, bundle } = severalFiles();
  generate(file, bundle);
  const handlers = handlersOf({ getNote: () => ({ status: 200, body: 'a' }) });
  const service = await startService({ contract: file, handlers });
  const answer = await ask(service.port, 'GET /notes HTTP/1.1\r\nHost: x\r\n\r\n', 'GET');
  expect(answer).toMatchObject({ status: 200, body: '"a"' });
});

it('are told by the places where something wrong is written, or else by those of the bundle', () => {
  const { file, other, bundle } = severalFiles();
  generate(file, bundle);
  const withoutHandler = (): unknown => loadContract(file, { ...served, handlers: [] });
  const problem = 'operation getNote has no handler: add it to src/handlers.ts';
  expect(withoutHandler).toThrow(new ContractProblems([`parts/notes.yaml:2:23 ${problem}`]));
  rmSync(other);
  expect(withoutHandler).toThrow(new ContractProblems([`generated/openapi.yaml:11:20 ${problem}`]));
});

it.each<[what: string, path: Path, place: string]>([
  ['the contract itself', ['info', 'version'], 'openapi.yaml:2:32'],
  ['what is referred to', ['paths', '/notes', 'get', 'responses', '200'], 'parts/notes.yaml:2:52'],
  ['what is not there', ['paths', '/notes', 'get', 'requestBody'], 'parts/notes.yaml:2:8'],
  ['a component of the contract', ['components', 'schemas', 'Note', 'type'], 'openapi.yaml:4:40'],
  ['a component that the bundler has made', ['components', 'responses', 'failed', 'content'], 'parts/notes.yaml:3:9'],
  [
    'what is behind a reference to it',
    ['paths', '/notes', 'get', 'responses', 'default', 'description'],
    'parts/notes.yaml:3:24',
  ],
])('have a place for %s', (_what, path, place) => {
  const { file, bundle } = severalFiles();
  generate(file, bundle);
  expect(readServed(file).place(path)).toBe(place);
});

it('are refused where a file has changed since, and not for its line endings', () => {
  const { file, other, bundle } = severalFiles();
  generate(file, bundle);
  writeFileSync(other, readFileSync(other, 'utf8').replaceAll('\n', '\r\n'));
  expect(readServed(file).value).toMatchObject({ paths: { '/notes': { get: { operationId: 'getNote' } } } });
  writeFileSync(other, `${readFileSync(other, 'utf8')}more: {}\n`);
  expect(() => loadContract(file, served)).toThrow(
    new ContractProblems(['generated/openapi.yaml was made before parts/notes.yaml changed: run npm run generate']),
  );
});

it('are refused where the bundle does not say of what it was made', () => {
  const { file, bundle } = severalFiles();
  generate(file, bundle);
  writeFileSync(bundle, readFileSync(bundle, 'utf8').replace(/^#.*\n/gm, ''));
  expect(() => loadContract(file, served)).toThrow(
    new ContractProblems(['generated/openapi.yaml does not say of what it was made: run npm run generate']),
  );
});

it('need nothing but the bundle where they are installed', () => {
  const { file, other, bundle } = severalFiles();
  generate(file, bundle);
  rmSync(other);
  expect(loadContract(file, served).operations).toHaveLength(1);
});

it('are refused without a bundle', () => {
  const { file } = severalFiles();
  expect(() => loadContract(file, { ...served, digest: 'of the types' })).toThrow(
    new ContractProblems([
      'openapi.yaml:1:1 it names other files, and there is no generated/openapi.yaml: run npm run generate',
    ]),
  );
});

it('consist of the files that they name, each once, as far as they are there; the others are watched, too', () => {
  const { file, other } = severalFiles();
  expect([...sourcesOf(file)]).toEqual([file, other]);
  rmSync(other);
  expect([...sourcesOf(file)]).toEqual([file]);
  expect([...watchedFiles(file)]).toEqual([file, other]);
  writeFileSync(other, 'a: [');
  expect([...sourcesOf(file)]).toEqual([file, other]);
});

/** Writes a contract into a folder of a temporary one, where other files may stand beside that folder. */
function contractWithin(text: string): string {
  const file = join(temporaryFolder(), 'api', 'openapi.yaml');
  mkdirSync(dirname(file));
  writeFileSync(file, text);
  return file;
}

const OUT = 'leads out of the folder of the contract: --allow-folder FOLDER allows another one';

it.each<[what: string, reference: string, why: string]>([
  ['a file of the machine', '/etc/passwd', OUT],
  ['a device', '/dev/zero', OUT],
  ['a file beside the folder', '../beside.yaml', OUT],
  ['a link out of the folder', 'link.yaml', OUT],
  ['code', 'eslint.config.js', 'leads to a file of another kind: expected .yaml, .yml or .json'],
  ['Markdown for what is no description', 'a.md', 'leads to a file of another kind: expected .yaml, .yml or .json'],
  ['a folder', 'folder.yaml', 'leads to what is not a file'],
  ['a file without an end', 'large.yaml', 'leads to a file of 33554433 bytes: expected at most 33554432'],
])('are refused where a reference leads to %s', (_what, reference, why) => {
  const file = contractWithin(`openapi: 3.1.0\npaths: { /a: { $ref: ${reference} } }\n`);
  const folder = dirname(file);
  for (const name of ['../beside.yaml', 'eslint.config.js', 'a.md', 'large.yaml'])
    writeFileSync(join(folder, name), 'a: 1\n');
  truncateSync(join(folder, 'large.yaml'), 33_554_433);
  symlinkSync('/etc/passwd', join(folder, 'link.yaml'));
  mkdirSync(join(folder, 'folder.yaml'));
  expect(() => new Sources(file).refuseReferences()).toThrow(
    new ContractProblems([`openapi.yaml:2:22 ${reference} ${why}`]),
  );
  expect([...sourcesOf(file)]).toEqual([file]);
});

it('may have files in a folder that is allowed, and Markdown for a description', () => {
  const file = contractWithin(
    'openapi: 3.1.0\ninfo: { description: { $ref: a.md } }\npaths: { $ref: ../common/a.yaml }\n',
  );
  const [text, common] = [join(dirname(file), 'a.md'), join(dirname(file), '..', 'common', 'a.yaml')];
  mkdirSync(dirname(common));
  for (const each of [text, common]) writeFileSync(each, 'a: 1\n');
  const folders = new Folders(file, [dirname(common)]);
  expect(() => new Sources(file, folders).refuseReferences()).not.toThrow();
  expect([...sourcesOf(file, folders)]).toEqual([file, text, common]);
});

it('are read by the tools as exactly as one file, with its warnings, and places in all of them', () => {
  const file = contractOf(`openapi: 3.1.0
info: { title: Ids, version: 1.0.0 }
paths:
  /id:
    get:
      responses: { '200': { $ref: 'parts.yaml#/id' }, default: { $ref: 'parts.yaml#/failed' } }
`);
  const parts = join(dirname(file), 'parts.yaml');
  writeFileSync(
    parts,
    `id: { description: An id., content: { application/json: { example: 9223372036854775807 } } }
failed: { description: It failed. }
`,
  );
  const { value, place, warnings } = readDocument(file);
  const content = { 'application/json': { example: 9223372036854775807n } };
  expect(value).toMatchObject({
    paths: { '/id': { get: { operationId: 'getId', responses: { '200': { $ref: '#/components/responses/id' } } } } },
    components: { responses: { id: { description: 'An id.', content }, failed: { description: 'It failed.' } } },
  });
  rmSync(parts); // no file is read again for a place
  expect(place(['paths', '/id', 'get', 'responses', 'default', 'description'])).toBe('parts.yaml:2:24');
  expect(warnings.map(([, text]) => text)).toEqual([
    'an operation without operationId is named after its method and path',
  ]);
});

it('are refused where they are not UTF-8', () => {
  const file = contractOf('openapi: 3.1.0\npaths: { /a: { $ref: latin-1.yaml } }\n');
  writeFileSync(join(dirname(file), 'latin-1.yaml'), Buffer.from('get:\n  summary: café\n', 'latin1'));
  expect(() => readDocument(file)).toThrow('latin-1.yaml:2:15 expected UTF-8');
});

it('are refused where they refer to each other in a circle', () => {
  const file = contractOf('openapi: 3.1.0\npaths: { /a: { $ref: circle.yaml } }\n');
  writeFileSync(join(dirname(file), 'circle.yaml'), '$ref: circle.yaml\n');
  expect(() => readDocument(file)).toThrow(
    new ContractProblems(['openapi.yaml:2:22 circle.yaml leads in a circle, or over more than 100 references']),
  );
});

it.each(['__proto__', 'constructor'])(
  'are refused where a reference leads to what every object inherits: %s',
  (name) => {
    const file = contractOf(`openapi: 3.1.0\npaths: { /a: { $ref: 'parts.yaml#/${name}' } }\n`);
    writeFileSync(join(dirname(file), 'parts.yaml'), 'a: {}\n');
    expect(() => readDocument(file)).toThrow(`parts.yaml#/${name} leads nowhere`);
  },
);

it('are refused at the start where a reference leads out of their folder, unless its file is in the bundle', () => {
  const { file, bundle } = severalFiles();
  generate(file, bundle);
  const own = readFileSync(file, 'utf8');
  writeFileSync(file, own.replace('parts/notes.yaml#/path', '/etc/hosts'));
  expect(() => loadContract(file, served)).toThrow(new ContractProblems([`openapi.yaml:3:26 /etc/hosts ${OUT}`]));
  writeFileSync(
    bundle,
    readFileSync(bundle, 'utf8')
      .replace(/^# sha256[^]*?\n(?=openapi)/m, '')
      .replace('\n', `\n${bundleHead(file, sourcesOf(file))}# sha256 ${'0'.repeat(64)} /etc/hosts\n`),
  );
  expect(loadContract(file, served).operations).toHaveLength(1); // the file itself is not read
});

it.each<[what: string, document: object, names: boolean]>([
  ['a reference within', { $ref: '#/components/schemas/A' }, false],
  ['a reference to another host', { $ref: 'https://schemas.example/a.yaml' }, false],
  ['a reference in an example', { example: { $ref: 'a.yaml' }, examples: [{ $ref: 'a.yaml' }] }, false],
  ['a reference in an extension', { 'x-a': { $ref: 'a.yaml' } }, false],
  ['a reference to another file', { $ref: 'a.yaml' }, true],
  ['an example in another file', { examples: { a: { $ref: 'a.yaml#/a' } } }, true],
  ['a property named example', { properties: { example: { $ref: '../a.json' } } }, true],
])('%s makes a contract one of several files, or not', (_what, document, names) => {
  expect(namesOtherFiles(document)).toBe(names);
});

it('of one file are served as they are, whatever bundle is beside them', () => {
  const file = contractOf('openapi: 3.1.0\n');
  mkdirSync(join(dirname(file), 'generated'));
  writeFileSync(join(dirname(file), BUNDLE), 'openapi: 3.0.0\n');
  expect(readServed(file).value).toEqual({ openapi: '3.1.0' });
});

/**
 * The exam on JSON Schema (draft 2020-12): the schemas of https://github.com/json-schema-org/JSON-Schema-Test-Suite, each the body of an
 * operation, and their values sent to a mock, and given to the oracle of the conformance suite.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ExactNumber, messageOf, parseJson, stringifyJson } from '../../src/engine';
import { readContract } from '../../src/tools/conformance/contract';
import { startMock } from '../../src/tools/mock/start';
import { readJson } from '../../src/tools/samples/json';
import { blindSpot, Oracle } from '../../src/tools/samples/oracle';
import { quietOutputs, quietSettings } from '../quiet';

const TESTS = 'tests/draft2020-12';

interface Group {
  description: string;
  schema: unknown;
  tests: readonly { description: string; data: unknown; valid: boolean }[];
}

type Wrong = [test: string, got: string][];

/** A case that was not decided as the suite has it. */
interface Miss {
  by: 'mock' | 'conformance';
  part: string;
  file: string;
  group: string;
  text: string;
  got: string;
}

/** The results of the suite in a folder, as Markdown. */
export async function schemaSuite(folder: string): Promise<string> {
  const cases = new Map<string, number>();
  const misses: Miss[] = [];
  const remotes = remotesIn(folder);
  const scratch = mkdtempSync(join(tmpdir(), 'exam-'));
  const contract = join(scratch, 'openapi.json');
  try {
    for (const [file, isFormat] of filesOf(join(folder, TESTS)))
      for (const group of groupsOf(join(folder, TESTS, file))) {
        const part = partOf(file, isFormat, group);
        if (part === undefined) continue;
        cases.set(part, (cases.get(part) ?? 0) + group.tests.length);
        writeFileSync(contract, stringifyJson(contractOf(group.schema, remotes)));
        const add = (by: Miss['by'], wrong: Wrong): void => {
          for (const [text, got] of wrong) misses.push({ by, part, file, group: group.description, text, got });
        };
        add('mock', await wrongIn(group, contract));
        add('conformance', misjudgedIn(group, contract));
      }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return tablesOf(cases, misses);
}

function* filesOf(tests: string): Generator<[file: string, isFormat: boolean]> {
  for (const name of readdirSync(tests)) if (name.endsWith('.json')) yield [name, false];
  for (const name of readdirSync(join(tests, 'optional/format'))) yield [join('optional/format', name), true];
}

type Schemas = Record<string, object>;

/** The documents that schemas with identifiers refer to: a contract has them as components. */
function remotesIn(folder: string): Schemas {
  const names = ['tree', 'extendible-dynamic-ref', 'detached-dynamicref'];
  const read = (name: string): object =>
    parseJson(readFileSync(join(folder, 'remotes/draft2020-12', `${name}.json`), 'utf8')).value as object;
  return Object.fromEntries(
    names.map((name) => [name, { $id: `http://localhost:1234/draft2020-12/${name}.json`, ...read(name) }]),
  );
}

function groupsOf(file: string): Group[] {
  return parseJson(readFileSync(file, 'utf8')).value as Group[];
}

const IDENTIFIED = /"\$(?:id|anchor|dynamicRef|dynamicAnchor)":/;

function partOf(file: string, isFormat: boolean, { schema }: Group): string | undefined {
  if (isFormat) return 'formats';
  // A contract refers to no document of another host, and its formats are asserted.
  if (/^(?:format|refRemote|vocabulary)\.json$/.test(file)) return undefined;
  return IDENTIFIED.test(stringifyJson(schema)) ? 'identifiers' : 'required';
}

/** The cases of a group that the mock decides otherwise, each with its answer. */
async function wrongIn({ tests }: Group, file: string): Promise<Wrong> {
  let mock;
  try {
    mock = await startMock(file, { seed: 0, lenient: false }, quietSettings, quietOutputs, () => undefined);
  } catch (error) {
    return tests.map(({ description }) => [description, `not served: ${reasonIn(error, file)}`]);
  }
  try {
    const wrong: Wrong = [];
    for (const { description, data, valid } of tests) {
      const headers = { 'content-type': 'application/json', connection: 'close' };
      const { status } = await fetch(`${mock.baseUrl}/value`, { method: 'POST', headers, body: stringifyJson(data) });
      if (status !== (valid ? 204 : 400)) wrong.push([description, `${status}`]);
    }
    return wrong;
  } finally {
    await mock.close();
  }
}

/** The judgement on schemas that the conformance suite reports as not tried. */
const UNTRIED = 'untried';

/** The cases of a group that the oracle of the conformance suite decides otherwise, each with its judgement. */
function misjudgedIn({ tests }: Group, file: string): Wrong {
  try {
    const { document, operations } = readContract(file);
    const content = operations[0]?.body?.content ?? {};
    const blind = blindSpot(document, content);
    if (blind !== undefined) return tests.map(({ description }) => [description, UNTRIED]);
    const schema = content['application/json']?.schema ?? {};
    const oracle = new Oracle(document);
    return tests.flatMap(({ description, data, valid }): Wrong => {
      const fits = oracle.accepts(schema, readJson(stringifyJson(data)));
      return fits === valid ? [] : [[description, fits ? 'fits' : 'does not fit']];
    });
  } catch (error) {
    return tests.map(({ description }) => [description, `cannot judge: ${reasonIn(error, file)}`]);
  }
}

function reasonIn(error: unknown, file: string): string {
  return messageOf(error).replaceAll(dirname(file), '').replaceAll(/\s+/g, ' ');
}

/** The schema as a component: references into it lead there, if it has no `$id`. */
function contractOf(schema: unknown, remotes: Schemas): unknown {
  const content = { 'application/json': { schema: { $ref: VALUE } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Exam', version: '1' },
    paths: {
      '/value': { post: { requestBody: { required: true, content }, responses: { 204: { description: 'valid' } } } },
    },
    components: { schemas: { ...remotes, Value: placed(schema) } },
  };
}

const VALUE = '#/components/schemas/Value';

function placed(value: unknown, key = ''): unknown {
  if (/^\$(?:dynamicR|r)ef$/.test(key) && typeof value === 'string') return value.replace(/^#(?=\/|$)/, VALUE);
  if (key === 'enum' || key === 'const') return value;
  if (Array.isArray(value)) return value.map((each) => placed(each));
  if (!isObject(value) || '$id' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, placed(member, name)]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** Decisions of our own, by the case that meets them. */
const ON_PURPOSE: readonly [pattern: RegExp, why: string][] = [
  [/^default\.json\|/, 'a default that its own schema refuses stops the start'],
  [/"?https:\/\/json-schema\.org/, 'a contract refers to no document of another host'],
];

function whyOf({ file, group, got }: Miss): string {
  const known = ON_PURPOSE.find(([pattern]) => pattern.test(`${file}|${group}|${got}`));
  if (known) return `on purpose: ${known[1]}`;
  return file.startsWith('optional/format/') ? '@hyperjump/json-schema-formats' : 'ours';
}

function tablesOf(cases: ReadonlyMap<string, number>, misses: readonly Miss[]): string {
  const rows = [...cases].map(([part, count]) => {
    const missed = (by: string): Miss[] => misses.filter((miss) => miss.part === part && miss.by === by);
    const judged = missed('conformance').filter(({ got }) => got !== UNTRIED).length;
    const untried = missed('conformance').length - judged;
    return `| ${part} | ${count} | ${count - missed('mock').length} | ${count - untried - judged} | ${untried} |`;
  });
  const cell = (text: string): string => text.replaceAll('|', '\\|').slice(0, 160);
  const wrong = misses.filter(({ got }) => got !== UNTRIED);
  const wrongRows = wrong.map((miss) => {
    const { by, file, group, text, got } = miss;
    return `| ${[by, file, group, text, got, whyOf(miss)].map(cell).join(' | ')} |`;
  });
  return [
    '# JSON Schema Test Suite, draft 2020-12\n',
    '| part | cases | right by the mock | right by the oracle of `npm run conformance` | left untried by it, which it says |',
    '|---|---|---|---|---|',
    ...rows,
    '\n| by | file | schema | case | got | whose fault |\n|---|---|---|---|---|---|',
    ...wrongRows,
    '',
  ].join('\n');
}

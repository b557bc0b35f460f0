import { readYaml } from '../../../src/engine/contract/read-yaml';
import { contractOf } from '../../support/contracts';

it('keeps the names of properties as they are written, also those that other values could be', () => {
  const properties = '{ 01: {}, 1.0: {}, 1e3: {}, 0x1F: {}, null: {}, ~: {}, true: {}, 200: {} }';
  const { value } = readYaml(
    contractOf(`openapi: 3.1.0\na: &a { p: {} }\nb: &b { r: {} }\nc: { <<: *a, <<: *b }\nproperties: ${properties}\n`),
  );
  expect(value).toEqual({
    ...{ openapi: '3.1.0', a: { p: {} }, b: { r: {} }, c: { p: {}, r: {} } },
    properties: Object.fromEntries(['01', '1.0', '1e3', '0x1F', 'null', '~', 'true', '200'].map((name) => [name, {}])),
  });
});

describe('a contract is read to 200 levels', () => {
  const flow = (levels: number): string => `a: ${'['.repeat(levels - 1)}1${']'.repeat(levels - 1)}\n`;
  const block = (levels: number): string =>
    Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:${level === levels - 1 ? ' 1' : ''}\n`).join(
      '',
    );
  it.each([
    ['lists', flow],
    ['objects', block],
  ])('of %s, and no further', (_what, text) => {
    expect(readYaml(contractOf(text(200)), 'a.yaml').value).toHaveProperty('a');
    const read = (): unknown => readYaml(contractOf(text(201)), 'a.yaml');
    expect(read).toThrow('expected at most 200 levels, got more');
  });
});

it.each([
  ['!!omap [a: 1]', 'Map'],
  ['!!set { a }', 'Set'],
  ['!!binary AAAA', 'Uint8Array'],
  ['!!timestamp 2026-01-01', 'Date'],
])('%s is refused, which would be read as an empty object', (text, kind) => {
  expect(() => readYaml(contractOf(`a:\n  b: ${text}\n`), 'a.yaml')).toThrow(
    `a.yaml:2:${text.indexOf(' ') + 7} expected a value as JSON has it, got one of the kind ${kind}: leave out its tag, or put it in quotes`,
  );
});

const times = (count: number, text: string): string => Array<string>(count).fill(text).join(', ');
it.each<[what: string, repeated: number, text: string]>([
  ['of a list', 110_000, `a: &a [${times(99, '1')}]\nb: [${times(1_100, '*a')}]\n`],
  [
    'merged',
    109_000,
    `a: &a { ${Array.from({ length: 54 }, (_, key) => `k${key}: 1`).join(', ')} }\nb: [${times(1_000, '{ <<: *a }')}]\n`,
  ],
  [
    'of one another',
    112_330,
    `a: &a [${times(9, '1')}]\n${['b', 'c', 'd', 'e'].map((name, index) => `${name}: &${name} [${times(10, `*${'abcd'[index]}`)}]\n`).join('')}`,
  ],
  ['of a list of 50,000', 100_001, `a: &a 1\nb: &b [${times(50_000, '*a')}]\nc: *b\n`],
])('aliases %s that repeat too much are refused', (_what, repeated, text) => {
  expect(() => readYaml(contractOf(text), 'a.yaml')).toThrow(
    `a.yaml:1:1 expected aliases that repeat at most 100000 values, got ${repeated}`,
  );
});

it('an alias of what a merge takes is read, and a merge of no object refused', () => {
  const text = 'a: { <<: &m { p: [1] }, <<: [&n { q: 2 }, *m] }\nb: *m\nc: { <<: *n }\nd: *n\n';
  const [m, n] = [{ p: [1] }, { q: 2 }];
  expect(readYaml(contractOf(text)).value).toEqual({ a: { ...m, ...n }, b: m, c: n, d: n });
  expect(() => readYaml(contractOf('a: &a [1]\nb: { <<: *a, c: 1 }\n'), 'a.yaml')).toThrow(
    'a.yaml:1:1 Merge sources must be maps or map aliases',
  );
});

it('20,000 aliases of as many anchors, and of a list of them, are read', () => {
  const anchors = Array.from({ length: 20_000 }, (_, index) => index);
  const text = `a: [${anchors.map((index) => `&a${index} ${index}`).join(', ')}]\nb: &b [${anchors.map((index) => `*a${index}`).join(', ')}]\nc: *b\n`;
  expect(readYaml(contractOf(text), 'a.yaml').value).toEqual({ a: anchors, b: anchors, c: anchors });
});

it('a second document in a file is refused, with its place', () => {
  expect(() => readYaml(contractOf('a: 1\n---\nb: 2\n'), 'a.yaml')).toThrow(
    'a.yaml:2:1 expected one document in a file',
  );
});

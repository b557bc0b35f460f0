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

it('a second document in a file is refused, with its place', () => {
  expect(() => readYaml(contractOf('a: 1\n---\nb: 2\n'), 'a.yaml')).toThrow(
    'a.yaml:2:1 expected one document in a file',
  );
});

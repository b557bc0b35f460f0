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

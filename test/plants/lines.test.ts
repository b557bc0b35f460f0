import { columnDefaults } from '../../src/plants/columns';
import { lineOf, plantOf, readLines } from '../../src/plants/commands/lines';
import { defaults } from './contract-plants';

it('a plant is the plant of its line', () => {
  const line = '{"id":-9223372036854775808,"name":"line\\nand \\"quote\\" \\\\","tag":"🌵"}';
  expect(lineOf(plantOf(Buffer.from(line)))).toBe(line);
});

it('a line of an export of before has the defaults of the contract, which columnDefaults has', () => {
  expect(columnDefaults).toEqual(defaults);
  expect(plantOf(Buffer.from('{"id":1,"name":"Aloe"}'))).toEqual({ ...defaults, id: 1n, name: 'Aloe' });
});

it('a line may be as long as a body', () => {
  const plant = { id: 1n, name: 'x'.repeat(12_000_000) };
  expect(plantOf(Buffer.from(lineOf(plant)))).toEqual(plant);
});

it.each([
  ['no UTF-8', '{"id":2,"name":"\xc4"}', 'expected UTF-8'],
  ['no JSON', 'x', 'expected a value at offset 0'],
  ['no object', '[1]', 'expected an object'],
  ['no id', '{"name":"Aloe"}', 'expected an int64 as id'],
  ['an id beyond int64', '{"id":9223372036854775808,"name":"Aloe"}', 'expected an int64 as id'],
  ['a name that is no text', '{"id":2,"name":2}', 'expected text without U+0000 as name'],
  ['text that no store keeps', '{"id":2,"name":"Aloe","tag":"\\u0000"}', 'expected text without U+0000 as tag'],
  [
    'a property that would be lost',
    '{"id":2,"name":"Aloe","age":5}',
    'expected no property "age", which would be lost',
  ],
])('a line with %s is no plant', (_what, line, expected) => {
  expect(() => plantOf(Buffer.from(line, 'latin1'))).toThrow(expected);
});

it('a line without an end is not kept in memory', async () => {
  await expect(readLines('/dev/zero').next()).rejects.toThrow('expected lines of at most 134217728 bytes');
});

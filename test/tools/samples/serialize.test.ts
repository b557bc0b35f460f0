/** Parameters as they are written into a request, and the values that their texts may be read as. */
import { type Json, readJson } from '../../../src/tools/samples/json';
import { readings, serialize } from '../../../src/tools/samples/serialize';

it.each<[string, 'query' | 'querystring', string, Json, string[] | undefined]>([
  ['JSON', 'query', 'application/json', 'a b', ['q=%22a%20b%22']],
  ['a text', 'query', 'text/plain', 'a b', ['q=a%20b']],
  ['no text that may be taken for none', 'query', 'text/plain', '', undefined],
  ['no text for null', 'query', 'text/plain', null, undefined],
  ['a text as the whole query', 'querystring', 'application/jsonpath', '$.a', ['%24.a']],
])('of a media type: %s', (_what, place, mediaType, value, query) => {
  const parameter = { name: 'q', in: place, content: { [mediaType]: { schema: {} } } };
  expect(serialize(parameter, value)).toEqual(query && { query });
});

it.each([
  ['5.0', '5'],
  ['5e0', '5'],
  ['-9007199254740993.0', '-9007199254740993'],
  ['1e300', '1e300'],
  ['1.5', '1.5'],
])('the number %s is written %s, as all readers of texts take it', (number, text) => {
  expect(serialize({ name: 'q', in: 'query' }, readJson(`[${number}]`))).toEqual({ query: [`q=${text}`] });
});

it.each([
  ['numbers', '["1","2","3","4","5","6"]', '[1,2,3,4,5,6]'],
  ['numbers of which one is written as it is', '[1,2,3,4,5,"6"]', '[1,2,3,4,5,6]'],
  ['booleans', '["true","true","true","true","false"]', '[true,true,true,true,false]'],
  ['texts', '[1,2,3,4,5,6]', '["1","2","3","4","5","6"]'],
])('a list may be read as one of %s, however many they are', (_what, sent, read) => {
  expect(readings(readJson(sent))).toContainEqual(readJson(read));
});

it.each([
  ['{"o":["a"]}', '{"o":"a"}'],
  ['{"o":["5"]}', '{"o":5}'],
  ['{"o":["5","6"]}', '{"o":[5,6]}'],
  ['{"o":"5"}', '{"o":[5]}'],
  ['["a","5","b","true"]', '{"a":5,"b":true}'],
  ['["a=5","b=c=d"]', '{"a":5,"b":"c=d"}'],
  ['""', '{}'],
  ['[""]', '[]'],
])('%s may be read as %s', (sent, read) => {
  expect(readings(readJson(sent))).toContainEqual(readJson(read));
});

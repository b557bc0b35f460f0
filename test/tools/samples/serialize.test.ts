/** Parameters whose text has a media type, as they are written into a request. */
import type { Json } from '../../../src/tools/samples/json';
import { serialize } from '../../../src/tools/samples/serialize';

it.each<[string, 'query' | 'querystring', string, Json, string[] | undefined]>([
  ['JSON', 'query', 'application/json', 'a b', ['q=%22a%20b%22']],
  ['a text', 'query', 'text/plain', 'a b', ['q=a%20b']],
  ['no text that may be taken for none', 'query', 'text/plain', '', undefined],
  ['no text for null', 'query', 'text/plain', null, undefined],
  ['a text as the whole query', 'querystring', 'application/jsonpath', '$.a', ['%24.a']],
])('%s', (_what, place, mediaType, value, query) => {
  const parameter = { name: 'q', in: place, content: { [mediaType]: { schema: {} } } };
  expect(serialize(parameter, value)).toEqual(query && { query });
});

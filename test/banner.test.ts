import { banner } from '../src/banner';
import { loadContract } from '../src/contract/rules';
import { canRead } from '../src/http/media-type';
import { contractOf } from './support/contracts';

/** The curl line for an operation with this media type of its body, secured by this scheme. */
function curlFor(content: string, scheme?: string): string | undefined {
  const contract = contractOf(`
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
${scheme === undefined ? '' : 'security: [{ key: [] }]'}
paths:
  /notes:
    post: { operationId: addNote, requestBody: { content: { ${content} } }, responses: { '200': { description: Added. } } }
components:
  examples: { note: { value: { id: 9007199254740993, text: "It's" } } }
  securitySchemes: { ${scheme === undefined ? '' : `key: ${scheme}`} }
`);
  const kinds = { key: { scheme: (scheme ?? '').includes('type: http') ? 'http bearer' : 'apiKey' } };
  const verifiers = scheme === undefined ? {} : kinds;
  const loaded = loadContract(contract, { handlers: ['addNote'], verifiers, canRead });
  return /^Try it: (?<line>.*)$/m.exec(banner(loaded, 'http://localhost:3000', { token: 'secret', docs: false }))
    ?.groups?.line;
}

const NOTE = `-d '{"id":9007199254740993,"text":"It'\\''s"}'`;
const JSON_TYPE = "-H 'Content-Type: application/json'";

describe('the line to try the service with', () => {
  it.each<[what: string, content: string, scheme: string | undefined, options: string]>([
    [
      'an example behind a reference',
      "application/json: { examples: { note: { $ref: '#/components/examples/note' } } }",
      undefined,
      `${JSON_TYPE} ${NOTE}`,
    ],
    ['a single example', 'application/json: { example: { id: 1 } }', undefined, `${JSON_TYPE} -d '{"id":1}'`],
    ['an example of text', 'text/plain: { example: "a: b" }', undefined, `-H 'Content-Type: text/plain' -d 'a: b'`],
    [
      'a bearer token',
      'application/json: { example: {} }',
      '{ type: http, scheme: Bearer }',
      `-H "Authorization: Bearer secret" ${JSON_TYPE} -d '{}'`,
    ],
    [
      'an API key in a header',
      'application/json: { example: {} }',
      '{ type: apiKey, in: header, name: X-Key }',
      `-H "X-Key: $API_KEY" ${JSON_TYPE} -d '{}'`,
    ],
  ])('has %s', (_what, content, scheme, options) => {
    expect(curlFor(content, scheme)).toBe(`curl -i -X POST http://localhost:3000/notes ${options}`);
  });

  it.each([
    ['stands elsewhere', 'application/json: { examples: { note: { externalValue: "https://example.com/note" } } }'],
    [
      'is a reference that leads nowhere',
      "application/json: { examples: { note: { $ref: '#/components/examples/other' } } }",
    ],
    ['is not there', 'application/json: {}'],
  ])('is left out where the example %s', (_what, content) => {
    expect(curlFor(content)).toBeUndefined();
  });
});

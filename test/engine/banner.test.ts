import { parse } from 'yaml';
import { bannerOf, bannerText } from '../../src/engine/banner';
import { schemeKind, type SecurityScheme } from '../../src/engine/contract/document';
import type { Contract } from '../../src/engine/contract/operations';
import { loadContract } from '../../src/engine/rules/load-contract';
import { canRead } from '../../src/engine/contract/media-type';
import { contractOf } from '../support/contracts';
import { table } from '../support/table';

interface Notes {
  /** The media types of the body, in YAML. */
  content: string;
  /** The security scheme, if there is one. */
  scheme?: string | undefined;
  /** More of the operation. */
  more?: string;
}

/** A contract with one operation. */
function notes({ content, scheme, more = '' }: Notes): Contract {
  const file = contractOf(`
${scheme === undefined ? '' : 'security: [{ key: [] }]'}
paths:
  /notes:
    post: { operationId: addNote, ${more} requestBody: { content: { ${content} } }, responses: { '200': { description: Added. } } }
components:
  examples: { note: { value: { id: 9007199254740993, text: "It's" } } }
  securitySchemes: { ${scheme === undefined ? '' : `key: ${scheme}`} }
`);
  const verifiers = scheme === undefined ? {} : { key: { scheme: schemeKind(parse(scheme) as SecurityScheme) } };
  return loadContract(file, { handlers: ['addNote'], verifiers, canRead });
}

function lineOf(contract: Contract, token: string | null = 'secret'): string | undefined {
  return bannerOf(contract, 'http://localhost:3000', { token: token ?? undefined, docs: false }).curl;
}

/** The curl line for an operation with this media type of its body, secured by this scheme. */
function curlFor(content: string, scheme?: string): string | undefined {
  return lineOf(notes({ content, scheme }));
}

const NOTE = `-d '{"id":9007199254740993,"text":"It'\\''s"}'`;
const EMPTY = 'application/json: { example: {} }';
const JSON_TYPE = "-H 'Content-Type: application/json'";

describe('the line to try the service with', () => {
  it.each(table`
    an example behind a reference | application/json: { examples: { note: { $ref: '#/components/examples/note' } } }
      | ${JSON_TYPE} ${NOTE}
    a single example | application/json: { example: { id: 1 } } | ${JSON_TYPE} -d '{"id":1}'
    an example of text | text/plain: { example: "a: b" } | -H 'Content-Type: text/plain' -d 'a: b'
    a text in JSON | application/json: { example: "a" } | ${JSON_TYPE} -d '"a"'
    a text that curl would take for the name of a file | text/plain: { example: "@ada" }
      | -H 'Content-Type: text/plain' --data-raw '@ada'
  `)('has %s', (_what, content, options) => {
    expect(curlFor(content)).toBe(`curl -i -X POST http://localhost:3000/notes ${options}`);
  });

  it.each(table`
    a bearer token | { type: http, scheme: Bearer } | -H "Authorization: Bearer secret"
    an API key in a header | { type: apiKey, in: header, name: X-Key } | -H "X-Key: secret"
    a user and a password | { type: http, scheme: Basic } | -u "one-off:secret"
    a token of OpenID Connect
      | { type: openIdConnect, openIdConnectUrl: "https://issuer.example/.well-known/openid-configuration" }
      | -H "Authorization: Bearer secret"
  `)('has %s', (_what, scheme, credential) => {
    const options = `${credential} ${JSON_TYPE} -d '{}'`;
    expect(curlFor(EMPTY, scheme)).toBe(`curl -i -X POST http://localhost:3000/notes ${options}`);
  });

  it.each([
    ['{ type: http, scheme: bearer }', `-H "Authorization: Bearer $TOKEN"`],
    ['{ type: apiKey, in: header, name: X-Key }', `-H "X-Key: $API_KEY"`],
    ['{ type: http, scheme: basic }', `-u "$USERNAME:$PASSWORD"`],
  ])('leaves the credential of %s to a variable where none was made', (scheme, credential) => {
    const line = lineOf(notes({ content: EMPTY, scheme }), null);
    expect(line).toBe(`curl -i -X POST http://localhost:3000/notes ${credential} ${JSON_TYPE} -d '{}'`);
  });

  it.each(table`
    stands elsewhere | application/json: { examples: { note: { externalValue: "https://example.com/note" } } }
    is a reference that leads nowhere | application/json: { examples: { note: { $ref: '#/components/examples/other' } } }
    is not there | application/json: {}
  `)('is left out where the example %s', (_what, content) => {
    expect(curlFor(content)).toBeUndefined();
  });

  it.each([
    ['an API key in a header of which a shell makes another', '{ type: apiKey, in: header, name: X-`id` }'],
    ['an API key in the query', '{ type: apiKey, in: query, name: key }'],
    ['an HTTP scheme other than bearer and basic', '{ type: http, scheme: Digest }'],
    ['a client certificate', '{ type: mutualTLS }'],
  ])('is left out where the credential is %s', (_what, scheme) => {
    expect(curlFor(EMPTY, scheme)).toBeUndefined();
  });

  it('is left out where a parameter is required, and there where one is not', () => {
    const withParameter = (required: boolean): Contract => {
      const parameter = `{ name: page, in: query, required: ${required}, schema: { type: string } }`;
      return notes({ content: EMPTY, more: `parameters: [${parameter}],` });
    };
    expect(lineOf(withParameter(true))).toBeUndefined();
    expect(lineOf(withParameter(false))).toBe(`curl -i -X POST http://localhost:3000/notes ${JSON_TYPE} -d '{}'`);
  });

  it('is for the first alternative of the credentials, and left out where that needs several', () => {
    const contract = notes({ content: EMPTY });
    const [operation] = contract.operations;
    if (!operation) throw new Error('the contract has no operation');
    const securitySchemes = { one: { type: 'http', scheme: 'bearer' }, other: { type: 'http', scheme: 'basic' } };
    const secured = (...security: Record<string, string[]>[]): Contract => ({
      ...contract,
      document: { ...contract.document, components: { securitySchemes } },
      operations: [{ ...operation, security }],
    });
    expect(lineOf(secured({ one: [], other: [] }))).toBeUndefined();
    expect(lineOf(secured({ one: [] }, { other: [] }))).toContain('-H "Authorization: Bearer secret"');
    expect(lineOf(secured({}))).toBe(`curl -i -X POST http://localhost:3000/notes ${JSON_TYPE} -d '{}'`);
  });

  it.each(table`
    that has a body that can be sent | application/json: { example: 1 }
      | -X POST http://localhost:3000/notes ${JSON_TYPE} -d '1'
    that gets something, if none has an example | application/json: {} | http://localhost:3000/notes
  `)('is of the first operation %s, and shows no token that nothing asks for', (_which, content, line) => {
    const contract = contractOf(`
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: All. } } }
    post:
      operationId: addNote
      requestBody: { content: { ${content} } }
      responses: { '200': { description: Added. } }
`);
    const loaded = loadContract(contract, { handlers: ['listNotes', 'addNote'], verifiers: {}, canRead });
    expect(bannerText(bannerOf(loaded, 'http://localhost:3000', { token: 'secret', docs: false }))).toBe(
      `Notes 1.0.0 at http://localhost:3000\nTry it: curl -i ${line}\n`,
    );
  });

  it('is one line, as is the title, whatever names the contract has: CI acts on lines such as ::error::', () => {
    const operation = "{ get: { operationId: list, responses: { '200': { description: All. } } } }";
    const file = contractOf(`
paths: { "/a\\n::error::": ${operation} }
`);
    const loaded = loadContract(file, { handlers: ['list'], verifiers: {}, canRead });
    loaded.document.info.title = 'Notes\n::error::';
    expect(bannerText(bannerOf(loaded, 'http://localhost:3000', { token: undefined, docs: false }))).toBe(
      'Notes?::error:: 1.0.0 at http://localhost:3000\nTry it: curl -i http://localhost:3000/a%0A::error::\n',
    );
  });
});

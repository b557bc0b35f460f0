import { digestOf } from '../../../src/engine/contract/digest';
import type { Document } from '../../../src/engine/contract/document';
import { operationsOf, serverPath } from '../../../src/engine/contract/operations';

const document: Document = { openapi: '3.1.0', info: { title: 'Notes', version: '1.0.0' } };

describe('the path of the first server', () => {
  it.each<[what: string, servers: Document['servers'], path: string]>([
    ['of a contract without servers', undefined, ''],
    ['of an empty list', [], ''],
    ['of the root', [{ url: '/' }], ''],
    ['of a host alone', [{ url: 'https://example.com' }], ''],
    ['of a path', [{ url: '/v1/' }, { url: '/v2' }], '/v1'],
    ['of a host and a path', [{ url: 'https://example.com:8443/garden/v1' }], '/garden/v1'],
    ['of a host without a scheme', [{ url: 'localhost:8080/v1' }], '/v1'],
    ['of a host without a scheme or a path', [{ url: 'localhost:8080' }], ''],
    ['with variables', [{ url: '{a}/{v}', variables: { a: { default: '/a' }, v: { default: 'v1' } } }], '/a/v1'],
    ['with a variable that is not declared, which stays as it is', [{ url: '/{version}' }], '/%7Bversion%7D'],
  ])('%s', (_what, servers, path) => {
    expect(serverPath(servers === undefined ? document : { ...document, servers })).toBe(path);
  });
});

describe('the operations of a document', () => {
  it('are none where it has no paths', () => {
    expect(operationsOf(document)).toEqual([]);
  });

  it('have the parameters of their path but those that they have of their own, and the security of the document', () => {
    const id = { name: 'id', in: 'path' as const, required: true };
    const shared = [id, { name: 'page', in: 'query' as const }];
    const own = { name: 'page', in: 'query' as const, required: true };
    const header = { name: 'page', in: 'header' as const };
    const requestBody = { content: { 'text/plain': {} } };
    const [operation, ...others] = operationsOf({
      ...document,
      security: [{ key: [] }],
      paths: { '/notes/{id}': { parameters: shared, put: { parameters: [own, header], requestBody } } },
    });
    const lengths = new Map();
    expect(operation).toEqual({
      forms: new Map(),
      xml: new Set(),
      lifecycle: { isDeprecated: false, headers: {}, faults: [] },
      id: 'PUT /notes/{id}',
      method: 'PUT',
      path: '/notes/{id}',
      at: ['paths', '/notes/{id}', 'put'],
      parameters: [own, header, { name: 'id', in: 'path', required: true }],
      ids: ['id'],
      requestBody,
      body: {
        required: false,
        mediaTypes: ['text/plain'],
        bytes: [],
        forms: new Map(),
        json: [],
        sequences: [],
        takesParts: false,
        takesCoded: false,
        lengths,
      },
      responses: {},
      security: [{ key: [] }],
    });
    expect(others).toEqual([]);
  });
});

it('the digest of a document tells an integer that is no double from the nearest one, and from text', () => {
  const digests = [
    { maximum: 9007199254740993n },
    { maximum: 9007199254740992n },
    { maximum: 9007199254740992 },
    { maximum: '9007199254740993' },
  ].map(digestOf);
  expect(new Set(digests).size).toBe(4);
  expect(digestOf({ maximum: 9007199254740993n })).toBe(digests[0]);
});

/** A contract of OpenAPI 3.2, with the words that version has and 3.1 has not. */
import { expectError } from '../support/errors';
import { notingService } from '../support/noting-service';

const CONTRACT = `
openapi: 3.2.0
$self: https://notes.example/openapi
info: { title: Notes, version: 1.0.0 }
servers: [{ url: /, name: here }]
tags: [{ name: notes, summary: Notes, parent: all, kind: nav }, { name: all }]
paths:
  /notes:
    query:
      operationId: findNotes
      requestBody: { required: true, content: { application/json: { $ref: '#/components/mediaTypes/Filter' } } }
      responses: { '204': { summary: Found. } }
    additionalOperations:
      LINK:
        operationId: linkNotes
        security: [{ '#/components/securitySchemes/key': [] }]
        responses: { '204': {} }
  /form:
    get:
      operationId: byForm
      parameters:
        - name: filter
          in: querystring
          content:
            application/x-www-form-urlencoded:
              schema: { type: object, required: [size], properties: { size: { $ref: 'https://notes.example/openapi#/components/schemas/Size' } }, additionalProperties: false }
      responses: { '204': {} }
  /json:
    get:
      operationId: byJson
      parameters: [{ name: filter, in: querystring, content: { application/json: { schema: { type: object, required: [size], properties: { size: { $ref: '#/components/schemas/Size' } } } } } }]
      responses: { '204': {} }
  /cookies:
    get:
      operationId: byCookies
      parameters: [{ name: cookies, in: cookie, style: cookie, schema: { type: object, properties: { theme: { type: string }, size: { type: integer } } } }]
      responses: { '204': {} }
components:
  mediaTypes: { Filter: { schema: { type: object, required: [size], properties: { size: { $ref: '#/components/schemas/Size' } } } } }
  schemas: { Size: { type: integer, format: int64 } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key, deprecated: true }
    device: { type: oauth2, oauth2MetadataUrl: https://id.example/meta, flows: { deviceAuthorization: { deviceAuthorizationUrl: https://id.example/device, tokenUrl: https://id.example/token, scopes: {} } } }
`;

describe('a contract of OpenAPI 3.2', () => {
  const noting = notingService(CONTRACT);
  const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${noting.service.port}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
    });

  it('takes a QUERY with a body, whose media type may be a component', async () => {
    expect(await send('QUERY', '/notes', '{"size":9223372036854775807}')).toMatchObject({ status: 204 });
    expect(noting.seen).toMatchObject({ operation: 'findNotes', body: { size: 9223372036854775807n } });
    const refused = await send('QUERY', '/notes', '{}');
    const error = { error: 40002, message: '/body/size: expected a value, got nothing' };
    expect([refused.status, await refused.json()]).toEqual([400, error]);
  });

  it('allows the methods of additionalOperations, and lists them', async () => {
    const { status, headers } = await send('GET', '/notes');
    expect([status, headers.get('Allow')]).toEqual([405, 'QUERY, LINK']);
  });

  it('finds a security scheme by its place', async () => {
    expect((await send('LINK', '/notes')).status).toBe(401);
  });

  it('reads a query string that is a form as the object that it describes', async () => {
    expect((await noting.get('/form?size=5')).status).toBe(204);
    expect(noting.seen?.query).toEqual({ filter: { size: 5n } });
    const message = '/query/more: expected no parameter of this name, got one';
    expectError(await noting.get('/form?size=5&more=1'), 40002, message);
  });

  it('reads a query string that is JSON', async () => {
    expect((await noting.get('/json?%7B%22size%22%3A5%7D')).status).toBe(204);
    expect(noting.seen?.query).toEqual({ filter: { size: 5n } });
    expectError(await noting.get('/json?%7B%7D'), 40002, '/query/filter/size: expected a value, got nothing');
    const message = '/query/filter: expected JSON: expected a value at line 1, column 1, got another text';
    expectError(await noting.get('/json?size=5'), 40002, message);
    expect((await noting.get('/json')).status).toBe(204);
  });

  it('reads a cookie of style cookie as it is, percent signs included', async () => {
    expect((await noting.get('/cookies', { Cookie: 'theme=dark%20red; size=2' })).status).toBe(204);
    expect(noting.seen?.cookie).toEqual({ cookies: { theme: 'dark%20red', size: 2 } });
  });
});

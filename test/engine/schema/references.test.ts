/** Schemas that refer to others: what stands beside a reference, or behind several, holds as well. */
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { table } from '../../support/table';

let answer: object;
const noting = notingService(
  `
paths:
  /pets:
    post:
      operationId: addPet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Request' } } } }
      responses: { '200': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Answer' } } } } }
  /lists:
    post:
      operationId: addList
      requestBody:
        required: true
        content:
          application/jsonl: { schema: { $ref: '#/components/schemas/Names', maxItems: 2 } }
          application/x-ndjson: { schema: { allOf: [{ $ref: '#/components/schemas/Names' }], minItems: 2 } }
          application/octet-stream: { schema: { $ref: '#/components/schemas/Bytes', maxLength: 3 } }
      responses: { '204': { description: Added. } }
  /cards:
    post:
      operationId: addCard
      requestBody:
        required: true
        content:
          application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Card', minProperties: 2 }, { $ref: '#/components/schemas/Bank', minProperties: 2 }], discriminator: { propertyName: kind } } }
          application/xml: { schema: { $ref: '#/components/schemas/Card', required: [token] } }
      responses: { '204': { description: Added. } }
components:
  schemas:
    Card: { type: object, required: [kind], properties: { kind: { type: string }, token: { type: string } } }
    Bank: { type: object, required: [kind], properties: { kind: { type: string }, code: { type: string } } }
    Pet: { type: object, properties: { id: { type: integer }, size: { $ref: '#/components/schemas/Described' } } }
    Stored: { $ref: '#/components/schemas/Pet', required: [id], properties: { status: { enum: [old, new] } } }
    Request: { $ref: '#/components/schemas/Stored' }
    Answer: { $ref: '#/components/schemas/Stored' }
    Described: { $ref: '#/components/schemas/Size', description: How large it is. }
    Size: { type: integer, default: 7 }
    Names: { type: array, items: { type: string, maxLength: 5 } }
    Bytes: { type: string, format: binary }
`,
  async ({ body, mediaType }) => {
    if (mediaType === 'application/octet-stream') await (body as { bytes: () => Promise<unknown> }).bytes();
    else if (Symbol.asyncIterator in Object(body)) for await (const each of body as AsyncIterable<unknown>) void each;
    return noting.seen?.operation === 'addPet' ? { status: 200, body: answer } : { status: 204 };
  },
);

it('holds a request to the keywords beside a reference, and fills in a default behind a described one', async () => {
  answer = { id: 1 };
  expect(await noting.send('/pets', '{"id":1,"status":"old"}')).toMatchObject({ status: 200, body: '{"id":1}' });
  expect(noting.seen?.body).toEqual({ id: 1, status: 'old', size: 7 });
  expectError(
    await noting.send('/pets', '{"status":"lost"}'),
    40002,
    '/body/id: expected a value, got nothing; /body/status: expected one of old, new, got "lost"',
  );
});

it.each([{ size: 1 }, { id: 1, status: 'lost' }])('holds an answer to them as well: %p is not sent', async (wrong) => {
  answer = wrong;
  expectError(await noting.send('/pets', '{"id":1}'), 50001, 'internal error');
});

it.each(table`
  application/jsonl | "a"${'\n'}"b" | taken
  application/jsonl | "a"${'\n'}"b"${'\n'}"c" | /body: expected at most 2 items, got more
  application/jsonl | "too long" | /body/0: expected at most 5 characters, got 8 in "too long"
  application/x-ndjson | "a" | /body: expected at least 2 items, got 1
  application/x-ndjson | "a"${'\n'}"b"${'\n'}"c" | taken
  application/octet-stream | abc | taken
`)('holds a body of %s to the list or the bytes that it refers to: %s', async (mediaType, body, message) => {
  const response = await noting.send('/lists', body, mediaType);
  if (message === 'taken') expect(response).toMatchObject({ status: 204 });
  else expectError(response, 40002, message);
});

it('refuses more bytes than the keyword beside a reference allows', async () => {
  expectError(
    await noting.send('/lists', 'abcd', 'application/octet-stream'),
    41301,
    'expected a body of at most 3 bytes',
  );
});

it('finds the branch of a discriminator that keywords stand beside', async () => {
  const card = '{"kind":"Card","token":"t"}'; // which fits Bank as well
  expect(await noting.send('/cards', card)).toMatchObject({ status: 204 });
});

it('names the element of XML by a component that keywords stand beside', async () => {
  const xml = '<Card><kind>a</kind><token>t</token></Card>';
  expect(await noting.send('/cards', xml, 'application/xml')).toMatchObject({ status: 204 });
  expectError(
    await noting.send('/cards', xml.replaceAll('Card', 'Bank'), 'application/xml'),
    40002,
    '/body: expected the element Card, got another',
  );
});

import type { HandlerAnswer } from '../../../src/engine/contract/handler-types';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';

/** Answers in every way that a contract can declare them. */
let given: HandlerAnswer;
const noting = notingService(
  `
openapi: 3.1.0
info: { title: Answers, version: 1.0.0 }
paths:
  /answer:
    get:
      operationId: answer
      responses:
        '200': { description: JSON., content: { application/json: { schema: { $ref: '#/components/schemas/Car' } } } }
        '201':
          description: JSON or text.
          content: { application/json: { schema: { type: object } }, text/plain: { schema: { type: string, maxLength: 5 } } }
        '202':
          description: Anything.
          headers: { cache-control: { schema: { type: string } } }
          content: { application/json: {} }
        '204':
          description: Nothing.
          headers: { Location: { $ref: '#/components/headers/Location' }, X-Any: { content: { text/plain: {} } } }
        4XX: { $ref: '#/components/responses/Refused' }
        default: { $ref: '#/components/responses/Other' }
components:
  schemas:
    Car: { type: object, properties: { constructor: { type: string } } } # which every object inherits
  headers:
    Location: { required: true, schema: { type: string, pattern: '^/' } }
  responses:
    Refused: { description: Refused., content: { application/json: { schema: { type: object, required: [message] } } } }
    Other: { description: Anything else., content: { application/json: { schema: { type: object, required: [message] } } } }
`,
  () => given,
);
const get = () => noting.get('/answer');

describe('an answer', () => {
  it.each<[answer: HandlerAnswer, headers: object, body: string]>([
    [{ status: 200, body: { a: 1 } }, { 'content-type': 'application/json' }, '{"a":1}'],
    [{ status: 200, mediaType: 'application/json', body: {} }, { 'content-type': 'application/json' }, '{}'],
    [{ status: 201, mediaType: 'application/json', body: {} }, { 'content-type': 'application/json' }, '{}'],
    [
      { status: 201, mediaType: 'text/plain', body: 'é🌵' },
      { 'content-type': 'text/plain', 'content-length': '6' },
      'é🌵',
    ],
    [{ status: 202, body: 'text' }, { 'content-type': 'application/json' }, '"text"'],
    [{ status: 202, body: null }, { 'content-type': 'application/json' }, 'null'],
    // In the place of the server's own, which is spelled otherwise.
    [{ status: 202, body: 1, headers: { 'cache-control': 'max-age=60' } }, { 'cache-control': 'max-age=60' }, '1'],
    [{ status: 204, headers: { Location: '/1' } }, { location: '/1' }, ''],
    [{ status: 204, headers: { Location: '/1', 'X-Any': 5n } }, { location: '/1', 'x-any': '5' }, ''],
    [{ status: 418, body: { message: 'tea' } }, { 'content-type': 'application/json' }, '{"message":"tea"}'],
    [{ status: 503, body: { message: 'later' } }, { 'content-type': 'application/json' }, '{"message":"later"}'],
  ])('%j is in the contract', async (answer, headers, body) => {
    given = answer;
    expect(await get()).toMatchObject({ status: answer.status, headers, body });
  });

  it.each<[answer: HandlerAnswer, problem: string]>([
    [{ status: 200 }, 'the body is missing'],
    [{ status: 200, body: [] }, 'the body must be object'],
    [{ status: 200, mediaType: 'text/plain', body: '' }, 'media type text/plain is not declared'],
    [{ status: 201, mediaType: 'text/plain', body: '123456' }, 'the body must NOT have more than 5 characters'],
    [{ status: 201, mediaType: 'text/html', body: '' }, 'media type text/html is not declared'],
    [{ status: 204 }, "headers must have required property 'Location'"],
    [{ status: 204, headers: { Location: 'x' } }, 'headers/Location must match pattern'],
    [{ status: 204, headers: { Location: '/', Other: 'x' } }, 'headers must NOT have additional properties'],
    [{ status: 204, headers: { Location: '/' }, body: '' }, 'a body is not declared'],
    [{ status: 404, body: {} }, "the body must have required property 'message'"],
    [{ status: 500, body: 'broken' }, 'the body must be object'],
  ])('%j is not in the contract, and not sent', async (answer, problem) => {
    noting.service.logged.length = 0;
    given = answer;
    expectError(await get(), 50001, 'internal error');
    expect(JSON.stringify(noting.service.logged)).toContain(`the answer of answer is not in the contract: ${problem}`);
  });
});

/** What handlers get for a number in schemas with branches: the branch that is accepted decides, and one that was refused leaves nothing. */
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';

const noting = notingService(`
paths:
  /gardens: { post: { operationId: create, requestBody: { $ref: '#/components/requestBodies/Garden' }, responses: { '204': { description: Seen. } } } }
components:
  requestBodies:
    Garden: { content: { application/json: { schema: { $ref: '#/components/schemas/Garden' } } } }
  schemas:
    Garden:
      type: object
      properties:
        either: { oneOf: [{ $ref: '#/components/schemas/Exact' }, { $ref: '#/components/schemas/Rough' }] }
        any: { anyOf: [{ $ref: '#/components/schemas/Exact' }, { $ref: '#/components/schemas/Rough' }] }
        nested: { oneOf: [{ properties: { in: { $ref: '#/components/schemas/Exact' }, at: { const: 1 } } }, { properties: { in: { $ref: '#/components/schemas/Garden/properties/either' }, at: { const: 2 } } }] }
        listed: { oneOf: [{ type: array, items: { $ref: '#/components/schemas/Id' } }, { type: array, items: { type: number }, contains: { const: 0.5 } }] }
        whole: { oneOf: [{ properties: { size: { type: integer }, kind: { const: exact } } }, { properties: { size: { type: number }, kind: { const: rough } } }] }
        tested: { type: number, if: { $ref: '#/components/schemas/Id' }, then: { minimum: 5 } }
        refused: { type: object, properties: { size: { type: number } }, not: { properties: { size: { $ref: '#/components/schemas/Id' }, kind: { const: exact } } } }
        searched: { type: array, items: { type: number }, contains: { $ref: '#/components/schemas/Id' } }
        broken: { type: object, properties: { id: { $ref: '#/components/schemas/Id' }, note: { type: string, default: none } } }
        filled: { allOf: [{ $ref: '#/components/schemas/Garden/properties/any' }, { properties: { more: { default: 1 } } }] }
        dependent: { type: object, dependentSchemas: { exact: { properties: { id: { $ref: '#/components/schemas/Id' } } } } }
        rest: { anyOf: [{ $ref: '#/components/schemas/Rough' }, { required: [id] }], properties: { size: { type: number } }, unevaluatedProperties: { $ref: '#/components/schemas/Id' } }
        further: { allOf: [{ prefixItems: [{ type: number }] }], unevaluatedItems: { $ref: '#/components/schemas/Id' } }
        given: { type: object, dependentSchemas: { kind: { properties: { kind: true, id: { type: number } } } }, unevaluatedProperties: { $ref: '#/components/schemas/Id' } }
        untested: { type: number, then: { $ref: '#/components/schemas/Id' } }
        both: { allOf: [{ type: integer }, { $ref: '#/components/schemas/Id' }] }
        preset: { allOf: [{ properties: { id: { default: 5 } } }, { properties: { id: { $ref: '#/components/schemas/Id' } } }] }
        chosen: { type: object, properties: { from: { default: { kind: any }, oneOf: [{ properties: { kind: { const: any }, version: { default: 4 } } }, { properties: { kind: { const: named } } }] } } }
    Id: { type: integer, format: int64 }
    Exact: { type: object, required: [kind, id], properties: { id: { $ref: '#/components/schemas/Id' }, kind: { const: exact } } }
    Rough: { type: object, required: [kind, id], properties: { id: { type: number }, kind: { const: rough } } }
`);

it.each([
  ['{"either":{"id":5,"kind":"rough"}}', { either: { id: 5, kind: 'rough' } }],
  ['{"either":{"id":5,"kind":"exact"}}', { either: { id: 5n, kind: 'exact' } }],
  ['{"any":{"id":5,"kind":"rough"}}', { any: { id: 5, kind: 'rough' } }],
  ['{"any":{"id":9007199254740993,"kind":"exact"}}', { any: { id: 9007199254740993n, kind: 'exact' } }],
  ['{"any":{"id":9007199254740993,"kind":"rough"}}', { any: { id: 9007199254740992, kind: 'rough' } }],
  ['{"nested":{"in":{"id":5,"kind":"exact"},"at":2}}', { nested: { in: { id: 5n, kind: 'exact' }, at: 2 } }],
  ['{"nested":{"in":{"id":5,"kind":"rough"},"at":2}}', { nested: { in: { id: 5, kind: 'rough' }, at: 2 } }],
  ['{"chosen":{}}', { chosen: { from: { kind: 'any', version: 4 } } }],
  ['{"chosen":{"from":{"kind":"named"}}}', { chosen: { from: { kind: 'named' } } }],
  ['{"listed":[1,2]}', { listed: [1n, 2n] }],
  ['{"listed":[1,0.5]}', { listed: [1, 0.5] }],
  ['{"whole":{"size":9007199254740993,"kind":"rough"}}', { whole: { size: 9007199254740992, kind: 'rough' } }],
  ['{"broken":{"id":9007199254740993}}', { broken: { id: 9007199254740993n, note: 'none' } }],
  ['{"filled":{"id":5,"kind":"rough"}}', { filled: { id: 5, kind: 'rough', more: 1 } }],
  ['{"dependent":{"exact":true,"id":9007199254740993}}', { dependent: { exact: true, id: 9007199254740993n } }],
  ['{"dependent":{"id":5}}', { dependent: { id: 5 } }],
  [
    '{"rest":{"id":5,"kind":"rough","size":5,"other":9007199254740993}}',
    { rest: { id: 5, kind: 'rough', size: 5, other: 9007199254740993n } },
  ],
  ['{"rest":{"id":9007199254740993}}', { rest: { id: 9007199254740993n } }],
  ['{"further":[5,9007199254740993]}', { further: [5, 9007199254740993n] }],
  ['{"given":{"id":5,"kind":"rough"}}', { given: { id: 5, kind: 'rough' } }],
  ['{"given":{"id":5}}', { given: { id: 5n } }],
  ['{"both":9007199254740993}', { both: 9007199254740993n }],
  ['{"preset":{}}', { preset: { id: 5n } }],
])('%s is what the branch says that accepts it', async (body, value) => {
  expect(await noting.send('/gardens', body)).toMatchObject({ status: 204 });
  expect(noting.seen?.body).toEqual(value);
});

it.each([
  ['{"tested":5}', { tested: 5 }],
  ['{"refused":{"size":5,"kind":"rough"}}', { refused: { size: 5, kind: 'rough' } }],
  ['{"searched":[5,0.5]}', { searched: [5, 0.5] }],
  ['{"untested":5}', { untested: 5 }],
])('%s is what its schema says, whatever it is only tested for', async (body, value) => {
  expect(await noting.send('/gardens', body)).toMatchObject({ status: 204 });
  expect(noting.seen?.body).toEqual(value);
});

it('an integer that no double holds is refused if the accepted branch says integer', async () => {
  const message =
    '/body/whole/size: expected an integer from -9007199254740991 to 9007199254740991, got 9007199254740993';
  expectError(await noting.send('/gardens', '{"whole":{"size":9007199254740993,"kind":"exact"}}'), 40002, message);
});

/** All that is wrong with a request, in one answer: of every part of it, of the branch that was meant, and no more than a bound. */
import Ajv2020 from 'ajv/dist/2020';
import { collectingAjv, forgetTried } from '../../../src/engine/schema/collector';
import { VIOLATIONS_MAX } from '../../../src/engine/schema/violation';
import type { ApiError } from '../../../src/engine/errors/api-error';
import { notingService } from '../../support/noting-service';
import { table } from '../../support/table';

const noting = notingService(
  `
paths:
  /beds/{bed}:
    post:
      operationId: plant
      parameters:
        - { name: bed, in: path, required: true, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
        - { name: at, in: query, style: deepObject, schema: { type: object } }
        - { name: X-Revision, in: header, required: true, schema: { type: string } }
        - { name: seed, in: cookie, schema: { type: boolean } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Plant' } } } }
      responses: { '204': { description: It is there. }, default: { $ref: '#/components/responses/Problem' } }
  /lists:
    post:
      operationId: list
      requestBody: { content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Size' } } } } }
      responses: { '204': { description: It is there. }, default: { $ref: '#/components/responses/Problem' } }
components:
  responses:
    Problem: { description: It is not., content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
  schemas:
    Problem:
      type: object
      required: [detail, errors]
      properties: { detail: { type: string }, errors: { type: array, items: { type: string } } }
    Size: { type: integer, minimum: 0 }
    Plant:
      allOf:
        - { type: object, required: [name, size], properties: { name: { type: string, minLength: 2, pattern: '^[A-Z]' } } }
        - { type: object, required: [name], properties: { size: { $ref: '#/components/schemas/Size' } } }
      properties:
        pot: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Clay' }, { $ref: '#/components/schemas/Plastic' }] }
        kind: { type: string, enum: [tree, herb] }
        count: { type: integer }
        notes: { type: object, propertyNames: { maxLength: 3 } }
        shade: { if: { type: string }, then: { minLength: 2 } }
        place: { allOf: [{ $ref: '#/components/schemas/Place' }], unevaluatedProperties: false }
    Clay: { type: object, required: [of, glazed], properties: { of: { const: clay }, glazed: { type: boolean } } }
    Plastic: { type: object, required: [of, colour], properties: { of: { const: plastic }, colour: { anyOf: [{ type: string, minLength: 3 }, { type: integer }] } } }
    Place: { type: object, properties: { row: { type: integer } } }
`,
  undefined,
  { errorBody: { mediaType: 'application/problem+json', body: asSentences } },
);

/** The message, and a sentence for each violation. */
function asSentences({ message, violations }: ApiError): object {
  return { detail: message, errors: violations.map(({ place, text }) => `${place}: ${text}`) };
}

async function send(path: string, body: string, headers: Record<string, string> = {}) {
  const answer = await noting.send(path, body, undefined, headers);
  return JSON.parse(answer.body) as { detail: string; errors: string[] };
}

/** What is told of a plant. */
async function told(plant: string): Promise<string[]> {
  return (await send('/beds/1', plant, { 'X-Revision': '1' })).errors;
}

it('names what is wrong with path, query, header, cookie and body together', async () => {
  const path = `/beds/one?limit=101&no&at${'[a]'.repeat(65)}=1`;
  const { detail, errors } = await send(path, '{"name":5}', { Cookie: 'seed=1' });
  const first = [
    '/query/at: expected at most 64 levels of nesting, got another text',
    '/query/no: expected no parameter of this name, got one',
    '/path/bed: expected integer, got "one"',
  ];
  expect(detail).toBe(`${first.join('; ')}; and 5 more`);
  expect(errors).toEqual([
    ...first,
    '/query/limit: expected a number <= 100, got 101',
    '/header/X-Revision: expected a value, got nothing',
    '/cookie/seed: expected boolean, got "1"',
    '/body/size: expected a value, got nothing',
    '/body/name: expected string, got 5',
  ]);
});

it.each(table`
  {} | name: expected a value, got nothing | size: expected a value, got nothing
  {"name":"a","size":-1} | name: expected at least 2 characters, got 1 in "a"
    | name: expected text that matches ^[A-Z], got "a" | size: expected a number >= 0, got -1
  {"name":"Ab","size":1,"kind":5} | kind: expected string, got 5
  {"name":"Ab","size":1,"shade":"a"} | shade: expected at least 2 characters, got 1 in "a"
  {"name":"Ab","size":1,"notes":{"abcd":1,"efgh":2}}
    | notes/abcd: expected at most 3 characters as its name, got another
    | notes/efgh: expected at most 3 characters as its name, got another
  {"name":"Ab","size":1,"place":{"row":1,"x":1}} | place/x: expected no property of this name, got 1
  {"name":"Ab","size":1,"place":{"row":"1"}} | place/row: expected integer, got "1"
  {"name":5,"size":1,"count":9007199254740993} | name: expected string, got 5
    | count: expected an integer from -9007199254740991 to 9007199254740991, got 9007199254740993
`)('of %s it is %s', async (plant, ...errors) => {
  expect(await told(plant)).toEqual(errors.map((error) => `/body/${error}`));
});

it('of a body of another type it is that', async () => {
  expect(await told('5')).toEqual(['/body: expected object, got 5']);
});

it.each(table`
  5 | /body/pot: expected null or object, got 5
  {"of":"clay"} | /body/pot/glazed: expected a value, got nothing
  {"of":"plastic","colour":true} | /body/pot/colour: expected string or integer, got true
  {"of":"plastic","colour":"a"} | /body/pot/colour: expected at least 3 characters or integer, got "a"
`)('of branches it tells that which was meant: %s', async (pot, ...errors) => {
  expect(await told(`{"name":"Ab","size":1,"pot":${pot}}`)).toEqual(errors);
});

it('has a hint at the names that may be meant in a query for three of them alone', async () => {
  const headers = { 'X-Revision': '1' };
  const { errors } = await send('/beds/1?limita&limitb&limitc&limitd', '{"name":"Ab","size":1}', headers);
  const hints = ['; limit may be meant', '; limit may be meant', '; limit may be meant', ''];
  expect(errors).toEqual(
    hints.map(
      (hint, index) => `/query/limit${'abcd'.charAt(index)}: expected no parameter of this name${hint}, got one`,
    ),
  );
});

it('stops at a bound, and says so', async () => {
  const { detail, errors } = await send('/lists', `[${'-1,'.repeat(30_000)}-1]`);
  const sentences = Array.from({ length: VIOLATIONS_MAX }, (_, at) => `/body/${at}: expected a number >= 0, got -1`);
  expect(detail).toBe(`${sentences.slice(0, 3).join('; ')}; and at least 47 more`);
  expect(errors).toEqual(sentences);
});

describe('the work for a value with thousands of errors', () => {
  const list = Array.from({ length: 10_000 }, () => ({}));
  const map = Object.fromEntries(list.map((each, index) => [`k${index}`, each]));
  const broken = { $ref: 'broken' };

  it.each<[schema: object, value: object]>([
    [{ items: broken }, list],
    [{ prefixItems: [true], items: broken }, list],
    [{ unevaluatedItems: broken }, list],
    [{ additionalProperties: broken }, map],
    [{ patternProperties: { '^k': broken } }, map],
    [{ propertyNames: broken }, map],
    [{ unevaluatedProperties: broken }, map],
    [{ additionalProperties: false }, map],
    [{ unevaluatedProperties: false }, map],
    [{ allOf: [{ anyOf: [{ items: broken }, { items: broken }] }] }, list],
  ])('is that for as many as are collected: %j', (schema, value) => {
    let tried = 0;
    const ajv = forgetTried(collectingAjv(new Ajv2020({ allErrors: true, strict: false, validateSchema: false })));
    ajv.addKeyword({ keyword: 'x-break', validate: () => ++tried < 0 });
    ajv.addSchema({ 'x-break': true }, 'broken');
    const validate = ajv.compile(schema);
    expect(validate(value)).toBe(false);
    expect(tried).toBeLessThanOrEqual(2 * VIOLATIONS_MAX);
    expect(validate.errors?.length).toBeLessThanOrEqual(2 * VIOLATIONS_MAX);
  });

  it('is no longer that of copying all of them for each item that `contains` tries', () => {
    const ajv = forgetTried(new Ajv2020({ strict: false, validateSchema: false }));
    ajv.addKeyword({ keyword: 'x-none', validate: () => false });
    ajv.addSchema({ 'x-none': true }, 'none');
    let most = 0;
    const concat = jest.spyOn(Array.prototype, 'concat').mockImplementation(function (
      this: unknown[],
      ...more: unknown[]
    ) {
      most = Math.max(most, this.length);
      return [...this, ...more.flat()];
    });
    const isValid = ajv.compile({ contains: { $ref: 'none' } })(list);
    concat.mockRestore();
    expect([isValid, most]).toEqual([false, 0]);
  });
});

/** Schemas with branches: which of them decides, what it leaves in the value, and that none is tried without end. */
import type { Schema } from '../../../src/engine/contract/document';
import { prepareSchemas } from '../../../src/engine/schema/prepare';
import { Steps } from '../../../src/engine/schema/steps';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { plantRequest, RawConnection } from '../../support/raw';

/** Schemas that do not contain themselves; each refers to the next in two ways. */
const chain = (name: string, levels: number, last: string): string =>
  Array.from({ length: levels }, (_, at) => {
    const next = `{ $ref: '#/components/schemas/${name}${at + 1}' }`;
    return `${name}${at}: ${at < levels - 1 ? `{ anyOf: [${next}, ${next}] }` : last}`;
  }).join('\n    ');
/** What goes through a list, an object or a text. */
const THROUGH = {
  Items: '{ type: array, items: { type: integer } }',
  Contained: '{ type: array, contains: { type: string } }',
  Members: '{ type: object, additionalProperties: { type: string } }',
  Named: '{ propertyNames: { maxLength: 1 } }',
  Matched: "{ patternProperties: { '^k': { type: string } } }",
  Closed: '{ type: object, additionalProperties: false }',
  Counted: '{ maxProperties: 5 }',
  Compared: '{ const: { a: 1 } }',
  Unevaluated: '{ unevaluatedProperties: false }',
  Text: '{ type: string, maxLength: 3 }',
};
const chainPath = (name: string): string =>
  `  /chains/${name}: { post: { operationId: chain${name}, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/${name}0' } } } }, responses: { '204': { description: Seen. } } } }`;
const KINDS = Array.from({ length: 30 }, (_, at) => `{ required: [a, b, kind${at}] }`).join();

const noting = notingService(`
openapi: 3.2.0
info: { title: Trees, version: 1.0.0 }
paths:
  /trees: { post: { operationId: tree, requestBody: { $ref: '#/components/requestBodies/Tree' }, responses: { '204': { description: Seen. } } } }
  /pets: { post: { operationId: pet, requestBody: { $ref: '#/components/requestBodies/Pet' }, responses: { '204': { description: Seen. } } } }
  /kinds-of-pets: { post: { operationId: kindOfPet, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/KindOfPet' } } } }, responses: { '204': { description: Seen. } } } }
  /fruits: { post: { operationId: addFruit, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Fruit' } } } }, responses: { '204': { description: Seen. } } } }
  /moods: { post: { operationId: addMood, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Mood' } } } }, responses: { '204': { description: Seen. } } } }
  /doors: { post: { operationId: addDoor, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Door' } } } }, responses: { '204': { description: Seen. } } } }
  /loops: { post: { operationId: loop, requestBody: { $ref: '#/components/requestBodies/Loop' }, responses: { '204': { description: Seen. } } } }
  /lists: { post: { operationId: list, requestBody: { $ref: '#/components/requestBodies/List' }, responses: { '204': { description: Seen. } } } }
  /beds: { post: { operationId: addBed, requestBody: { $ref: '#/components/requestBodies/Bed' }, responses: { '204': { description: Seen. } } } }
  /chains: { post: { operationId: chain, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Chain0' } } } }, responses: { '204': { description: Seen. } } } }
${Object.keys(THROUGH).map(chainPath).join('\n')}
  /sets: { post: { operationId: set, requestBody: { $ref: '#/components/requestBodies/Set' }, responses: { '204': { description: Seen. } } } }
  /kinds: { post: { operationId: kinds, requestBody: { content: { application/json: { schema: { type: array, maxItems: 5, items: { anyOf: [${KINDS}, {}] } } } } }, responses: { '204': { description: Seen. } } } }
  /patterns:
    parameters:
      - { name: amount, in: query, schema: { $ref: '#/components/schemas/Decimal' } }
      - { name: count, in: query, schema: { anyOf: [{ type: integer }, { type: string, pattern: '^(?:a?(?!x)){18}$' }] } }
      - { name: counts, in: query, style: deepObject, schema: { $ref: '#/components/schemas/Counts' } }
    post: { operationId: match, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Matching' } } } }, responses: { '204': { description: Seen. } } }
  /counts: { post: { operationId: count, requestBody: { $ref: '#/components/requestBodies/Count' }, responses: { '204': { description: Seen. } } } }
  /counts/{bed}:
    parameters: [{ name: bed, in: path, required: true, schema: { type: string } }]
    post: { operationId: countIn, requestBody: { $ref: '#/components/requestBodies/Count' }, responses: { '204': { description: Seen. } } }
  /defaults: { post: { operationId: fill, requestBody: { $ref: '#/components/requestBodies/Filled' }, responses: { '204': { description: Seen. } } } }
components:
  requestBodies:
    Tree: { content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } } }
    Pet: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
    Loop: { content: { application/json: { schema: { $ref: '#/components/schemas/Loop' } } } }
    List: { content: { application/json: { schema: { type: array, contains: { type: integer, minimum: 5 } } } } }
    Set: { content: { application/json: { schema: { $ref: '#/components/schemas/Set' } } } }
    Filled: { content: { application/json: { schema: { $ref: '#/components/schemas/Filled' } } } }
    Bed: { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Rows' }, { $ref: '#/components/schemas/Bed' }] } } } }
    Count: { required: true, content: { application/json: { schema: { type: integer, format: int64 } } } }
  schemas:
    Tree: { oneOf: [{ $ref: '#/components/schemas/And' }, { $ref: '#/components/schemas/Or' }, { type: 'null' }], discriminator: { propertyName: kind } }
    And: { type: object, required: [kind], properties: { kind: { const: and }, left: { $ref: '#/components/schemas/Tree' }, id: { type: integer, format: int64 } } }
    Or: { type: object, required: [kind], properties: { kind: { const: or }, left: { $ref: '#/components/schemas/Tree' } } }
    Pet:
      anyOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Bird' }]
      discriminator: { propertyName: type, mapping: { hound: '#/components/schemas/Dog', puppy: Dog } }
    Named: { type: object, properties: { type: { type: string }, name: { type: string } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Named' }, { required: [lives] }] }
    Dog: { allOf: [{ $ref: '#/components/schemas/Named' }, { required: [name] }] }
    Bird: { allOf: [{ $ref: '#/components/schemas/Named' }, { properties: { type: { enum: [owl, duck] } } }] }
    KindOfPet:
      oneOf: [{ $ref: '#/components/schemas/Lives' }, { $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Other' }]
      discriminator: { propertyName: type, mapping: { Cat: Lives }, defaultMapping: Other }
    Lives: { type: object, required: [lives], properties: { lives: { type: integer, format: int64 } } }
    Other: { type: object, required: [id], properties: { id: { type: integer, format: int64 } } }
    Fruit:
      oneOf: [{ $ref: '#/components/schemas/Apple' }, { $ref: '#/components/schemas/Pear' }]
      discriminator: { propertyName: kind, mapping: { apple: Apple, pear: Pear } }
    Kind: { type: object, required: [kind], properties: { kind: { enum: [apple, pear] } } }
    Apple: { allOf: [{ $ref: '#/components/schemas/Kind' }, { properties: { id: { type: integer, format: int64 } } }] }
    Pear: { allOf: [{ $ref: '#/components/schemas/Kind' }, { properties: { id: { type: string } } }] }
    Mood:
      oneOf: [{ $ref: '#/components/schemas/Good' }, { $ref: '#/components/schemas/Bad' }, { $ref: '#/components/schemas/Word' }, { type: string, maxLength: 3 }]
      discriminator: { propertyName: kind }
    Good: { type: [object, 'null'], required: [kind], properties: { kind: { const: good } } }
    Bad: { type: object, required: [kind], properties: { kind: { const: bad } } }
    Word: { enum: [calm, sad] }
    Door:
      oneOf: [{ $ref: '#/components/schemas/Open' }, { $ref: '#/components/schemas/Shut' }]
      discriminator: { propertyName: kind }
      unevaluatedProperties: false
    Open: { type: object, required: [wide], properties: { wide: { type: boolean } } }
    Shut: { type: object, required: [lock], properties: { kind: { type: string }, lock: { type: boolean } } }
    ${chain('Chain', 20, '{ type: integer }')}
    ${Object.entries(THROUGH)
      .map(([name, last]) => chain(name, 11, last))
      .join('\n    ')}
    Set: { type: [array, integer], uniqueItems: true, items: { $ref: '#/components/schemas/Set' } }
    Decimal: { type: string, pattern: '^(?:(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*)$' }
    Counts: { type: object, properties: { a: { type: boolean } }, patternProperties: { '^(?:a?(?!x)){18}$': { type: integer, format: int64 } } }
    Matching:
      type: object
      properties:
        amount: { $ref: '#/components/schemas/Decimal' }
        amounts: { type: array, items: { $ref: '#/components/schemas/Decimal' } }
        none: { not: { $ref: '#/components/schemas/Decimal' } }
        named: { patternProperties: { '^(?:(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*)$': { type: boolean } } }
        names: { propertyNames: { $ref: '#/components/schemas/Decimal' } }
        words: { type: string, pattern: '^(\\w+\\s?){1,5}$' }
        undoubled: { type: array, items: { not: { pattern: '^(a|a)*\\1$' } } }
        optional: { type: array, items: { not: { pattern: '^(?:a?(?!x)){18}$' } } }
        repeated: { type: array, items: { not: { pattern: '^(?:a?){20}$' } } }
        counts: { $ref: '#/components/schemas/Counts' }
        spaced: { type: array, items: { not: { anyOf: [${'{ pattern: "^(\\\\w+\\\\s?){1,5}$" },'.repeat(4)}] } } }
        labels: { type: array, items: { pattern: '^[0-9a-z](?:(?:[0-9a-z]|-){0,251}[0-9a-z])?$' } }
    Loop: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }
    A: { type: object, required: [a], properties: { a: { type: boolean }, next: { $ref: '#/components/schemas/Loop' } } }
    B: { type: object, required: [b], properties: { b: { type: boolean }, next: { $ref: '#/components/schemas/Loop' } } }
    Filled:
      type: object
      required: [must]
      properties:
        must: { type: boolean, default: true }
        size: { type: integer, format: int64, default: 7 }
        large: { type: integer, format: int64, default: 9223372036854775807 }
        deep: { type: object, default: {}, properties: { on: { $ref: '#/components/schemas/On' } } }
        list: { type: array, items: { type: object, properties: { n: { default: 1 } } } }
        either: { oneOf: [{ $ref: '#/components/schemas/Left' }, { $ref: '#/components/schemas/Right' }] }
      additionalProperties: { type: object, properties: { more: { default: [] } } }
    On: { type: boolean, default: false }
    Left: { type: object, required: [left], properties: { left: { type: integer }, side: { default: l } } }
    Right: { type: object, required: [right], properties: { right: { type: integer }, side: { default: r } } }
    Rows: { type: object, required: [rows], properties: { rows: { $ref: '#/components/schemas/Rowing' } } }
    Bed: { type: object, required: [name], properties: { name: { type: string }, rows: { $ref: '#/components/schemas/Rowing', default: 1 } } }
    Rowing: { type: integer, items: { $ref: '#/components/schemas/Rowing' } }
`);

const nested = (times: number, open: string, inner: string, close = '}') =>
  open.repeat(times) + inner + close.repeat(times);

describe('a discriminator', () => {
  it.each([
    ['/trees', 'null', null],
    ['/trees', '{"kind":"and","id":9007199254740993,"left":null}', { kind: 'and', id: 9007199254740993n, left: null }],
    ['/pets', '{"type":"Cat","lives":9}', { type: 'Cat', lives: 9 }],
    ['/pets', '{"type":"puppy","name":"Rex"}', { type: 'puppy', name: 'Rex' }],
    ['/pets', '{"type":"owl"}', { type: 'owl' }],
    // A discriminator does not change what is valid (OpenAPI 3.1.1, Discriminator Object).
    ['/pets', '{"type":"Dog","name":"Rex"}', { type: 'Dog', name: 'Rex' }],
    ['/pets', '{"lives":9}', { lives: 9 }],
    ['/pets', '{"type":"hound","lives":9}', { type: 'hound', lives: 9 }],
    ['/pets', '{"type":"owl","lives":9}', { type: 'owl', lives: 9 }],
    ['/kinds-of-pets', '{"type":"Cat","lives":9007199254740993}', { type: 'Cat', lives: 9007199254740993n }],
    ['/kinds-of-pets', '{"type":"Dog","lives":9007199254740993}', { type: 'Dog', lives: 9007199254740993n }],
    ['/kinds-of-pets', '{"id":9007199254740993}', { id: 9007199254740993n }],
    ['/kinds-of-pets', '{"type":"newt","id":1}', { type: 'newt', id: 1n }],
    // All branches have the same kinds: only their names tell them apart.
    ['/fruits', '{"kind":"apple"}', { kind: 'apple' }],
    ['/fruits', '{"kind":"pear","id":"1"}', { kind: 'pear', id: '1' }],
    ['/fruits', '{"kind":"apple","id":9007199254740993}', { kind: 'apple', id: 9007199254740993n }],
    ['/kinds-of-pets', '{"type":"newt","name":"Rex"}', { type: 'newt', name: 'Rex' }],
    ['/moods', 'null', null],
    ['/moods', '"calm"', 'calm'],
    ['/moods', '"up"', 'up'],
    ['/doors', '{"kind":"Shut","lock":true}', { kind: 'Shut', lock: true }],
  ])('of %s accepts %s', async (path, body, value) => {
    expect(await noting.send(path, body)).toMatchObject({ status: 204 });
    expect(noting.seen?.body).toEqual(value);
  });

  it.each([
    ['/trees', '{"kind":"xor"}', '/body/kind: expected one of and, or, got "xor"'],
    ['/trees', '{}', '/body/kind: expected a value, got nothing'],
    ['/trees', '5', '/body: expected null, got 5'],
    ['/trees', '{"kind":"and","id":"1"}', '/body/id: expected integer, got "1"'],
    ['/pets', '{"type":"hound"}', '/body/name: expected a value, got nothing'],
    ['/pets', '[]', '/body: expected object, got array'],
    ['/fruits', '{"kind":"apple","id":1.5}', '/body/id: expected integer, got 1.5'],
    ['/fruits', '{"kind":"plum"}', '/body/kind: expected one of apple, pear, got "plum"'],
    ['/kinds-of-pets', '{"type":"Dog"}', '/body/name: expected a value, got nothing'],
    ['/kinds-of-pets', '{}', '/body/id: expected a value, got nothing'],
    ['/kinds-of-pets', '{"type":"newt","id":"1"}', '/body/id: expected integer, got "1"'],
    ['/moods', '"sad"', '/body: expected what exactly one of its schemas says, got "sad"'],
    ['/doors', '{"kind":"Open","wide":true}', '/body/kind: expected no property of this name, got "Open"'],
  ])('of %s refuses %s by the branch that it names', async (path, body, message) => {
    expectError(await noting.send(path, body), 40002, message);
  });

  it('decides on a tree of 60 levels at once', async () => {
    const tree = nested(60, '{"kind":"or","left":', '{"kind":"or","left":5}');
    const place = `/body${'/left'.repeat(61)}`.slice(0, 200);
    expectError(await noting.send('/trees', tree), 40002, `${place}: expected null, got 5`);
    expect(await noting.send('/trees', nested(60, '{"kind":"or","left":', 'null'))).toMatchObject({ status: 204 });
  });
});

it('a schema that contains itself in two ways is tried a bounded number of times', async () => {
  expect(await noting.send('/loops', nested(10, '{"a":true,"next":', '{"b":true}'))).toMatchObject({ status: 204 });
  const both = nested(60, '{"a":true,"b":true,"next":', '{"a":1}');
  const message = '/body: expected a value that is decided in 100000 steps, got one that takes more';
  expectError(await noting.send('/loops', both), 40002, message);
  expect(await noting.send('/loops', '{"b":true}')).toMatchObject({ status: 204 });
});

it('schemas that refer to others in two ways are tried a bounded number of times', async () => {
  const message = '/body: expected a value that is decided in 100000 steps, got one that takes more';
  expectError(await noting.send('/chains', '"x"'), 40002, message);
});

it.each(Object.keys(THROUGH))(
  'what a value has counts as steps each time that a schema goes through it: %s',
  async (name) => {
    const list = `[${'1,'.repeat(50_000)}1]`;
    const object = `{${Array.from({ length: 9_000 }, (_, at) => `"k${at}":1`).join()}}`;
    const bodies: Record<string, string> = {
      Items: `[${'1,'.repeat(50_000)}"x"]`,
      Contained: list,
      Text: `"${'x'.repeat(100_000)}"`,
    };
    const message = '/body: expected a value that is decided in 100000 steps, got one that takes more';
    expectError(await noting.send(`/chains/${name}`, bodies[name] ?? object), 40002, message);
  },
);

describe('sets within sets', () => {
  const numbers = Array.from({ length: 14_000 }, (_, at) => at).join();

  it('are compared once for each level', async () => {
    expect(await noting.send('/sets', nested(60, '[', `[${numbers}]`, ']'))).toMatchObject({ status: 204 });
    expect(await noting.send('/sets', nested(10, '[1,', `[${numbers}]`, ']'))).toMatchObject({ status: 204 });
    const twice = nested(10, '[1,', `[${numbers},0]`, ']');
    expectError(
      await noting.send('/sets', twice),
      40002,
      `/body${'/1'.repeat(10)}: expected no two items to be equal, got array`,
    );
  });

  it('are compared a bounded number of times', async () => {
    const message = '/body: expected a value that is decided in 100000 steps, got one that takes more';
    expectError(await noting.send('/sets', nested(60, '[1,', `[${numbers}]`, ']')), 40002, message);
  });
});

it('unions of unions with a discriminator are looked at once each when they are prepared', () => {
  const refer = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const levels = Array.from({ length: 40 }, (_, at) => at);
  const schemas = Object.fromEntries([
    ...levels.flatMap((at) => [
      [`S${at}`, { oneOf: [refer(`S${at + 1}`), refer(`T${at + 1}`)], discriminator: { propertyName: 't' } }],
      [`T${at + 1}`, { anyOf: [refer(`S${at + 1}`), { type: 'object' }] }],
    ]),
    ['S40', { type: 'object' }],
  ]) as Record<string, Schema>;
  const document = { openapi: '3.1.0', info: { title: 'Trees', version: '1' }, components: { schemas } };
  expect(prepareSchemas(document, 'requests').named.size).toBe(80);
});

it('what is said of a refused request takes a tenth of the steps that the decision may take', async () => {
  const take = jest.spyOn(Steps.prototype, 'take');
  const answer = await noting.send('/kinds', `[${'{},'.repeat(8_800)}{}]`);
  const steps = take.mock.calls.reduce((sum, [count = 1]) => sum + count, 0);
  take.mockRestore();
  expectError(answer, 40002, '/body: expected at most 5 items, got 8801');
  expect(Math.ceil(steps)).toBe(10_001);
});

describe('a pattern that RE2 does not know', () => {
  const zeros = (count: number): string => '0'.repeat(count);
  const tooLong = 'expected at most 181 characters, for its pattern, got more';

  it('decides on texts up to a length', async () => {
    expect(await noting.send('/patterns', `{"amount":"${zeros(181)}"}`)).toMatchObject({ status: 204 });
    expectError(await noting.send(`/patterns?amount=${zeros(182)}`, '{}'), 40002, `/query/amount: ${tooLong}`);
  });

  it.each([
    ['{"amount":"?"}', '/body/amount'],
    ['{"amounts":["1","?"]}', '/body/amounts/1'],
    ['{"none":"?"}', '/body/none'],
    ['{"named":{"?":true}}', '/body/named/?'],
    ['{"names":{"?":true}}', '/body/names/?'],
  ])('refuses longer ones wherever it stands: %s', async (body, place) => {
    const answer = await noting.send('/patterns', body.replace('?', zeros(50_000)));
    expectError(answer, 40002, `${place.replace('?', zeros(50_000)).slice(0, 200)}: ${tooLong}`);
  });
});

describe('the texts of a request', () => {
  it.each([
    ['amounts', '0'.repeat(181), 400],
    ['labels', 'target-pool-of-shop-1', 100],
  ])('may be many if their patterns decide on each of them fast: %s', async (name, text, count) => {
    const body = JSON.stringify({ [name]: Array.from({ length: count }, () => text) });
    expect(await noting.send('/patterns', body)).toMatchObject({ status: 204 });
  });

  it.each([
    ['undoubled', 4_000, 18],
    ['optional', 4_000, 18],
    ['repeated', 4_000, 18],
    ['spaced', 100, 900], // by RE2
  ])('are decided on for a time in all: %s', async (name, count, length) => {
    const body = JSON.stringify({ [name]: Array.from({ length: count }, () => `${'a'.repeat(length)}!`) });
    const message = '/body: expected texts whose patterns are decided within 30 ms, got some that take more';
    expectError(await noting.send('/patterns', body), 40002, message);
  });

  it('are decided on whatever those of another request have taken at the same time', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `counts[${'a'.repeat(18)}!${index}]=1`).join('&');
    const line = (query: string): string => `POST /patterns?${query} HTTP/1.1`;
    const both = [names, 'count=5'].map((query) => plantRequest(noting.service, { line: line(query), body: '{}' }));
    const connection = (await RawConnection.open(noting.service.port)).send(Buffer.concat(both));
    expect([(await connection.answer()).status, (await connection.answer()).status]).toEqual([400, 204]);
    connection.destroy();
  });

  it.each<[where: string, send: (names: string[]) => ReturnType<typeof noting.send>]>([
    [
      'a refused body',
      (names) =>
        noting.send(
          '/patterns',
          JSON.stringify({ counts: { a: 1, ...Object.fromEntries(names.map((each) => [each, 1])) } }),
        ),
    ],
    ['a query', (names) => noting.send(`/patterns?${names.map((each) => `counts[${each}]=1`).join('&')}`, '{}')],
  ])('are names as well, in %s', async (_where, send) => {
    const names = Array.from({ length: 400 }, (_, index) => `${'a'.repeat(18)}!${index}`);
    const tests = jest.spyOn(RegExp.prototype, 'test');
    const { status } = await send(names);
    const tested = tests.mock.calls.filter(([text]) => names.includes(text)).length;
    tests.mockRestore();
    expect(status).toBe(400);
    expect(tested).toBeLessThan(names.length / 2);
  });
});

it('a pattern with repetitions in a repetition decides on any text', async () => {
  const words = (text: string) => noting.send('/patterns', JSON.stringify({ words: text }));
  expect(await words(`${'a'.repeat(90_000)} b`)).toMatchObject({ status: 204 });
  expectError(
    await words(`${'a'.repeat(90_000)}!`),
    40002,
    '/body/words: expected text that matches ^(\\w+\\s?){1,5}$, got "' + 'a'.repeat(40) + '..."',
  );
});

it('each item that `contains` tries costs the same', async () => {
  const message = '/body: expected at least 1 valid item(s), got array';
  expectError(await noting.send('/lists', `[${'1,'.repeat(50_000)}1]`), 40002, message);
  expect(await noting.send('/lists', `[${'1,'.repeat(50_000)}5]`)).toMatchObject({ status: 204 });
});

describe('defaults', () => {
  const filled = { must: true, size: 7n, large: 9223372036854775807n, deep: { on: false } };
  it.each([
    ['{"must":true}', filled],
    [
      '{"must":true,"size":9007199254740993,"deep":{"on":true}}',
      { must: true, large: 9223372036854775807n, size: 9007199254740993n, deep: { on: true } },
    ],
    ['{"must":true,"list":[{},{"n":2}],"other":{}}', { ...filled, list: [{ n: 1 }, { n: 2 }], other: { more: [] } }],
    ['{"must":true,"either":{"right":1}}', { ...filled, either: { right: 1, side: 'r' } }],
    ['{"must":true,"either":{"left":1,"side":"x"}}', { ...filled, either: { left: 1, side: 'x' } }],
  ])('%s is filled in with what it lacks', async (body, value) => {
    expect(await noting.send('/defaults', body)).toMatchObject({ status: 204 });
    expect(noting.seen?.body).toEqual(value);
  });

  it('are for what may be left out', async () => {
    expectError(await noting.send('/defaults', '{}'), 40002, '/body/must: expected a value, got nothing');
  });

  it('of a branch that a body does not fit are not filled in, however often it is sent', async () => {
    for (const _time of ['first', 'second', 'third'])
      expectError(await noting.send('/beds', '{}'), 40002, '/body/rows: expected a value, got nothing');
    expect(noting.seen).toBeUndefined();
  });
});

it.each(['/counts', '/counts/7'])('a body of %s that is an int64 itself is exact, each time', async (path) => {
  for (const body of ['9223372036854775807', '9007199254740993', '5']) {
    expect(await noting.send(path, body)).toMatchObject({ status: 204, body: '' });
    expect(noting.seen?.body).toBe(BigInt(body));
  }
});

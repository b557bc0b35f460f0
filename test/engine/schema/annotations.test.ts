/** Words of a contract that libraries read in ways of their own: formats, `readOnly`, `writeOnly`, extensions, empty values. */
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { eventually } from '../../support/eventually';
import { table } from '../../support/table';

let answer: object;
beforeEach(() => (answer = { id: 1n, name: 'Ada' }));
const contract = `
x-origin: { $ref: 'nowhere.yaml#/info' }
servers: [{ url: https://accounts.example.com/v1 }]
paths:
  /accounts:
    post:
      operationId: addAccount
      parameters:
        - { name: flag, in: query, schema: { type: string } }
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Account' }
            examples: { one: { value: { $ref: nowhere } } }
      responses:
        '200': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } }
webhooks:
  added: { post: { operationId: accountAdded, responses: { '200': { description: Noted. } } } }
components:
  schemas:
    Id: { type: integer, format: int64 }
    Numbered: { type: object, properties: { id: { $ref: '#/components/schemas/Id', readOnly: true } } }
    Secret: { type: string, writeOnly: true }
    Choice: { anyOf: [{ type: string, readOnly: true }, { type: integer }] }
    Account:
      x-table: { $ref: '#/nowhere' }
      allOf:
        - { $ref: '#/components/schemas/Numbered' }
        - type: object
          required: [id, name, password]
          properties:
            name: { type: string }
            password: { $ref: '#/components/schemas/Secret' }
            born: { type: string, format: date }
            seen: { type: string, format: date-time }
            mail: { type: string, format: email }
            title: { enum: [Dr], nullable: true }
            answer: { anyOf: [{ $ref: '#/components/schemas/Secret' }, { type: 'null' }] }
            number: { oneOf: [{ type: integer, readOnly: true }, { type: 'null' }] }
            choice: { $ref: '#/components/schemas/Choice' }
            choices: { type: array, items: { $ref: '#/components/schemas/Choice' } }
            answers: { oneOf: [{ anyOf: [{ $ref: '#/components/schemas/Secret' }, { type: integer }] }, { type: 'null' }] }
            partner: { allOf: [{ $ref: '#/components/schemas/Account', nullable: true }, { required: [password] }] }
            friends: { type: array, items: { $ref: '#/components/schemas/Numbered/properties/id' } }
            parents: { type: array, items: { oneOf: [{ $ref: '#/components/schemas/Numbered' }, { type: string }] } }
`;
const noting = notingService(contract, () => ({ status: 200, body: answer }));
const lenient = notingService(contract, () => ({ status: 200, body: answer }), { readOnly: 'leave out' });

const add = (body: object, target = '/accounts') => noting.send(target, JSON.stringify(body));
const account = { name: 'Ada', password: 'secret' };

describe('a request', () => {
  it('needs no property that is read-only, and is answered without those that are write-only', async () => {
    expect(await add(account)).toMatchObject({ status: 200, body: '{"id":1,"name":"Ada"}' });
    expect(noting.seen?.body).toEqual(account);
  });

  it('must not have a property that is read-only', async () => {
    expectError(await add({ ...account, id: 1 }), 40002, '/body/id: expected no value, got 1');
    expect(noting.seen).toBeUndefined();
  });

  it('must not have a value of a branch that is read-only, and may have one of another', async () => {
    expectError(await add({ ...account, number: 1 }), 40002, '/body/number: expected what the contract says, got 1');
    expect(await add({ ...account, number: null, answer: 'blue' })).toMatchObject({ status: 200 });
    expect(await lenient.send('/accounts', JSON.stringify({ ...account, number: 1 }))).toMatchObject({ status: 200 });
    expect(lenient.seen?.body).toEqual(account);
  });

  it('may have such a value where it is no property', async () => {
    expect(await add({ ...account, choice: 1, choices: ['a', 1] })).toMatchObject({ status: 200 });
    expectError(
      await add({ ...account, choice: 'a' }),
      40002,
      '/body/choice: expected what the contract says, got "a"',
    );
  });

  it('is handled without them, and that is counted, if the service leaves them out', async () => {
    const sent = { ...account, id: 9007199254740993, parents: [{ id: 'a', name: 'Eve' }, 'Adam'] };
    expect(await lenient.send('/accounts', JSON.stringify(sent))).toMatchObject({ status: 200 });
    expect(lenient.seen?.body).toEqual({ ...account, parents: [{ name: 'Eve' }, 'Adam'] });
    await eventually(() => expect(lenient.service.logged).toContainEqual(expect.objectContaining({ leftOut: 2 })));
    expectError(
      await lenient.send('/accounts', '{"id":1}'),
      40002,
      '/body/name: expected a value, got nothing; /body/password: expected a value, got nothing',
    );
  });

  it('may refer to a property that is read-only', async () => {
    expect(await add({ ...account, friends: [1] })).toMatchObject({ status: 200 });
    expect(noting.seen?.body).toEqual({ ...account, friends: [1n] });
    expectError(await add({ ...account, friends: ['a'] }), 40002, '/body/friends/0: expected integer, got "a"');
  });

  it('may have a null that only its author means', async () => {
    expect(await add({ ...account, title: null })).toMatchObject({ status: 200 });
    expect(noting.seen?.body).toEqual({ ...account, title: null });
  });

  it.each([
    [{ born: '2023-02-30' }, '/body/born: expected a date such as 2024-05-31, got "2023-02-30"'],
    [{ born: 20230228 }, '/body/born: expected string, got 20230228'],
    [{ seen: '2023-02-28' }, '/body/seen: expected a date-time such as 2024-05-31T12:30:00Z, got "2023-02-28"'],
    [{ mail: 'ada' }, '/body/mail: expected an email such as ada@example.com, got "ada"'],
  ])('with %p is refused, and the message names the format', async (property, message) => {
    expectError(await add({ ...account, ...property }), 40002, message);
  });

  it.each([
    ['/accounts?flag=', { flag: '' }],
    ['/accounts?flag', { flag: '' }],
  ])('to %s has an empty value, which the schema allows', async (target, query) => {
    expect(await add(account, target)).toMatchObject({ status: 200 });
    expect(noting.seen?.query).toEqual(query);
  });
});

describe('an answer', () => {
  it.each([
    [{ id: 1n, name: 'Ada', born: '2023-02-30' }, '/born: expected date'],
    [{ id: 1n, name: 'Ada', password: 'secret' }, '/password: expected no value'],
    [{ id: 1n, name: 'Ada', answer: 'blue' }, '/answer: expected'],
    [{ id: 1n, name: 'Ada', answers: 'blue' }, '/answers: expected'],
    [{ name: 'Ada' }, '/id: expected a value'],
    [{ id: 1n, name: 'Ada', title: null }, '/title: expected one of Dr'],
    [{ id: 1n, name: 'Ada', partner: null }, '/partner: expected object'],
  ])('%p is not sent', async (wrong, problem) => {
    noting.service.logged.length = 0;
    answer = wrong;
    expectError(await add(account), 50001, 'internal error');
    expect(JSON.stringify(noting.service.logged)).toContain(problem);
  });

  it('may have another value than those of a branch that is write-only', async () => {
    answer = { id: 1n, name: 'Ada', answer: null, number: 5 };
    expect(await add(account)).toMatchObject({ status: 200, body: '{"id":1,"name":"Ada","answer":null,"number":5}' });
  });

  it('needs no property that is write-only in all that a reference beside nullable leads to', async () => {
    answer = { id: 1n, name: 'Ada', title: 'Dr', partner: { id: 2n, name: 'Bob' } };
    expect(await add(account)).toMatchObject({
      status: 200,
      body: '{"id":1,"name":"Ada","title":"Dr","partner":{"id":2,"name":"Bob"}}',
    });
  });
});

describe('what a schema requires', () => {
  const post = (id: string): string =>
    `{ post: { operationId: ${id}, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/${id}' } } } }, responses: { '204': { description: Done. } } } }`;
  const KINDS = ['Lock', 'Report', 'Thing', 'Other', 'Extended', 'Based', 'Named', 'Beside', 'Nested', 'Combined'];
  const requiring = notingService(`
paths:
${KINDS.map((kind) => `  /${kind}: ${post(kind)}`).join('\n')}
components:
  schemas:
    Lock: { type: object, required: [id, owner], properties: { id: { type: integer }, owner: { type: string } } }
    Report: { type: object, required: [id, title], properties: { id: { type: integer, readOnly: true }, title: { type: string } } }
    Thing: { oneOf: [{ $ref: '#/components/schemas/Lock' }, { $ref: '#/components/schemas/Report' }] }
    Base: { type: object, required: [id, name] }
    Other: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { id: { type: integer } } }] }
    Extended: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { id: { type: integer, readOnly: true } } }] }
    Based: { allOf: [{ $ref: '#/components/schemas/Extended' }, { required: [id, tag], properties: { tag: { type: string } } }] }
    Cat: { required: [id, kind, meow] }
    Dog: { required: [id, kind, bark] }
    Named:
      properties: { id: { readOnly: true } }
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat', dog: Dog } }
    Beside: { $ref: '#/components/schemas/Base', properties: { id: { readOnly: true } } }
    Nested: { $ref: '#/components/schemas/ReadNumber/$defs/Holder' }
    ReadNumber: { $ref: '#/components/schemas/Number', readOnly: true, $defs: { Holder: { required: [id], properties: { id: { $ref: '#/components/schemas/ReadNumber' } } } } }
    Number: { type: integer }
    Combined: { required: [id], properties: { id: { allOf: [{ $ref: '#/components/schemas/ReadNumber' }] } } }
`);

  it.each(table`
    Lock | {"owner":"Ada"} | /body/id: expected a value, got nothing
    Lock | {"id":1,"owner":"Ada"} | taken
    Report | {"title":"Rust"} | taken
    Report | {"id":1,"title":"Rust"} | /body/id: expected no value, got 1
    Other | {"name":"Ada"} | /body/id: expected a value, got nothing
    Extended | {"name":"Ada"} | taken
    Extended | {"id":1,"name":"Ada"} | /body/id: expected no value, got 1
    Extended | {} | /body/name: expected a value, got nothing
    Based | {"name":"Ada","tag":"x"} | taken
    Based | {"name":"Ada"} | /body/tag: expected a value, got nothing
    Named | {"kind":"cat","meow":1} | taken
    Named | {"kind":"dog"} | /body/bark: expected a value, got nothing
    Named | {"kind":"cat","meow":1,"id":1} | /body/id: expected no value, got 1
    Beside | {"name":"Ada"} | taken
    Nested | {} | taken
    Nested | {"id":1} | /body/id: expected no value, got 1
    Combined | {} | taken
    Combined | {"id":1} | /body/id: expected no value, got 1
  `)('of %s is held to %s where only another makes a property read-only: %s', async (kind, body, message) => {
    const response = await requiring.send(`/${kind}`, body);
    if (message === 'taken') expect(response.status).toBe(204);
    else expectError(response, 40002, message);
  });
});

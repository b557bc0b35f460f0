/** Words of a contract that libraries read in ways of their own: formats, `readOnly`, `writeOnly`, extensions, empty values. */
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { eventually } from '../../support/eventually';

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
    [{ name: 'Ada' }, '/id: expected a value'],
  ])('%p is not sent', async (wrong, problem) => {
    noting.service.logged.length = 0;
    answer = wrong;
    expectError(await add(account), 50001, 'internal error');
    expect(JSON.stringify(noting.service.logged)).toContain(problem);
  });
});

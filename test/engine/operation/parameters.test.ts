/** Parameters in every style of OpenAPI, from the bytes of a request to what the handler gets. */
import type { Document } from '../../../src/engine/contract/document';
import { operationsOf } from '../../../src/engine/contract/operations';
import type { Violation } from '../../../src/engine/errors/api-error';
import { parameterReader } from '../../../src/engine/operation/parameters';
import { VIOLATIONS_MAX } from '../../../src/engine/schema/violation';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { table } from '../../support/table';

const LIST = '{ type: array, items: { type: integer, format: int64 } }';
const POINT =
  '{ type: object, required: [x], properties: { x: { type: integer, format: int64 }, name: { type: string } }, additionalProperties: false }';

/** By operation, what is behind its path, and its parameters. */
const OPERATIONS = table`
  simple | {list}/{point}/{pairs}/x
    | { name: list, in: path, schema: ${LIST} }, { name: point, in: path, schema: ${POINT} },
    { name: pairs, in: path, explode: true, schema: ${POINT} }
  label | {one}/{list}/{all}
    | { name: one, in: path, style: label, schema: { type: number } }, { name: list, in: path, style: label, schema: ${LIST} },
    { name: all, in: path, style: label, explode: true, schema: ${LIST} }
  matrix | {my-id}/{list}/{all}/{point}
    | { name: my-id, in: path, style: matrix, schema: { type: string } }, { name: list, in: path, style: matrix, schema: ${LIST} },
    { name: all, in: path, style: matrix, explode: true, schema: ${LIST} },
    { name: point, in: path, style: matrix, explode: true, schema: ${POINT} }
  form | form
    | { name: a, in: query, schema: ${LIST} }, { name: 'b[]', in: query, schema: ${LIST} },
    { name: c, in: query, explode: false, schema: ${LIST} }, { name: d, in: query, explode: false, schema: ${POINT} },
    { name: e, in: query, schema: { type: [string, array], items: { type: string } } },
    { name: f, in: query, allowReserved: true, schema: { type: string } },
    { name: g, in: query, allowEmptyValue: true, schema: { type: integer, default: 7 } },
    { name: h, in: query, schema: { oneOf: [{ type: integer }, { type: string, enum: [all] }] } },
    { name: i, in: query, schema: { type: [integer, string] } }, { name: j, in: query, schema: { enum: [1, 2] } },
    { name: k, in: query, schema: { type: [array, 'null'], items: { type: string } } },
    { name: l, in: query, schema: { oneOf: [{ type: array, items: { enum: [open, closed] } }, { type: string, enum: [all] }, { type: integer }] } },
    { name: m, in: query, explode: false, schema: { oneOf: [{ type: array, items: { type: integer } }, { type: string, format: date }] } },
    { name: n, in: query, schema: { anyOf: [{ type: array, items: { type: integer } }, { type: integer }, { type: 'null' }] } },
    { name: o, in: query, schema: { enum: ['1', 2] } },
    { name: p, in: query, schema: { anyOf: [{ type: integer, maximum: 5 }, { enum: ['10', all] }] } },
    { name: q, in: query, schema: { oneOf: [{ type: array, items: { type: integer } }, { const: all }] } }
  other | other
    | { name: s, in: query, style: spaceDelimited, explode: false, schema: ${LIST} },
    { name: p, in: query, style: pipeDelimited, explode: false, schema: ${LIST} },
    { name: deep, in: query, style: deepObject, explode: true, schema: { type: object, properties: { n: { type: integer,
    format: int64 }, list: ${LIST}, point: ${POINT} }, additionalProperties: { type: boolean } } },
    { name: since, in: query, style: deepObject, schema: { anyOf: [{ type: object, properties: { gt: { type: integer } } }, { type: integer }] } },
    { name: json, in: query, content: { application/json: { schema: ${POINT} } } },
    { name: tags, in: query, content: { application/json: { schema: { type: array, items: { type: string } } } } }
  open | open
    | { name: known, in: query, schema: { type: boolean } },
    { name: rest, in: query, schema: { type: object, properties: { list: ${LIST} }, additionalProperties: { type: number } } }
  closed | closed | { name: point, in: query, schema: ${POINT} }
  tuples | tuples
    | { name: a, in: query, explode: false, schema: { prefixItems: [{ type: integer }, { type: string }], items: { type: boolean } } },
    { name: b, in: query, schema: { prefixItems: [{ type: string }, { type: integer }], items: false } },
    { name: c, in: query, schema: { allOf: [{ type: array, prefixItems: [{ type: integer }] }], unevaluatedItems: { type: string } } },
    { name: deep, in: query, style: deepObject, schema: { allOf: [{ properties: { k: { type: string } } }], properties: { t: { prefixItems: [{ type: integer }, { type: string }] } },
    unevaluatedProperties: { type: integer } } }
  empty | empty
    | { name: a, in: query, allowEmptyValue: true, schema: { type: string } }, { name: b, in: query, allowEmptyValue: true, schema: { enum: [asc, desc] } },
    { name: c, in: query, allowEmptyValue: true, schema: { type: string, format: date } }, { name: d, in: query, allowEmptyValue: true, schema: { type: string, minLength: 2 } },
    { name: e, in: query, allowEmptyValue: true, schema: {} }, { name: f, in: query, allowEmptyValue: true, schema: { enum: ['', all] } }
  either | {id} | { name: id, in: path, schema: { anyOf: [{ type: integer, format: uint64 }, { type: string, format: uuid }] } }
  named | named | { name: __proto__, in: query, required: true, schema: { type: integer, format: int64, minimum: 5 } }
  header | header
    | { name: X-List, in: header, schema: ${LIST} }, { name: X-Point, in: header, explode: true, schema: ${POINT} },
    { name: X-Text, in: header, schema: { type: string } }, { name: User-Agent, in: header, schema: { type: string } },
    { name: Content-Type, in: header, required: true, schema: { type: integer } },
    { name: authorization, in: header, required: true, schema: { type: integer } }
  cookie | cookie
    | { name: id, in: cookie, required: true, schema: { type: integer, format: int64 } },
    { name: text, in: cookie, schema: { type: string, readOnly: true } },
    { name: list, in: cookie, explode: false, schema: ${LIST} },
    { name: point, in: cookie, schema: { type: object, properties: { x: { type: integer, format: int64 }, name: { type: string } } } }
`;
const paths = OPERATIONS.map(([id, path, parameters = '']) => {
  const required = parameters.replaceAll('in: path,', 'in: path, required: true,');
  return `  /${id}/${path}: { get: { operationId: ${id}, parameters: [${required}], responses: { '204': { description: Seen. } } } }`;
});
const noting = notingService(`
paths:
${paths.join('\n')}
`);

const { get } = noting;

const MAX = 9223372036854775807n;

const REST = Object.fromEntries(Object.entries({ list: [1n], a: 1.5, ['__proto__']: 2 }));
it.each<[target: string, values: object]>([
  [
    '/simple/1,9223372036854775807/x,2,name,a%2Cb/x=3,name=%3D/x',
    { list: [1n, MAX], point: { x: 2n, name: 'a,b' }, pairs: { x: 3n, name: '=' } },
  ],
  ['/label/.1e3/.1,2/.1.2', { one: 1000, list: [1n, 2n], all: [1n, 2n] }],
  [
    '/matrix/;my-id=a%3Bb/;list=1,2/;all=1;all=2/;x=1;name=n',
    { 'my-id': 'a;b', list: [1n, 2n], all: [1n, 2n], point: { x: 1n, name: 'n' } },
  ],
  // An empty text has no equals sign (RFC 6570 section 3.2.7).
  ['/matrix/;my-id/;list=1/;all=1/;x=1', { 'my-id': '', list: [1n], all: [1n], point: { x: 1n } }],
  [
    '/form/form?a=1&a=9223372036854775807&b[]=2&b%5B%5D=3&c=4,5&d=x,6,name,a%2Cb',
    { a: [1n, MAX], 'b[]': [2n, 3n], c: [4n, 5n], d: { x: 6n, name: 'a,b' }, g: 7 },
  ],
  ['/form/form?e=1&f=a+b/?:@,&g=&h=5&i=5&j=2', { e: '1', f: 'a+b/?:@,', g: 7, h: 5, i: '5', j: 2 }],
  ['/form/form?e=1&e=2&h=all&g=8&k=1', { e: ['1', '2'], h: 'all', g: 8, k: ['1'] }],
  ['/form/form?l=open&m=5', { g: 7, l: ['open'], m: [5] }],
  ['/form/form?l=all&m=2026-05-01', { g: 7, l: 'all', m: '2026-05-01' }],
  ['/form/form?l=5&n=', { g: 7, l: 5, n: null }],
  ['/form/form?o=1&p=10&q=all', { g: 7, o: '1', p: '10', q: 'all' }],
  ['/form/form?o=2&p=4&q=6', { g: 7, o: 2, p: 4, q: [6] }],
  ['/other/other?s=1%202+3&p=1|2%7c3', { s: [1n, 2n, 3n], p: [1n, 2n, 3n] }],
  [
    '/other/other?deep[n]=1&deep[list][]=1&deep%5Blist%5D[]=2&deep[point][x]=3&deep[flag]=true',
    { deep: { n: 1n, list: [1n, 2n], point: { x: 3n }, flag: true } },
  ],
  ['/other/other?deep[list]=1&deep[list]=2', { deep: { list: [1n, 2n] } }],
  ['/other/other?deep[list][1]=2&deep[list][0]=1', { deep: { list: [1n, 2n] } }],
  ['/other/other?since=5', { since: 5 }],
  ['/other/other?since[gt]=5', { since: { gt: 5 } }],
  ['/tuples/tuples?a=1,2,true,false&b=3&b=4', { a: [1, '2', true, false], b: ['3', 4] }],
  ['/tuples/tuples?c=1&c=2', { c: [1, '2'] }],
  ['/tuples/tuples?deep[t][1]=2&deep[t][0]=1', { deep: { t: [1, '2'] } }],
  ['/tuples/tuples?deep[t][]=1&deep[t][]=2&deep[k]=3&deep[more]=4', { deep: { t: [1, '2'], k: '3', more: 4 } }],
  ['/empty/empty?a=&b=&c=&d=&e=&f=', { a: '', e: '', f: '' }],
  ['/either/12', { id: 12n }],
  ['/either/6ba7b810-9dad-11d1-80b4-00c04fd430c8', { id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8' }],
  ['/other/other?json=%7B%22x%22:9223372036854775807%7D', { json: { x: MAX } }],
  ['/open/open?known=true&list=1&a=1.5&__proto__=2', { known: true, rest: REST }],
  ['/open/open', {}],
  ['/closed/closed?x=5', { point: { x: 5n } }],
  ['/named/named?__proto__=5', Object.fromEntries([['__proto__', 5n]])],
])('%s has %j', async (target, values) => {
  expect(await get(target)).toMatchObject({ status: 204 });
  expect({ ...noting.seen?.path, ...noting.seen?.query }).toEqual(values);
});

const CUT = 'expected JSON: expected a key at line 1, column 2: the text ends there';
it.each<[target: string, message: string]>([
  ['/simple/1,x/x,1/x=1/x', '/path/list/1: expected integer, got "x"'],
  ['/simple/1/x/x=1/x', '/path/point: expected a value for each property, got another text'],
  ['/simple/1/x,1,name/x=1/x', '/path/point: expected a value for each property, got another text'],
  ['/simple/1/x,1/x=1,name/x', '/path/pairs: expected a value for each property, got another text'],
  ['/form/form?d=', '/query/d/x: expected a value, got nothing'],
  ['/simple/1/x,1,x,2/x=1/x', '/path/point: expected no property twice, got another text'],
  ['/simple/1/x,1/x=1,y=2/x', '/path/pairs/y: expected no property of this name, got "2"'],
  ['/matrix/a/;list=1/;all=1/;x=1', '/path/my-id: expected a text that begins with ";", got another text'],
  ['/matrix/;id=a/;list=1/;all=1/;x=1', '/path/my-id: expected ";my-id=" and a value, got another text'],
  [
    '/matrix/;my-id=a;my-id=b/;list=1;list=2/;all=1/;x=1',
    '/path/my-id: expected ";my-id=" and a value, got another text; /path/list: expected ";list=" and a value, got another text',
  ],
  ['/form/form?c=1%2C2', '/query/c/0: expected integer, got "1,2"'],
  ['/form/form?a[]=1', '/query/a%5B%5D: expected no parameter of this name, got one'],
  ['/form/form?j=3', '/query/j: expected one of 1, 2, got 3'],
  ['/form/form?h=some', '/query/h: expected integer or one of all, got "some"'],
  ['/other/other?deep=1', '/query/deep: expected no parameter of this name, got one'],
  ['/other/other?deep[n=1', '/query/deep%5Bn: expected no parameter of this name, got one'],
  ['/other/other?deep[n][]=1', '/query/deep/n: expected integer, got array'],
  ['/other/other?deep[n][x]=1', '/query/deep/n: expected integer, got object'],
  ['/other/other?deep[]=1', '/query/deep: expected object, got array'],
  ['/other/other?deep[n]=1&deep[n][x]=1', '/query/deep: expected one form of it, got another text'],
  ['/other/other?since=5&since[gt]=6', '/query/since: expected one form of it, got another text'],
  [`/other/other?deep${'[a]'.repeat(65)}=1`, '/query/deep: expected at most 64 levels of nesting, got another text'],
  ['/named/named?__proto__=4', '/query/__proto__: expected a number >= 5, got 4'],
  ['/other/other?deep[__proto__]=1', '/query/deep/__proto__: expected boolean, got "1"'],
  ['/other/other?json={', `/query/json: ${CUT}, got another text`],
  ['/other/other?tags=["a"]&tags=b', '/query/tags: expected one value, got several'],
  ['/open/open?a=x', '/query/rest/a: expected number, got "x"'],
  ['/closed/closed?x=1&y=2', '/query/y: expected no parameter of this name, got one'],
  ['/closed/closed?name=a', '/query/point/x: expected a value, got nothing'],
])('%s is refused', async (target, message) => {
  expectError(await get(target), 40002, message);
  expect(noting.seen).toBeUndefined();
});

it('headers are lists and objects, and those that OpenAPI ignores are', async () => {
  const headers = { 'x-list': '1, 9223372036854775807', 'X-Point': 'x=1,name=a%2C' };
  expect(await get('/header/header', headers)).toMatchObject({ status: 204 });
  expect(noting.seen?.header).toEqual({ 'X-List': [1n, MAX], 'X-Point': { x: 1n, name: 'a%2C' } });
  expectError(await get('/header/header', { 'X-List': '1,' }), 40002, '/header/X-List/1: expected integer, got ""');
});

it('a header of which Node keeps the first is refused if it came twice', async () => {
  expect(await get('/header/header', { 'X-Text': ['a', 'b'], 'User-Agent': 'c' })).toMatchObject({ status: 204 });
  expect(noting.seen?.header).toEqual({ 'X-Text': 'a, b', 'User-Agent': 'c' });
  const answer = await get('/header/header', { 'User-Agent': ['a', 'b'] });
  expectError(answer, 40003, 'expected one user-agent header, got several');
});

it.each(['\xe9', Buffer.from('é').toString('latin1')])(
  'a header or cookie of other bytes than ASCII is refused: %j',
  async (text) => {
    const refused = [40003, 'expected parameters of ASCII in headers and cookies'] as const;
    expectError(await get('/header/header', { 'X-Point': `x=1,name=${text}` }), ...refused);
    expectError(await get('/cookie/cookie', { Cookie: `id=1; text=${text}` }), ...refused);
    expect(await get('/cookie/cookie', { Cookie: `id=1; other=${text}` })).toMatchObject({ status: 204 });
  },
);

it('cookies are read by name, whatever others there are', async () => {
  const headers = { Cookie: 'other=%; id=9223372036854775807; text="a%20b"; list=1,2; x="3"; name="n"' };
  expect(await get('/cookie/cookie', headers)).toMatchObject({ status: 204 });
  expect(noting.seen?.cookie).toEqual({ id: MAX, text: 'a b', list: [1n, 2n], point: { x: 3n, name: 'n' } });
  expectError(await get('/cookie/cookie', { Cookie: 'text=a' }), 40002, '/cookie/id: expected a value, got nothing');
  expectError(await get('/cookie/cookie', { Cookie: 'id=%ff' }), 40003, 'expected percent-encoded UTF-8');
});

it('parameters that are not declared are looked at up to the number that an answer has of them', () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } } as const;
  const document: Document = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    paths: { '/notes': { get: { operationId: 'list', parameters: [limit], responses: {} } } },
  };
  const [operation] = operationsOf(document);
  if (!operation) throw new Error('there is an operation');
  const query = Array.from({ length: 1_000 }, (_, index) => `limit${index}`).join('&');
  const found: Violation[] = [];
  parameterReader(document, operation)({ path: {}, query, headers: {}, rawHeaders: [] }, found);
  expect(found).toHaveLength(VIOLATIONS_MAX);
});

/** How errors are written for what a contract declares. */
import { stringify } from 'yaml';
import { ApiError } from '../../../src/engine/errors/api-error';
import { canRead } from '../../../src/engine/contract/media-type';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { contractOf } from '../../support/contracts';

/** What is sent for an error, and for one that is not declared. */
function sent(
  content: object | undefined,
  error = new ApiError(40002, 'wrong'),
): [declared: unknown, undeclared: unknown] {
  const responses = { '200': { description: 'All.' }, '4XX': { description: 'No.', ...(content && { content }) } };
  const file = contractOf(
    stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1.0.0' },
      paths: { '/notes': { get: { operationId: 'getNotes', responses } } },
    }),
  );
  const { errorBodies } = loadContract(file, { handlers: ['getNotes'], verifiers: {}, canRead });
  return [errorBodies.of({ id: 'getNotes' }, error), errorBodies.of(undefined, error)];
}

const fields = (...names: string[]): object => ({
  type: 'object',
  required: names.map((name) => name.split(' ')[0]),
  properties: Object.fromEntries(names.map((each) => each.split(' ')).map(([name = '', type]) => [name, { type }])),
  additionalProperties: false,
});
const within = (name: string, schema: object): object => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
});

it.each<[schema: object, body: unknown]>([
  [{}, { error: 40002, message: 'wrong' }],
  [fields('error integer', 'message string'), { error: 40002, message: 'wrong' }],
  [fields('message string'), { message: 'wrong' }],
  [fields('error string'), { error: 'wrong' }],
  [fields('detail string'), { detail: 'wrong' }],
  [fields('code string', 'message string'), { code: 'ContractViolation', message: 'wrong' }],
  [fields('code integer', 'message string'), { code: 40002, message: 'wrong' }],
  [fields('error boolean', 'reason string'), { error: true, reason: 'wrong' }],
  [fields('constructor string', 'message string'), { constructor: '', message: 'wrong' }],
  [
    fields('type string', 'title string', 'status integer', 'detail string'),
    { type: 'ContractViolation', title: 'Bad Request', status: 400, detail: 'wrong' },
  ],
  [
    within('error', fields('code string', 'message string')),
    { error: { code: 'ContractViolation', message: 'wrong' } },
  ],
  [within('errors', { type: 'array', items: fields('message string') }), { errors: [{ message: 'wrong' }] }],
  [within('errors', { type: 'array', items: { type: 'string' } }), { errors: ['wrong'] }],
  [within('errors', within('body', { type: 'array', items: { type: 'string' } })), { errors: { body: ['wrong'] } }],
  [within('object', { const: 'error' }), { object: 'error' }],
  [{ oneOf: [fields('colour string'), fields('msg string')] }, { msg: 'wrong' }],
  [within('message', { type: 'string', maxLength: 3 }), { message: 'wro' }],
  [{ type: 'string' }, 'wrong'],
  [
    fields('message string', 'colour string', 'size integer', 'big boolean', 'tags array', 'tag null'),
    { message: 'wrong', colour: '', size: 0, big: false, tags: [], tag: null },
  ],
  [
    {
      required: ['a', 'b', 'c', 'd', 'e', 'f'],
      properties: {
        a: { type: 'string', enum: ['conflict', 'invalid_input'] },
        b: { type: 'string', default: 'standard' },
        c: { type: 'string', format: 'uuid' },
        d: { type: 'string', minLength: 1 },
        e: { type: 'object', required: ['g'], properties: { g: { type: 'integer', minimum: 7 } } },
        f: { type: 'array', minItems: 1, items: { type: 'string', example: 'for example' } },
      },
    },
    {
      a: 'invalid_input',
      b: 'standard',
      c: '00000000-0000-0000-0000-000000000000',
      d: 'ContractViolation',
      e: { g: 7 },
      f: ['for example'],
    },
  ],
])('as %j', (schema, body) => {
  const content = { mediaType: 'application/json', body };
  expect(sent({ 'application/json': { schema } })).toEqual([content, content]);
});

const item = (...names: string[]): object => ({ type: 'array', items: fields(...names) });

it.each<[schema: object, body: unknown]>([
  [within('errors', { type: 'array', items: { type: 'string' } }), { errors: ['/body/a/0: one', '/query/b: two'] }],
  [
    {
      type: 'object',
      required: ['title', 'detail'],
      properties: {
        title: { type: 'string' },
        detail: { type: 'string' },
        errors: item('detail string', 'pointer string'),
      },
    },
    {
      title: 'Bad Request',
      detail: 'wrong',
      errors: [
        { detail: 'one', pointer: '/body/a/0' },
        { detail: 'two', pointer: '/query/b' },
      ],
    },
  ],
  [
    within('invalid-params', item('name string', 'reason string')),
    {
      'invalid-params': [
        { name: '/body/a/0', reason: 'one' },
        { name: '/query/b', reason: 'two' },
      ],
    },
  ],
  [
    within('detail', {
      type: 'array',
      items: within('loc', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
    }),
    { detail: [{ loc: ['body', 'a', '0'] }, { loc: ['query', 'b'] }] },
  ],
  [
    within('errors', {
      type: 'array',
      items: {
        type: 'object',
        required: ['in', 'source', 'code'],
        properties: {
          in: { enum: ['query', 'body'] },
          source: fields('pointer string'),
          code: { type: 'integer' },
          message: { type: 'string' },
        },
      },
    }),
    {
      errors: [
        { in: 'body', source: { pointer: '/body/a/0' }, code: 40002, message: 'one' },
        { in: 'query', source: { pointer: '/query/b' }, code: 40002, message: 'two' },
      ],
    },
  ],
  [within('errors', { type: 'array', maxItems: 1, items: { type: 'string' } }), { errors: ['/body/a/0: one'] }],
  [within('errors', { type: 'array', items: { type: 'string', maxLength: 7 } }), { errors: ['wrong'] }],
  [fields('message string'), { message: 'wrong' }],
])('all that is wrong, as %j', (schema, body) => {
  const violations = [
    { place: '/body/a/0', text: 'one' },
    { place: '/query/b', text: 'two' },
  ];
  const error = new ApiError(40002, 'wrong', { violations });
  expect(sent({ 'application/json': { schema } }, error)[0]).toEqual({ mediaType: 'application/json', body });
});

it('within itself no more than once, in a list of all that is wrong', () => {
  const names = ['error', 'errors', 'detail', 'details', 'data', 'violations', 'issues'];
  const itself = { $ref: '#/paths/~1notes/get/responses/4XX/content/application~1json/schema' };
  const properties = {
    message: { type: 'string' },
    ...Object.fromEntries(names.map((name) => [name, itself])),
    reason: { type: 'array', items: itself },
  };
  const schema = { type: 'object', required: ['message'], properties };
  const error = new ApiError(40002, 'wrong', { violations: [{ place: '/body/a', text: 'one' }] });
  const body = { message: 'wrong', reason: [{ message: '/body/a: one' }] };
  expect(sent({ 'application/json': { schema } }, error)[0]).toEqual({ mediaType: 'application/json', body });
});

it.each<[declared: string, mediaType: string]>([
  ['application/problem+json', 'application/problem+json'],
  ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
  ['*/*', 'application/json'],
])('as %s', (declared, mediaType) => {
  const [content] = sent({ [declared]: { schema: fields('title string') } });
  expect(content).toEqual({ mediaType, body: { title: 'wrong' } });
});

it('without a body if none is declared, and in our shape elsewhere', () => {
  const plain = { mediaType: 'application/json', body: { error: 40002, message: 'wrong' } };
  expect(sent(undefined)).toEqual([undefined, plain]);
});

it('as text', () => {
  expect(sent({ 'text/plain': {} })[0]).toEqual({ mediaType: 'text/plain', body: 'wrong' });
});

it('as HTML without markup, if nothing else is declared', () => {
  const error = new ApiError(40002, '<b a="\'&🌵');
  const [content] = sent({ 'text/html': { schema: { type: 'string' } } }, error);
  expect(content).toEqual({ mediaType: 'text/html', body: '&#60;b a=&#34;&#39;&#38;&#127797;' });
  expect(sent({ 'text/html': {}, 'text/plain': {} }, error)[0]).toEqual({
    mediaType: 'text/plain',
    body: error.message,
  });
});

/** How the errors of a contract seem to be written: as the mock writes them, and as `new` writes it down. */
import { STATUS_CODES } from 'node:http';
import { runInNewContext } from 'node:vm';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { parse, stringify } from 'yaml';
import { ApiError, type ErrorBody, ErrorCode, type ErrorTable } from '../../../src/engine';
import { guessedBody } from '../../../src/tools/errors/shapes';
import { mockingOf } from '../../../src/tools/mock/mocking';
import { errorBodyText } from '../../../src/tools/new/error-body';
import { canRead } from '../../../src/engine/contract/media-type';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { contractOf } from '../../support/contracts';
import { table } from '../../support/table';
import { isObject } from '../../../src/engine/schema/conversion';

/** A contract of one operation, whose errors of requests have this content. */
function contractWith(content: object | undefined): string {
  const responses = { '200': { description: 'All.' }, '4XX': { description: 'No.', ...(content && { content }) } };
  return contractOf(
    stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1.0.0' },
      paths: { '/notes': { get: { operationId: 'getNotes', responses } } },
    }),
  );
}

/** What is sent for an error, and for one that is not declared. */
function sent(
  content: object | undefined,
  error = new ApiError(40002, 'wrong'),
): [declared: unknown, undeclared: unknown] {
  const file = contractWith(content);
  const { errorsOf } = mockingOf(0);
  const served = { handlers: ['getNotes'], verifiers: {}, canRead };
  const guessed = loadContract(file, { ...served, errorsOf });
  const written = loadContract(file, { ...served, errorBody: evaluated(errorBodyText(guessed)) });
  const bodies = [guessed, written].flatMap(({ errorBodies }) => [
    [errorBodies.of({ id: 'getNotes' })(error), errorBodies.of()(error)],
  ]);
  expect(bodies[0]).toEqual(bodies[1]);
  return [bodies[0]?.[0], bodies[0]?.[1]];
}

/** What `src/error-body.ts` exports. */
function evaluated(text: string | undefined): ErrorBody | undefined {
  if (text === undefined) return undefined;
  const { outputText } = transpileModule(text, {
    compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
  });
  const modules: Readonly<Record<string, unknown>> = {
    'node:http': { STATUS_CODES },
    'openapi-in-charge': { ErrorCode },
    './error-codes': { errorCodes: {} },
  };
  const exported: { errorBody?: ErrorBody } = {};
  runInNewContext(outputText, { exports: exported, require: (name: string) => modules[name] });
  return exported.errorBody;
}

/** A schema, of which `all: { error: integer, tags: { ... } }` stands for an object of just these fields, by type or schema. */
function schemaOf(text: string): object {
  return parse(text, (_key, value: unknown) => {
    if (!isObject(value) || !isObject(value.all)) return value;
    const properties = Object.entries(value.all).map(([name, of]) => [name, isObject(of) ? of : { type: of }] as const);
    const required = properties.map(([name]) => name);
    return { type: 'object', required, properties: Object.fromEntries(properties), additionalProperties: false };
  }) as object;
}

it.each(table`
  {} | { error: 40002, message: wrong }
  { all: { error: integer, message: string } } | { error: 40002, message: wrong }
  { all: { message: string } } | { message: wrong }
  { all: { error: string } } | { error: wrong }
  { all: { detail: string } } | { detail: wrong }
  { all: { code: string, message: string } } | { code: ContractViolation, message: wrong }
  { all: { code: integer, message: string } } | { code: 40002, message: wrong }
  { all: { error: boolean, reason: string } } | { error: true, reason: wrong }
  { all: { constructor: string, message: string } } | { constructor: '', message: wrong }
  { all: { type: string, title: string, status: integer, detail: string } }
    | { type: ContractViolation, title: Bad Request, status: 400, detail: wrong }
  { all: { error: { all: { code: string, message: string } } } } | { error: { code: ContractViolation, message: wrong } }
  { all: { errors: { type: array, items: { all: { message: string } } } } } | { errors: [{ message: wrong }] }
  { all: { errors: { type: array, items: { type: string } } } } | { errors: [wrong] }
  { all: { messages: { type: array, minItems: 1, items: { all: { text: string } } } } } | { messages: [{ text: wrong }] }
  { all: { errors: { all: { body: { type: array, items: { type: string } } } } } } | { errors: { body: [wrong] } }
  { all: { object: { const: error } } } | { object: error }
  { oneOf: [{ all: { colour: string } }, { all: { msg: string } }] } | { msg: wrong }
  { all: { message: { type: string, maxLength: 3 } } } | { message: wro }
  { type: string } | wrong
  { all: { message: string, colour: string, size: integer, big: boolean, tags: array, tag: 'null' } }
    | { message: wrong, colour: '', size: 0, big: false, tags: [], tag: null }
  { all: { a: { type: string, enum: [conflict, invalid_input] }, b: { type: string, default: standard }, c: { type: string,
    format: uuid }, d: { type: string, minLength: 1 }, e: { all: { g: { type: integer, minimum: 7 } } }, f: { type: array,
    minItems: 1, items: { type: string, example: for example } } } }
    | { a: invalid_input, b: standard, c: 00000000-0000-0000-0000-000000000000, d: ContractViolation, e: { g: 7 },
    f: [for example] }
`)('as %s', (schema, body) => {
  const content = { mediaType: 'application/json', body: parse(body) as unknown };
  expect(sent({ 'application/json': { schema: schemaOf(schema) } })).toEqual([content, content]);
});

it.each(table`
  { all: { errors: { type: array, items: { type: string } } } } | { errors: ['/body/a/0: one', '/query/b: two'] }
  { required: [title, detail], properties: { title: { type: string }, detail: { type: string }, errors: { type: array, items:
    { all: { detail: string, pointer: string } } } } }
    | { title: Bad Request, detail: wrong, errors: [{ detail: one, pointer: /body/a/0 }, { detail: two, pointer: /query/b }] }
  { all: { invalid-params: { type: array, items: { all: { name: string, reason: string } } } } }
    | { invalid-params: [{ name: /body/a/0, reason: one }, { name: /query/b, reason: two }] }
  { all: { detail: { type: array, items: { all: { loc: { type: array, items: { anyOf:
    [{ type: string }, { type: integer }] } } } } } } }
    | { detail: [{ loc: [body, a, '0'] }, { loc: [query, b] }] }
  { all: { errors: { type: array, items: { required: [in, source, code], properties: { in: { enum: [query, body] },
    source: { all: { pointer: string } }, code: { type: integer }, message: { type: string } } } } } }
    | { errors: [{ in: body, source: { pointer: /body/a/0 }, code: 40002, message: one },
    { in: query, source: { pointer: /query/b }, code: 40002, message: two }] }
  { all: { errors: { type: array, maxItems: 1, items: { type: string } } } } | { errors: ['/body/a/0: one'] }
  { all: { errors: { type: array, items: { type: string, maxLength: 7 } } } } | { errors: [wrong] }
  { all: { message: string } } | { message: wrong }
`)('all that is wrong, as %s', (schema, text) => {
  const violations = [
    { place: '/body/a/0', text: 'one' },
    { place: '/query/b', text: 'two' },
  ];
  const error = new ApiError(40002, 'wrong', { violations });
  const body: unknown = parse(text);
  expect(sent({ 'application/json': { schema: schemaOf(schema) } }, error)[0]).toEqual({
    mediaType: 'application/json',
    body,
  });
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
  ['application/vnd.goa.error', 'application/vnd.goa.error'],
])('as %s', (declared, mediaType) => {
  const [content] = sent({ [declared]: { schema: schemaOf('{ all: { title: string } }') } });
  expect(content).toEqual({ mediaType, body: { title: 'wrong' } });
});

it('as JSON, where a media type of a vendor is declared beside it', () => {
  const media = { schema: schemaOf('{ all: { title: string } }') };
  const [content] = sent({ 'application/vnd.acme.protobuf': media, 'application/json': media });
  expect(content).toEqual({ mediaType: 'application/json', body: { title: 'wrong' } });
});

it("without a body if none is declared, and in the engine's shape elsewhere", () => {
  const body = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'wrong', code: 40002 };
  expect(sent(undefined)).toEqual([undefined, { mediaType: 'application/problem+json', body }]);
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

/** Branches of a `oneOf`, one for each of the statuses. */
const OF_STATUSES = [401, 400, 403, 408, 413, 415, 417, 429, 431]
  .map((status) => `{ all: { status: { const: ${status} }, is${status}: { const: true } } }`)
  .join();

it.each(table`
  a code of another range is the status
    | { properties: { code: { type: integer, minimum: 400, maximum: 600 }, message: { type: string } } }
    | { code: 400, message: wrong }
  a word of a list is the one for the status, or one of requests
    | { all: { code: { enum: [environment_mismatch_error, invalid_parameters_error, unauthorized] }, message: string } }
    | { code: invalid_parameters_error, message: wrong }
  a schema of several has the branch that fits the status
    | { oneOf: [${OF_STATUSES}] }
    | { status: 400, is400: true }
`)('each field is tried against its schema, and the body against the whole: %s', (_what, schema, body) => {
  const content = { mediaType: 'application/json', body: parse(body) as unknown };
  expect(sent({ 'application/json': { schema: schemaOf(schema) } })[0]).toEqual(content);
});

describe('where no guess fits', () => {
  const schema = {
    type: 'object',
    required: ['ref', 'title', 'detail'],
    properties: {
      ref: { type: 'string', pattern: '^E-[0-9]{4}$' },
      title: { type: 'string' },
      detail: { type: 'string', minLength: 1 },
    },
  };

  it('the example of the response is sent, with the message in it', () => {
    const example = { ref: 'E-0815', title: 'Sold out', detail: 'There are no seats left.' };
    const body = { ref: 'E-0815', title: 'Bad Request', detail: 'wrong' };
    const examples = { lost: { $ref: '#/components/examples/Lost' }, soldOut: { value: example } };
    expect(sent({ 'application/json': { schema, examples } })[0]).toEqual({ mediaType: 'application/json', body });
  });

  it('a sample is the last resort of the mock, and no message, detail or title of it is sent; `new` refuses the contract', () => {
    const file = contractWith({ 'application/json': { schema } });
    const served = { handlers: ['getNotes'], verifiers: {}, canRead };
    const { errorBodies } = loadContract(file, { ...served, errorsOf: mockingOf(0).errorsOf });
    expect(errorBodies.of({ id: 'getNotes' })(new ApiError(40002, 'wrong'))?.body).toEqual({
      ref: expect.stringMatching(/^E-\d{4}$/) as unknown,
      title: 'Bad Request',
      detail: 'wrong',
    });
    expect(() => loadContract(file, { ...served, errorsOf: guessedBody })).toThrow('give the service an errorBody');
  });
});

it('writes a table where a contract has several shapes, by the names of their schemas', () => {
  const declared = (name: string): object => ({
    description: 'No.',
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const operation = (operationId: string, name: string): object => ({
    get: { operationId, responses: { '4XX': declared(name) } },
  });
  const paths = {
    '/a': operation('a', 'Said'),
    '/x': operation('x', 'Said'),
    '/b': operation('b', 'Coded'),
    '/c': operation('c', 'Said'),
    '/d': operation('d', 'Same'),
  };
  const coded = (): object => schemaOf('{ all: { code: integer, message: string } }');
  const schemas = { Said: schemaOf('{ all: { said: string, message: string } }'), Coded: coded(), Same: coded() };
  const info = { title: 'Notes', version: '1.0.0' };
  const file = contractOf(stringify({ openapi: '3.1.0', info, paths, components: { schemas } }));
  const loaded = loadContract(file, {
    handlers: ['a', 'b', 'c', 'd', 'x'],
    verifiers: {},
    canRead,
    errorsOf: guessedBody,
  });
  const written = evaluated(errorBodyText(loaded)) as ErrorTable;
  const error = new ApiError(40002, 'wrong');
  expect(Object.entries(written).map(([name, { body }]) => [name, body(error)])).toEqual([
    ['default', { said: '', message: 'wrong' }],
    ['Coded', { code: 40002, message: 'wrong' }],
    ['Same', { code: 40002, message: 'wrong' }],
  ]);
});

it('writes RFC 9457 for a schema without a shape of its own that the usual one does not fit', () => {
  const declared = (error: object): object => ({
    description: 'No.',
    content: { 'application/json': { schema: { type: 'object', properties: { error } } } },
  });
  const responses = {
    '200': { description: 'All.' },
    '400': declared({ type: 'integer', enum: [2, 3, 9] }),
    '500': declared({ type: 'string' }),
  };
  const parameters = [{ name: 'page', in: 'query', schema: { type: 'integer' } }];
  const paths = { '/notes': { get: { operationId: 'getNotes', parameters, responses } } };
  const file = contractOf(stringify({ openapi: '3.1.0', info: { title: 'Notes', version: '1.0.0' }, paths }));
  const served = { handlers: ['getNotes'], verifiers: {}, canRead };
  const guessed = loadContract(file, { ...served, errorsOf: guessedBody });
  const written = loadContract(file, { ...served, errorBody: evaluated(errorBodyText(guessed)) });
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'wrong', code: 40002 };
  for (const { errorBodies } of [guessed, written])
    expect(
      [new ApiError(40002, 'wrong'), new ApiError(50001, 'broken')].map(errorBodies.of({ id: 'getNotes' })),
    ).toEqual([
      { mediaType: 'application/json', body: problem },
      { mediaType: 'application/json', body: { error: 'broken' } },
    ]);
});

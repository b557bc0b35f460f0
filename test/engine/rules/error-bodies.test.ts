/** How errors are written for what a contract declares: in the engine's own shapes, and in those of a service. */
import { stringify } from 'yaml';
import { ApiError } from '../../../src/engine/errors/api-error';
import type { ErrorBody, ErrorShape } from '../../../src/engine/errors/error-body';
import { canRead } from '../../../src/engine/contract/media-type';
import { loadContract, type LoadedContract } from '../../../src/engine/rules/load-contract';
import { contractOf } from '../../support/contracts';

const WRONG = new ApiError(40002, 'wrong');
const RFC_9457 = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'wrong', code: 40002 };
const PROBLEM = 'application/problem+json';
const PLAIN = { error: 40002, message: 'wrong' };

/** What is sent for an error, and for one that is not declared. */
function sent(content: object | undefined, errorBody?: ErrorBody, error = WRONG): unknown[] {
  const { errorBodies } = load(content, errorBody);
  return [errorBodies.of({ id: 'getNotes' })(error), errorBodies.of()(error)];
}

function load(content: object | undefined, errorBody?: ErrorBody): LoadedContract {
  const responses = { '200': { description: 'All.' }, '4XX': { description: 'No.', ...(content && { content }) } };
  const file = contractOf(
    stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1.0.0' },
      paths: { '/notes': { get: { operationId: 'getNotes', responses } } },
      components: { schemas: { Coded: fields('code integer'), Said: fields('said string') } },
    }),
  );
  return loadContract(file, { handlers: ['getNotes'], verifiers: {}, canRead, errorBody });
}

function fields(...names: string[]): object {
  const properties = names.map((each) => each.split(' ')).map(([name = '', type]) => [name, { type }] as const);
  const required = properties.map(([name]) => name);
  return { type: 'object', required, properties: Object.fromEntries(properties) };
}
const json = (schema: object): object => ({ 'application/json': { schema } });
const named = (name: string): object => json({ $ref: `#/components/schemas/${name}` });

describe('without an errorBody, errors are', () => {
  const plain = fields('error integer', 'message string');
  const problem = fields('title string', 'detail string');
  it.each<[what: string, content: object, mediaType: string, body: unknown, undeclared: unknown]>([
    ['plain where that is declared', json(plain), 'application/json', PLAIN, PLAIN],
    ['problems where anything is allowed', json({}), 'application/json', RFC_9457, RFC_9457],
    ['problems where these are declared', { [PROBLEM]: { schema: problem } }, PROBLEM, RFC_9457, RFC_9457],
    ['problems of their own media type under a range', { '*/*': {} }, PROBLEM, RFC_9457, RFC_9457],
    ['plain where only required says so', json({ required: ['error', 'message'] }), 'application/json', PLAIN, PLAIN],
    ['text where nothing else is declared', { 'text/plain': {} }, 'text/plain', 'wrong', RFC_9457],
  ])('%s', (_what, content, mediaType, body, undeclared) => {
    expect(sent(content)).toMatchObject([{ mediaType, body }, { body: undeclared }]);
  });

  it('without a body if none is declared', () => {
    expect(sent(undefined)).toEqual([undefined, { mediaType: PROBLEM, body: RFC_9457 }]);
  });

  it('problems with all that is wrong', () => {
    const violations = [{ place: '/query/b', text: 'expected a number' }];
    const [content] = sent(json({}), undefined, new ApiError(40002, 'wrong', { violations }));
    const body = { ...RFC_9457, errors: [{ pointer: '/query/b', detail: 'expected a number' }] };
    expect(content).toEqual({ mediaType: 'application/json', body });
  });

  it('HTML without markup, if nothing but a page is declared', () => {
    const error = new ApiError(40002, '<b a="\'&🌵');
    const [content] = sent({ 'text/html': { schema: { type: 'string' } } }, undefined, error);
    expect(content).toEqual({ mediaType: 'text/html', body: '&#60;b a=&#34;&#39;&#38;&#127797;' });
  });

  it('not guessed', () => {
    expect(() => sent({ ['__proto__']: {} })).toThrow('errors cannot be written as __proto__');
    expect(() => sent(named('Coded'))).not.toThrow(); // RFC 9457 has a code as well
    expect(() => sent(named('Said'))).toThrow(
      'neither RFC 9457 nor {error, message} fits Said, declared here as application/json: the body of error 40002/said: expected a value; give the service an errorBody',
    );
  });
});

describe('an errorBody', () => {
  const mediaType = 'application/json';
  const coded: ErrorShape = { mediaType, body: ({ code }) => ({ code }) };
  const said: ErrorShape = { mediaType, body: ({ message }) => ({ said: message }) };

  it('of one shape is for all errors', () => {
    const content = { mediaType, body: { code: 40002 } };
    expect(sent(named('Coded'), coded)).toEqual([content, content]);
  });

  it('of several has one for each schema by its name, and for all others and what is not declared', () => {
    const errorBody = { default: coded, Said: said };
    const [asCoded, asSaid] = [coded, said].map(({ body }) => ({ mediaType, body: body(WRONG) }));
    expect(sent(named('Said'), errorBody)).toEqual([asSaid, asCoded]);
    expect(sent(json({ $ref: '#/components/schemas/Said', maxProperties: 9 }), errorBody)).toEqual([asSaid, asCoded]);
    const extended = { allOf: [{ $ref: '#/components/schemas/Coded' }], properties: { code: { type: 'integer' } } };
    expect(sent(json(extended), { default: coded, Coded: said })).toEqual([asCoded, asCoded]);
    expect(sent(named('Coded'), errorBody)).toEqual([asCoded, asCoded]);
  });

  it('names a schema without a name as a reference to it would', () => {
    const place = '#/paths/~1notes/get/responses/4XX/content/application~1json/schema';
    const [content] = sent(json(fields('said string')), { default: coded, [place]: said });
    expect(content).toEqual({ mediaType, body: { said: 'wrong' } });
  });

  it('that has a row for a schema that no error is declared with is served, with a warning', () => {
    const { warnings } = load(named('Coded'), { default: coded, Said: said });
    expect(warnings).toEqual([
      'openapi.yaml:1:1 (Said) errorBody has a row for a schema that no error is declared with',
    ]);
  });

  it('that does not fit is refused with the place and what it lacks', () => {
    expect(() => sent(named('Said'), { default: said, Said: coded })).toThrow(
      'openapi.yaml:12:9 errorBody does not fit Said, declared here as application/json: the body of error 40002/said: expected a value; change it, or make it a table with a row of that name',
    );
  });

  it('is left out where its violations break the schema, and not the rest of it', () => {
    const one = { type: 'object', properties: { errors: { type: 'array', maxItems: 2 } } };
    const body = ({ message, violations }: ApiError): object => ({ message, errors: violations });
    const violations = ['/body/a', '/body/b', '/body/c'].map((place) => ({ place, text: 'expected a number' }));
    const error = new ApiError(40002, 'wrong', { violations });
    const content = { mediaType, body: { message: 'wrong', errors: [] } };
    expect(sent(json(one), { mediaType, body }, error)[0]).toEqual(content);
  });
});

import { canBeAnswered, undeclaredStatuses } from '../../../src/engine/rules/error-rules';
import type { Contract } from '../../../src/engine/contract/operations';
import { plainShape } from '../../../src/engine/errors/error-body';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { ContractProblems } from '../../../src/engine/contract/problems';
import { canRead } from '../../../src/engine/contract/media-type';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { ask, plantRequest } from '../../support/raw';
import { startService } from '../../support/service';
import { table } from '../../support/table';

/** The error responses of an operation that takes a body, and the schema of their bodies. */
function contractWith(responses: string, error = '{ type: object, required: [error, message] }'): string {
  return contractOf(`
security: [{ token: [] }]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses:
        '200': { description: Added. }
${responses}
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Error: ${error}
`);
}

const verifiers = { token: { scheme: 'http bearer', verify: () => Promise.resolve({ name: 'tester' }) } };

function load(file: string): Contract {
  const errorCodes = { NoteTaken: 40951 };
  return loadContract(file, { handlers: ['addNote'], verifiers, canRead, errorCodes, errorBody: plainShape });
}

function problemsOf(file: string): readonly string[] {
  try {
    load(file);
    return [];
  } catch (error) {
    if (error instanceof ContractProblems) return error.problems;
    throw error;
  }
}

const LISTED = [40001, 40002, 40003];
const NAMES = ['MalformedBody', 'ContractViolation', 'MalformedRequest'];
const listOf = (codes: number[], names: string[], property = 'error'): string =>
  `{ properties: { ${property}: { enum: [${codes.join()}], x-enum-varnames: [${names.join()}] } } }`;
const ERROR_BODY = "content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }";
const REFUSED = `        '400': { description: Refused., ${ERROR_BODY} }`;

describe('the errors of handlers', () => {
  const THROWN = 'handlers throw NoteTaken, error 40951:';
  const unlisted = (schema: string, expected: string): string =>
    `${THROWN} errorBody does not fit ${schema}, declared here as application/json: ` +
    `the body of error 40951/error: expected ${expected}; change it, or make it a table with a row of that name`;
  const errorOf = (codes: string): string => `{ required: [error], properties: { error: { enum: [${codes}] } } }`;
  const taken = (codes: string): string =>
    contractWith(`${REFUSED}\n        '409': { description: Taken., ${ERROR_BODY} }`, errorOf(codes));

  it('are refused if the contract declares their status, and no response of it allows their code', () => {
    expect(problemsOf(taken('40001, 40002, 40003'))).toEqual([
      `openapi.yaml:13:16 ${unlisted('Error', 'one of 40001, 40002, 40003')}`,
    ]);
  });

  it('are refused if only a range or default is for their status, and lists other codes', () => {
    const error = errorOf('40001, 40002, 40003, 40101, 40102, 40801, 41301, 41501, 41701, 43101');
    const file = contractWith(`        '4XX': { description: Refused., ${ERROR_BODY} }`, error);
    expect(problemsOf(file)).toEqual([`openapi.yaml:12:16 ${THROWN} no response of 409 allows it`]);
  });

  it('do not take the only code of a list that is not theirs', () => {
    const other =
      'content: { application/json: { schema: { required: [error], properties: { error: { const: 40952 } } } } }';
    const file = contractWith(`${REFUSED}\n        '409': { description: Taken., ${other} }`);
    const schema = '#/paths/~1notes/post/responses/409/content/application~1json/schema';
    expect(problemsOf(file)).toEqual([`openapi.yaml:13:16 ${unlisted(schema, '40952')}`]);
  });

  it('are taken if a response allows their code', () => {
    expect(problemsOf(taken('40001, 40002, 40003, 40951'))).toEqual([]);
  });
});

describe('the errors of the server', () => {
  it('may be declared in part; what is left out is named in one line', () => {
    expect(undeclaredStatuses(load(contractWith(REFUSED)))).toEqual([
      'openapi.yaml:10:7 (addNote) 401, 408, 413, 415, 417, 431, 500, 503, 505 can be answered by the server, and are not declared',
    ]);
  });

  it('are declared by a range and by default as well', () => {
    const responses = `        4XX: { description: Refused., ${ERROR_BODY} }\n        default: { description: Failed., ${ERROR_BODY} }`;
    expect(undeclaredStatuses(load(contractWith(responses)))).toEqual([]);
  });

  it('of security and of bodies are not asked for where there are none', () => {
    const file = contractOf(`
paths: { /notes: { get: { operationId: getNotes, responses: { '200': { description: All. } } } } }
`);
    const contract = loadContract(file, { handlers: ['getNotes'], verifiers: {}, canRead });
    expect(undeclaredStatuses(contract)).toEqual([
      'openapi.yaml:4:61 (getNotes) 400, 408, 417, 431, 500, 503, 505 can be answered by the server, and are not declared',
    ]);
  });

  it('are sent as they are where they are not declared', async () => {
    const handlers = handlersOf({ addNote: () => ({ status: 200 }) });
    const service = await startService({ contract: contractWith(REFUSED), verifiers, handlers });
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await ask(service.port, plantRequest(service, { line: 'POST /notes HTTP/1.1', headers, body: 'x' }));
    const message = 'expected Content-Type application/json, with no parameter but charset=utf-8, got text/plain';
    expectError(answer, 41501, message);
  });

  const UNFIT = 'openapi.yaml:12:16 errorBody does not fit Error, declared here as application/json: the body of error';
  const CHANGE = 'change it, or make it a table with a row of that name';
  const CODES = 'src/engine/errors/error-codes.ts';
  it.each(table`
    ask for what an error does not have
      | { type: object, required: [colour], properties: { colour: { type: string, pattern: '^#' }, title: {} } }
      | ${UNFIT} 40001/colour: expected a value; ${CHANGE}
    have codes that are not listed | { properties: { error: { enum: [40001, 40003] } } }
      | ${UNFIT} 40002/error: expected one of 40001, 40003; ${CHANGE}
    have codes under other names | ${listOf(LISTED, ['MalformedBody', 'MalformedRequest', 'ContractViolation'])}
      | openapi.yaml:16:96 error 40002 is called MalformedRequest here, and ContractViolation in ${CODES}
      | openapi.yaml:16:113 error 40003 is called ContractViolation here, and MalformedRequest in ${CODES}
    have the handlers' code under another name | ${listOf([...LISTED, 40951], [...NAMES, 'NoteLocked'])}
      | openapi.yaml:16:137 error 40951 is called NoteLocked here, and NoteTaken in src/handlers.ts
    have the handlers' error with another code | ${listOf([...LISTED, 40952], [...NAMES, 'NoteTaken'])}
      | openapi.yaml:16:62 NoteTaken is error 40952 here, and 40951 in src/handlers.ts
    have a code beside another name
      | { properties: { error: { oneOf: [{ const: 40001, title: A }, { const: 40002, title: ContractViolation },
        { const: 40003, title: MalformedRequest }] } } }
      | openapi.yaml:16:45 error 40001 is called A here, and MalformedBody in ${CODES}
    have such a name in a list of other things | ${listOf([1], ['NoteTaken'], 'kind')}
  `)('are held to the contract at the start where in it they %s', (_what, error, ...problems) => {
    expect(problemsOf(contractWith(REFUSED, error))).toEqual(problems);
  });

  it('are held to the contract at the start where in it they are of another media type', () => {
    const image = "        '400': { description: Refused., content: { image/png: { schema: { type: string } } } }";
    expect(problemsOf(contractWith(image))).toEqual([
      'openapi.yaml:12:16 errors cannot be written as image/png: give the service an errorBody of that media type',
    ]);
  });
});

describe('a code that a contract lists', () => {
  it.each([
    ['of tokens can be answered where a token is asked for', 40101, true],
    ['of scopes cannot, where no operation names a scope', 40301, false],
    ["of the handlers' own can", 41001, true],
  ])('%s', (_what, code, can) => {
    expect(canBeAnswered(code, load(contractWith('')).operations)).toBe(can);
  });
});

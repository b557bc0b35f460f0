/** The suite finds faults: of every kind one is planted in a server of a contract of its own, and reported as what it is. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setInterval, setTimeout } from 'node:timers/promises';
import { ApiError } from '../../../src/engine/errors/api-error';
import { apiKey } from '../../../src/engine/auth/api-key';
import type { Verifier } from '../../../src/engine/auth/authenticate';
import { bearer } from '../../../src/engine/auth/bearer';
import { makeToken, tokens } from '../../../src/engine/auth/tokens';
import type { HandlerAnswer } from '../../../src/engine/contract/handler-types';
import { type AnyHandlers, type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { startService } from '../../support/service';
import { table } from '../../support/table';
import { readContract } from '../../../src/tools/conformance/contract';
import type { Credentials, Finding, Verdict } from '../../../src/tools/conformance/verdict';
import { checkConformance, type Options, type Runs, runsFor } from '../../../src/tools/conformance/suite';

const SEED = 1;
const FEW: Runs = { valid: 5, edge: 1, invalid: 1, unauthenticated: 1, undeclared: 1, shrinks: 2 };

const fixture = readFileSync(join(__dirname, 'openapi.yaml'), 'utf8');
const { token, line } = makeToken('tester');

interface Note {
  id: bigint;
}
type Handler = (request: AnyRequest) => HandlerAnswer;

/** The handlers of the contract, on a store of their own. */
function noteHandlers(): Record<'writeNote' | 'readNote' | 'getWeather' | 'sendLetter' | 'sendParcel', Handler> {
  const notes = new Map<bigint, Note>();
  return {
    writeNote({ body }) {
      const note = body as Note;
      notes.set(note.id, note);
      return { status: 201, headers: { Location: `/notes/${note.id}` }, body: note };
    },
    readNote({ path }) {
      const note = notes.get((path as { noteId: bigint }).noteId);
      return note ? { status: 200, body: note } : { status: 404, body: { error: 40402, message: 'no such note' } };
    },
    getWeather: () => ({ status: 200, body: 'sun' }),
    sendLetter: () => ({ status: 204 }),
    sendParcel: ({ body }) => ({ status: 200, body }),
  };
}

/** Items without an end, the first of them at once. */
async function* fourAtOnceAndOn(): AsyncIterable<number> {
  yield* [5, 5, 5, 5];
  yield* setInterval(10, 5);
}

interface Fault extends Pick<Options, 'answerMs' | 'only' | 'seed' | 'runs'> {
  /** Replaces handlers, or adds some: their operations alone are tried, unless `only` is given. */
  handlers?: AnyHandlers;
  /** Changes the contract: a text of it, and what stands there. */
  contract?: [text: string, replacement: string];
  /** Serves this contract instead of the one it is held to, in the same way. */
  served?: [text: string, replacement: string];
  /** Replaces those of the two schemes, or adds some. */
  verifiers?: Record<string, Verifier>;
  /** The accepted credentials, both unless given. */
  credentials?: Credentials;
}

const accepted = { tokens: tokens(line, 'the test'), realm: 'x' };
const byToken = bearer(accepted);
const byKey = apiKey({ type: 'apiKey', in: 'header', name: 'X-Key' }, accepted);

async function verdictOn({
  handlers,
  contract = ['', ''],
  served = ['', ''],
  verifiers,
  credentials = { token, keys: { key: token } },
  only = handlers && Object.keys(handlers),
  ...options
}: Fault): Promise<Verdict> {
  const held = fixture.replace(contract[0], () => contract[1]);
  const service = await startService({
    contract: contractOf(held.replace(...served)),
    handlers: handlersOf({ ...noteHandlers(), ...handlers }),
    verifiers: {
      token: byToken,
      key: byKey,
      ...verifiers,
    },
    enforceAnswers: false,
  });
  try {
    const target = { url: service.baseUrl, credentials };
    return await checkConformance(readContract(contractOf(held)), target, {
      seed: SEED,
      runs: FEW,
      write: true,
      only,
      ...options,
    });
  } finally {
    await service.close();
  }
}

async function deviationsOf(fault: Fault): Promise<string[]> {
  const verdict = await verdictOn(fault);
  const line = ({ where, problem }: Finding): string => `${where} ${problem}`;
  return [
    ...verdict.findings.map(line),
    ...verdict.warnings.map((each) => `warning ${line(each)}`),
    ...verdict.untried.map(({ where, why }) => `untried ${where} ${why}`),
  ];
}

const withoutChallenge: Verifier = {
  scheme: 'http bearer',
  verify: ({ headers: { authorization } }) =>
    authorization === `Bearer ${token}`
      ? Promise.resolve({ name: 'tester' })
      : Promise.reject(new ApiError(40101, 'no token')),
};
/** Knows who has a credential, and lets nobody do anything. */
const forbidding = (verifier: Verifier): Verifier => ({
  ...verifier,
  async verify(request) {
    await verifier.verify(request);
    throw new ApiError(40301, 'not yours');
  },
});
/** Lets in as many requests in a row, and refuses as many then. */
function limiting(letIn: number, refused: number, headers: Record<string, string>): Verifier {
  let count = 0;
  return {
    ...byToken,
    verify(request) {
      if (count++ % (letIn + refused) < letIn) return byToken.verify(request);
      throw new ApiError(42901, 'slower', { headers });
    },
  };
}
const disconnecting: Verifier = {
  scheme: 'http bearer',
  verify(req) {
    req.socket.destroy();
    return new Promise(() => undefined);
  },
};
const broken = (): never => {
  throw new Error('broken');
};
const { writeNote } = noteHandlers();
/** The operations that ask for a token. */
const NOTES = ['writeNote', 'readNote'];
const UNAUTHENTICATED = [
  'a request without a credential',
  'a request with an unknown token',
  'a request with a token that every object has',
  'a request with a scheme without a token',
  'a request with another scheme',
  'a request with its token in a cookie',
  'a request with a token without a scheme',
  'a request with an accepted token and more',
  'a request with the beginning of an accepted token',
];

it.each<[fault: string, Fault, found: string[]]>([
  ['none', {}, []],
  [
    'a connection that is closed without an answer',
    { verifiers: { token: disconnecting }, only: NOTES },
    ['POST /notes gives no HTTP answer', 'GET /notes/{noteId} gives no HTTP answer'],
  ],
  ['an error of the server', { handlers: { getWeather: broken } }, ['GET /weather answers 500']],
  [
    'an undeclared status',
    { handlers: { getWeather: () => ({ status: 204 }) } },
    ['GET /weather answers 204, which is not declared'],
  ],
  [
    'an undeclared media type',
    { handlers: { getWeather: () => ({ status: 200, mediaType: 'text/html', body: 'sun' }) } },
    ['GET /weather answers 200 of text/html, which is not declared'],
  ],
  [
    'a body that does not fit its schema',
    { handlers: { getWeather: () => ({ status: 200, body: 'hail' }) } },
    ['GET /weather answers 200 with a wrong body: must be equal to one of the allowed values'],
  ],
  [
    'an operation that does not answer, of which nothing more is tried then',
    { handlers: { getWeather: () => setTimeout(100_000, { status: 204 }, { ref: false }) }, answerMs: 5_000 },
    ['GET /weather gives no HTTP answer', 'untried GET /weather no whole answer within 5 s: nothing more is sent'],
  ],
  [
    'no body that is too long to be read to its end',
    {
      handlers: { getWeather: () => ({ status: 200, mediaType: 'text/plain', body: Buffer.alloc(10_000_001, 'sun') }) },
    },
    ['warning GET /weather answers 200 with a body of more than 10000000 characters, which is not judged'],
  ],
  [
    'no part of a body that never ends',
    { handlers: { getWeather: () => ({ status: 200, mediaType: 'multipart/mixed', body: setInterval(10, 5) }) } },
    ['warning GET /weather answers 200 with a body that goes on, of which the first items alone are judged'],
  ],
  [
    'more items than maxItems in a body that never ends',
    { handlers: { getWeather: () => ({ status: 200, mediaType: 'application/jsonl', body: fourAtOnceAndOn() }) } },
    ['GET /weather answers 200 with more than 3 items'],
  ],
  [
    'no parameter in a header whose name none has',
    {
      contract: [
        'operationId: getWeather',
        'operationId: getWeather\n      parameters: [{ name: b c, in: header, schema: { type: string } }]',
      ],
      only: ['getWeather'],
    },
    [],
  ],
  [
    'no missing content of 204, which HTTP forbids though it is declared',
    {
      contract: ['{ description: Sent. }', '{ description: Sent., content: { application/json: {} } }'],
      only: ['sendLetter'],
    },
    [],
  ],
  [
    'a missing header',
    { handlers: { writeNote: (request) => ({ ...writeNote(request), headers: {} }) } },
    ['POST /notes answers 201 without location'],
  ],
  [
    'a header of JSON that does not fit its schema',
    {
      handlers: {
        writeNote: (request) => ({ ...writeNote(request), headers: { Location: '/notes/1', 'X-Next': '{"id":' } }),
      },
    },
    ['POST /notes answers 201 with a wrong x-next'],
  ],
  [
    'another charset of JSON',
    {
      handlers: { writeNote: (request) => ({ ...writeNote(request), mediaType: 'application/json; charset=utf-16' }) },
    },
    ['warning POST /notes answers 201 with charset=utf-16, and JSON is UTF-8'],
  ],
  ...table`
    a name twice | {"id":1,"text":"","id":1} | warning POST /notes answers 201 with JSON that has a name twice in an object
    texts like names | {"id":1,"text":"","labels":["a",":"]} |
  `.map(([what = '', body = '', found = '']): [string, Fault, string[]] => [
    `an object of JSON with ${what}`,
    { handlers: { writeNote: (request) => ({ ...writeNote(request), body: Buffer.from(body) }) } },
    found === '' ? [] : [found],
  ]),
  ...(['writeNote', 'sendParcel'] as const).map((id): [string, Fault, string[]] => [
    `a rounded int64 of ${id}`,
    {
      handlers: {
        [id]: (request) => {
          const { body, ...answer } = noteHandlers()[id](request);
          const note = body as Note;
          return { ...answer, body: { ...note, id: BigInt.asIntN(64, BigInt(Number(note.id))) } };
        },
      },
    },
    [`POST /${id === 'writeNote' ? 'notes' : 'parcels'} answers with a number of the request, rounded`],
  ]),
  [
    'a refusal of everything',
    { handlers: { writeNote: () => ({ status: 409, body: { error: 40902, message: 'taken' } }) } },
    ['untried POST /notes no valid request was accepted, the last one was answered with 409: its success is not known'],
  ],
  [
    'no refusal of everything before it is validated, as by who may not do it',
    { verifiers: { token: forbidding(byToken) }, only: ['readNote'] },
    [
      'warning GET /notes/{noteId} answers 403 to a valid request, expected it to be accepted',
      'warning GET /notes/{noteId} answers 403 to a valid path noteId, expected it to be accepted',
      'warning GET /notes/{noteId} answers 403 to an undeclared query parameter, expected 400',
      'warning GET /notes/{noteId} answers 403 to invalid requests as to valid ones, expected 400',
      'untried GET /notes/{noteId} no valid request was accepted, the last one was answered with 403: its success is not known',
    ],
  ],
  ['no limit of its rate', { verifiers: { token: limiting(5, 3, { 'Retry-After': '0' }) }, only: NOTES }, []],
  [
    'no limit of its rate that is not waited for',
    { verifiers: { token: limiting(40, 1000, { 'Retry-After': '11' }) }, only: ['readNote'] },
    [
      'warning GET /notes/{noteId} answers 429 to invalid requests as to valid ones, expected 400',
      'warning GET /notes/{noteId} answers with the header retry-after, which is not declared',
      'untried GET /notes/{noteId} no valid request was accepted, the last one was answered with 404: its success is not known',
    ],
  ],
  [
    'a refusal of what is invalid with a status that valid requests get with another credential alone',
    {
      contract: ['security:\n  - token: []', 'security: [{ token: [] }, { key: [] }]'],
      served: ['maximum: 9', 'maximum: 10'],
      verifiers: { key: forbidding(byKey) },
      handlers: {
        writeNote: (request) =>
          (request.query as { copies?: number }).copies === 10
            ? { status: 403, body: { error: 40301, message: 'too many' } }
            : writeNote(request),
      },
    },
    [
      'POST /notes answers 403 to an invalid query copies, expected 400',
      'warning POST /notes answers 403 to a valid request, expected it to be accepted',
    ],
  ],
  [
    'a method that no request can have',
    {
      contract: [
        '3.1.0\ninfo: { title: Notes, version: 1.0.0 }\nsecurity:\n  - token: []\npaths:\n',
        `3.2.0
info: { title: Notes, version: 1.0.0 }
security: []
paths:
  /links: { additionalOperations: { link: { operationId: linkNotes, responses: { '204': { description: Linked. } } } } }
`,
      ],
      handlers: { linkNotes: () => ({ status: 204 }) },
    },
    ['untried link /links no server takes the method link: letter case counts'],
  ],
  [
    'a reader that finds nothing',
    { handlers: { readNote: () => ({ status: 404, body: { error: 40402, message: 'no such note' } }) } },
    [
      'untried GET /notes/{noteId} no valid request was accepted, the last one was answered with 404: its success is not known',
    ],
  ],
  [
    'XML whose value is not known',
    {
      contract: ["xml: { schema: { $ref: '#/components/schemas/Note' }", 'xml: { schema: { type: string }'],
      handlers: { getWeather: () => ({ status: 200, mediaType: 'application/xml', body: Buffer.from('<sun/>') }) },
    },
    [
      'warning GET /weather answers 200 with XML whose schema is a text, or a list of items without xml.name, which is not judged',
    ],
  ],
  [
    'XML without a name',
    {
      contract: ["xml: { schema: { $ref: '#/components/schemas/Parcel'", 'xml: { schema: { type: object'],
      only: ['sendParcel'],
    },
    [
      'untried POST /parcels the element of application/xml has no name: give its schema xml.name, or make it a component',
      'untried POST /parcels no value can be made for its body',
    ],
  ],
  [
    'an undeclared method',
    {
      served: [
        '  /weather:',
        '  /weather:\n    put: { operationId: putWeather, responses: { 204: { description: Done } } }',
      ],
      handlers: { putWeather: () => ({ status: 204 }) },
      only: ['getWeather'],
    },
    [405, 401].map(
      (status) =>
        `warning /weather answers ${status} to another method, expected 405 with Allow of those that are declared`,
    ),
  ],
  [
    'an operation that asks for no token',
    { served: ['operationId: readNote', 'operationId: readNote\n      security: []'], only: NOTES },
    [
      ...UNAUTHENTICATED.map((request) => `GET /notes/{noteId} lets in ${request}, expected 401`),
      'GET /notes/{noteId} lets in a HEAD request without a credential, expected 401',
      'warning GET /notes/{noteId} answers 400 to an invalid request without a credential, expected 401',
      'warning GET /notes/{noteId} answers 400 to a request with its token in the query, expected 401',
      'warning GET /notes/{noteId} lets in a request with an accepted token in another letter case, expected 401',
    ],
  ],
  [
    'a missing challenge',
    { verifiers: { token: withoutChallenge }, only: NOTES },
    ['POST /notes', 'GET /notes/{noteId}'].map(
      (operation) => `warning ${operation} answers 401 without www-authenticate`,
    ),
  ],
])('%s', async (_fault, fault, found) => {
  expect(await deviationsOf(fault)).toEqual(found);
});

it.each(table`
  a constraint that is not checked | maximum: 9 | maximum: 10
    | POST /notes accepts an invalid query copies, expected 400
  a constraint that is not in the contract | maxLength: 40 | maxLength: 39
    | warning POST /notes answers 400 to a valid body/text, expected it to be accepted
  a field of a form that is not checked | maxLength: 60 | maxLength: 61
    | POST /letters accepts an invalid body/text, expected 400
  a file that is not checked | maxLength: 20 | maxLength: 21 | POST /letters accepts an invalid body/photo, expected 400
  a constraint of a file that is not in the contract | maxLength: 20 | maxLength: 19
    | warning POST /letters answers 400 to a valid body/photo, expected it to be accepted
  a constraint of XML that is not checked | maximum: 30 | maximum: 31
    | POST /parcels accepts an invalid body/weight, expected 400
  a token that is required, and should not be | security: [] | security: [{ token: [] }]
    | GET /weather answers 401 to a request that is allowed
`)('%s', async (_fault, held, served, found) => {
  const [operation = ''] = /[A-Z]+ \/\S+/.exec(found) ?? [];
  expect(await deviationsOf({ served: [held, served], only: [operation] })).toEqual([found]);
});

it('a constraint that is not checked, of a value that may not have every property', async () => {
  const contract: [string, string] = [
    'required: [id, text]\n      properties:',
    'required: [id, text]\n      not: { required: [labels, photo] }\n      properties:\n        photo: { type: string }',
  ];
  const served: Fault['served'] = ['maxLength: 40', 'maxLength: 41'];
  // By this seed, what was accepted is read again.
  expect(await deviationsOf({ contract, served, only: NOTES, seed: 3 })).toEqual([
    'POST /notes accepts an invalid body/text, expected 400',
    'GET /notes/{noteId} answers 200 with a wrong body: /text must NOT have more than 40 characters',
  ]);
});

it.each(table`
  any name | additionalProperties: { required: [height], properties: { height: { type: integer, maximum: 91 } } }
  names like a pattern | patternProperties: { '^x-[a-z]{9}$': { properties: { height: { type: integer, maximum: 91 } } } }
  short names | propertyNames: { maxLength: 3 }, additionalProperties: { properties: { height: { type: integer, maximum: 91 } } }
  any name, the second of two kinds
    | additionalProperties: { oneOf: [{ type: string }, { type: object, properties: { height: { type: integer, maximum: 91 } } }] }
`)('a constraint that is not checked, within an entry of a map with %s', async (_names, map) => {
  const contract: [string, string] = [
    'required: [id, text]\n      properties:',
    `required: [id, text]\n      properties:\n        sizes: { type: object, ${map} }`,
  ];
  expect(await deviationsOf({ contract, served: ['maximum: 91', 'maximum: 92'], only: ['writeNote'] })).toContainEqual(
    expect.stringMatching(/^POST \/notes accepts an invalid body\/sizes\/[^/]+\/height, expected 400$/),
  );
});

describe('security of several schemes', () => {
  const allTaken: Verifier = { scheme: 'apiKey in header', verify: () => ({ name: 'anyone' }) };
  const anyTaken: Verifier = {
    scheme: 'apiKey in header',
    verify({ headers }) {
      if (headers['x-key'] !== undefined) return { name: 'anyone' };
      throw new ApiError(40101, 'no key');
    },
  };
  const noneSeen = (scheme: string): Verifier => ({
    scheme,
    verify() {
      throw new ApiError(40101, 'no credential');
    },
  });

  it.each<[fault: string, security: string, Omit<Fault, 'contract'>, found: string[]]>([
    ['none', '{ token: [] }, { key: [] }', {}, []],
    ['none', '{ token: [], key: [] }', {}, []],
    ['none', '{ token: [] }, {}', {}, []],
    [
      'any key is taken beside the token',
      '{ token: [] }, { key: [] }',
      { verifiers: { key: anyTaken } },
      [
        'lets in a request with an unknown key for key, expected 401',
        'lets in a request with a key that every object has for key, expected 401',
        'lets in a request with an empty key for key, expected 401',
        'lets in a request with an accepted key and more for key, expected 401',
        'lets in a request with the beginning of an accepted key for key, expected 401',
        'warning lets in a request with an accepted key in another letter case for key, expected 401',
      ],
    ],
    [
      'no key is looked at where both are asked for',
      '{ token: [], key: [] }',
      { verifiers: { key: allTaken } },
      [
        'lets in a request with no credential for key, expected 401',
        'lets in a request with an unknown key for key, expected 401',
        'lets in a request with a key that every object has for key, expected 401',
        'lets in a request with an empty key for key, expected 401',
        'lets in a request with an accepted key and more for key, expected 401',
        'lets in a request with the beginning of an accepted key for key, expected 401',
        'lets in a request with its key in a cookie for key, expected 401',
        'warning lets in a request with an accepted key in another letter case for key, expected 401',
        'warning answers 400 to a request with its key in a query for key, expected 401',
      ],
    ],
    [
      'a token is not taken beside the key',
      '{ key: [] }, { token: [] }',
      { verifiers: { token: noneSeen('http bearer') } },
      ['answers 401 to a request that is allowed'],
    ],
    [
      'a wrong key counts as none, which no contract forbids',
      '{ key: [] }, {}',
      { verifiers: { key: noneSeen('apiKey in header') } },
      [
        'warning lets in a request with an unknown key, expected 401',
        'warning lets in a request with a key that every object has, expected 401',
      ],
    ],
    [
      'none that is tried without a key',
      '{ token: [] }, { key: [] }',
      { credentials: { token } },
      ['untried no credential for another alternative: expected --key key=VALUE'],
    ],
  ])('%s: %s', async (_fault, security, fault, found) => {
    const contract: Fault['contract'] = ['security:\n  - token: []', `security: [${security}]`];
    const place = 'GET /notes/{noteId} ';
    const deviations = await deviationsOf({ ...fault, contract, only: NOTES });
    expect(deviations.filter((each) => each.includes(place)).map((each) => each.replace(place, ''))).toEqual(found);
  });
});

describe('a credential that is taken', () => {
  const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
  /** Finds what a server lets in that takes, beside what is right, also what it should not. */
  async function letIn(scheme: string, kind: string, takes: (req: IncomingMessage) => boolean): Promise<string[]> {
    const verifier: Verifier = {
      scheme: kind,
      verify(req) {
        const { authorization, cookie, 'x-key': key } = req.headers;
        const right: Record<string, boolean> = {
          'http bearer': authorization === `Bearer ${token}`,
          'http basic': authorization === `Basic ${inBase64(`ada:${token}`)}`,
          'apiKey in header': key === token,
          'apiKey in cookie': cookie === `X-Key=${token}`,
        };
        if (right[kind] || takes(req)) return { name: 'tester' };
        throw new ApiError(40101, 'no credential');
      },
    };
    const found = await deviationsOf({
      contract: ['token: { type: http, scheme: bearer }', `token: ${scheme}`],
      verifiers: { token: verifier },
      credentials: { token, user: `ada:${token}`, keys: { token } },
      only: ['writeNote'],
    });
    return found.flatMap(
      (each) => /^(?:warning )?POST \/notes lets in a request with (.*), expected 401$/.exec(each)?.[1] ?? [],
    );
  }
  const BEARER = '{ type: http, scheme: bearer }';

  it.each<[what: string, scheme: string, kind: string, (req: IncomingMessage) => boolean]>([
    ['its token in a cookie', BEARER, 'http bearer', ({ headers }) => headers.cookie === `access_token=${token}`],
    [
      'another user with an accepted password',
      '{ type: http, scheme: basic }',
      'http basic',
      ({ headers: { authorization = '' } }) =>
        Buffer.from(authorization.slice(6), 'base64').toString().endsWith(`:${token}`),
    ],
    [
      'its key in a cookie',
      '{ type: apiKey, in: header, name: X-Key }',
      'apiKey in header',
      ({ headers }) => headers.cookie === `X-Key=${token}`,
    ],
    [
      'its key in a header',
      '{ type: apiKey, in: cookie, name: X-Key }',
      'apiKey in cookie',
      ({ headers }) => headers['x-key'] === token,
    ],
    [
      'an empty key',
      '{ type: apiKey, in: header, name: X-Key }',
      'apiKey in header',
      ({ headers }) => headers['x-key'] === '',
    ],
  ])('though it is %s', async (what, scheme, kind, takes) => {
    expect(await letIn(scheme, kind, takes)).toEqual([what]);
  });

  it.each([
    ['token', BEARER, 'http bearer', 'authorization', `BEARER ${token.toUpperCase()}`],
    ['key', '{ type: apiKey, in: header, name: X-Key }', 'apiKey in header', 'x-key', token.toUpperCase()],
  ])('though the %s is in another letter case, as a warning', async (what, scheme, kind, header, value) => {
    const found = await letIn(scheme, kind, ({ headers }) => String(headers[header]).toUpperCase() === value);
    expect(found).toEqual([`an accepted ${what} in another letter case`]);
  });

  it.each<[what: string, names: string[]]>([
    ['a credential of another scheme, key', ['key']],
    ['credentials of other schemes, key and other', ['key', 'other']],
  ])('though it is %s', async (what, names) => {
    const takesKeys: Verifier = {
      scheme: 'http bearer',
      verify({ headers }) {
        const hasKeys = names.every((name) => headers[`x-${name}`] === token);
        if (headers.authorization === `Bearer ${token}` || hasKeys) return { name: 'tester' };
        throw new ApiError(40101, 'no credential');
      },
    };
    const security = `security: [{ ${names.map((name) => `${name}: []`).join(', ')} }]`;
    const changed = fixture
      .replace('operationId: readNote', `operationId: readNote\n      ${security}`)
      .replace('    key: {', '    other: { type: apiKey, in: header, name: X-Other }\n    key: {');
    const found = await deviationsOf({
      contract: [fixture, changed],
      verifiers: { token: takesKeys, other: byKey },
      credentials: { token, keys: { key: token, other: token } },
      only: ['writeNote'],
    });
    expect(found).toContain(`POST /notes lets in a request with ${what}, expected 401`);
  });
});

it('none that a HEAD needs, though the GET does', async () => {
  const takesHeads: Verifier = {
    scheme: 'http bearer',
    verify({ method, headers: { authorization } }) {
      if (method === 'HEAD' || authorization === `Bearer ${token}`) return { name: 'tester' };
      throw new ApiError(40101, 'no credential');
    },
  };
  const found = await deviationsOf({ verifiers: { token: takesHeads }, only: NOTES });
  expect(found).toContain('GET /notes/{noteId} lets in a HEAD request without a credential, expected 401');
});

const THINGS = `  /things:
    post:
      operationId: sendThing
      security: []
      parameters:
        - { name: by, in: query, schema: { type: string, minLength: 2 } }
        - { name: soon, in: query, schema: { type: boolean } }
        - { name: where, in: query, style: deepObject, schema: { type: object, properties: { a: { type: string } }, additionalProperties: false } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                parts: { type: array, minItems: 1, maxItems: 4, uniqueItems: true, items: { type: string } }
                share: { type: integer, multipleOf: 3, maximum: 90 }
                to: { type: object, properties: { country: { type: string }, zip: { type: string } }, if: { properties: { country: { const: CH } } }, then: { properties: { zip: { minLength: 4 } } }, else: { properties: { zip: { maxLength: 9 } } } }
                counts: { type: object, maxProperties: 3, propertyNames: { pattern: '^[a-z]' }, additionalProperties: { type: integer } }
      responses:
        '204': { description: Sent. }
        4XX: { $ref: '#/components/responses/Error' }
  /weather:`;

it.each(table`
  minLength: 2 | minLength: 1 | query by
  type: boolean | enum: ['true', 'false', 'True'] | query soon
  type: boolean | enum: ['true', 'false', '1'] | query soon
  additionalProperties: false | additionalProperties: true | query where, query where/undeclared
  uniqueItems: true | uniqueItems: false | body/parts, body/parts/0
  maximum: 90 | maximum: 900 | body/share
  maxProperties: 3 | maxProperties: 4 | body/counts
  minLength: 4 | minLength: 3 | body/to/zip
  maxLength: 9 | maxLength: 10 | body/to/zip
  pattern: '^[a-z]' | pattern: '' | body/counts
`)('%s that is not checked, beside others', async (held, served, places) => {
  const handlers = { sendThing: () => ({ status: 204 }) };
  expect(await deviationsOf({ contract: ['  /weather:', THINGS], served: [held, served], handlers })).toEqual(
    places.split(', ').map((place) => `POST /things accepts an invalid ${place}, expected 400`),
  );
});

describe('of an operation that deletes', () => {
  /** With the notes that are written. */
  const removing = (more: Fault): Fault => {
    const notes = new Set<bigint>();
    const operation = 'delete: { operationId: removeNote, responses: { 204: { description: Done. }, 4XX: *error } }';
    return {
      contract: [
        '/{noteId}:\n',
        `/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer, format: int64 } }]
    ${operation.replace('*error', "{ $ref: '#/components/responses/Error' }")}\n`,
      ],
      handlers: {
        writeNote: (request) => {
          notes.add((request.body as Note).id);
          return writeNote(request);
        },
        removeNote: ({ path }) =>
          notes.delete((path as { noteId: bigint }).noteId)
            ? { status: 204 }
            : { status: 404, body: { error: 40402, message: 'no such note' } },
      },
      ...more,
    };
  };

  it('no token that is asked for, whatever the seed', async () => {
    const served: Fault['served'] = ['operationId: removeNote,', 'operationId: removeNote, security: [],'];
    for (const seed of [1, 2, 3, 4])
      expect(await deviationsOf(removing({ served, runs: runsFor(50), seed }))).toContain(
        'DELETE /notes/{noteId} lets in a request without a credential, expected 401',
      );
  });

  it('nothing but 404 for strangers, from which it is not known whether they are let in', async () => {
    const unknown: Verifier = {
      scheme: 'http bearer',
      verify: ({ headers: { authorization } }) =>
        authorization === `Bearer ${token}`
          ? Promise.resolve({ name: 'tester' })
          : Promise.reject(new ApiError(40402, 'no such note')),
    };
    const found = await deviationsOf(removing({ verifiers: { token: unknown }, only: ['removeNote'] }));
    expect(found).toContain(
      'untried DELETE /notes/{noteId} no request without access was answered with 401 or 403: whether it is open to everyone is not known',
    );
  });
});

it('a constraint that is not checked, beside parts that are refused', async () => {
  const operation = (price: number, kind: string): string => `  /trees:
    get:
      operationId: listTrees
      security: []
      parameters:
        - { name: price, in: query, schema: { type: integer, maximum: ${price} } }
        - { name: kind, in: query, schema: ${kind} }
        - { name: family, in: query, schema: ${kind} }
        - { name: order, in: query, schema: ${kind} }
      responses:
        '204': { description: None. }
        4XX: { $ref: '#/components/responses/Error' }
  /weather:`;
  const held = operation(9, '{ type: string }');
  const found = await deviationsOf({
    contract: ['  /weather:', held],
    served: [held, operation(10, 'false')],
    handlers: { listTrees: () => ({ status: 204 }) },
  });
  expect(found).toContain('GET /trees accepts an invalid query price, expected 400');
});

it.each(['{ type: integer, format: int32, minimum: 1, maximum: 9 }', '{ type: string }'])(
  'a parameter that is taken twice: %s',
  async (schema) => {
    const contract: Fault['contract'] = ['{ type: integer, format: int32, minimum: 1, maximum: 9 }', schema];
    const served: Fault['served'] = [schema, `{ type: array, items: ${schema} }`];
    expect(await deviationsOf({ contract, served, only: ['writeNote'] })).toEqual([
      'warning POST /notes accepts query copies twice, expected 400',
    ]);
  },
);

/** Parameters of the operation that gives the weather, which takes all that fit. */
const asked = (parameters: string): Fault => ({
  contract: ['operationId: getWeather', `operationId: getWeather\n      parameters: [${parameters}]`],
  handlers: { getWeather: () => ({ status: 200, body: 'sun' }) },
});

it.each(table`
  ^[+]?0*[1-9]([.]0)?$ |
  ^[1-9]([.]0)?[a-z]*$ | accepts an invalid query some, expected 400
  ^[1-9]([.]0)?$ |
`)('a number that is read from %s', async (pattern, found) => {
  const number = '{ type: integer, minimum: 1, maximum: 9 }';
  const served: Fault['served'] = [number, `{ type: string, pattern: "${pattern}" }`];
  const { findings } = await verdictOn({ ...asked(`{ name: some, in: query, schema: ${number} }`), served });
  expect(findings.map(({ problem }) => problem)).toEqual([found].filter((each) => each !== ''));
});

it.each(table`
  in: query, schema: { type: integer } | in: query, allowEmptyValue: true, schema: { type: integer }
    | accepts an invalid query some, expected 400
  in: query, schema: { type: boolean } | in: query, allowEmptyValue: true, schema: { type: boolean }
    | accepts an invalid query some, expected 400
  in: query, allowEmptyValue: true, schema: { type: integer } | |
  in: query, schema: { type: [integer, 'null'] } | |
  in: query, schema: { type: array, items: { type: integer } }
    | in: query, schema: { type: array, items: { anyOf: [{ type: integer }, { type: string, pattern: ',' }] } }
    | accepts an invalid query some, expected 400
  in: query, schema: { type: array, items: { type: string } } | |
  in: query, explode: false, schema: { type: array, items: { type: integer } } | |
`)('a parameter { %s } that is read as { %s }', async (held, served, found) => {
  const { findings } = await verdictOn({
    ...asked(`{ name: some, ${held} }`),
    served: [held, served === '' ? held : served],
  });
  expect(findings.map(({ problem }) => problem)).toEqual([found].filter((each) => each !== ''));
});

it.each(table`
  maxItems: 5, items: { type: integer } | items: { type: integer }
  uniqueItems: true, items: { type: boolean } | items: { type: boolean }
  items: { enum: [sun] } | items: { type: string }, contains: { enum: [sun] }
`)('a list in a query, { %s }, that is read as { %s }', async (held, served) => {
  const list: Fault = asked(`{ name: some, in: query, schema: { type: array, ${held} } }`);
  expect(await deviationsOf({ ...list, served: [held, served] })).toContain(
    'GET /weather accepts an invalid query some, expected 400',
  );
});

it.each([10, 30])('a text of at most %d characters that is taken as one of several', async (lengthMax) => {
  const text = `{ type: string, maxLength: ${lengthMax} }`;
  const served: Fault['served'] = [text, `{ anyOf: [${text}, { type: array, contains: ${text} }] }`];
  const { findings, warnings } = await verdictOn({ ...asked(`{ name: some, in: query, schema: ${text} }`), served });
  expect([findings, warnings.map(({ problem }) => problem)]).toEqual([[], ['accepts query some twice, expected 400']]);
});

it('counts what is nearly a number as tried of numbers that are sent as texts alone', async () => {
  const schemas = ['{ type: integer }', '{ type: [integer, string] }'];
  const { coverage } = await verdictOn(
    asked(schemas.map((schema, index) => `{ name: p${index}, in: query, schema: ${schema} }`).join()),
  );
  expect(Object.keys(coverage.constraints).filter((each) => each.includes('type of a number'))).toEqual([
    'GET /weather query p0 type of a number, got letters after it',
  ]);
});

it.each(table`
  no list of one item that is the property of an object by the name of the parameter
    | { type: object, required: [of], properties: { of: { type: string, minLength: 1 } } }
  no value twice that may be a list too | { type: [string, array], items: { type: string }, minLength: 1 }
  no value twice of which one alternative is a list
    | { anyOf: [{ type: string, enum: [sun] }, { type: array, items: { type: string, enum: [sun] } }] }
  no name that an object of any names takes | { type: object, additionalProperties: { type: string } }
  no name that an object takes beside its own
    | { type: object, properties: { of: { type: string, minLength: 1 } }, additionalProperties: { type: string } }
  no name that an object takes of which no value can be made
    | { type: object, additionalProperties: { type: array, items: { type: string } } }
`)('%s', async (_what, schema) => {
  const { findings, warnings } = await verdictOn(asked(`{ name: of, in: query, schema: ${schema} }`));
  expect([...findings, ...warnings]).toEqual([]);
});

it('a parameter of a name that the object beside it does not take', async () => {
  const shut = '{ type: object, properties: { of: { type: string, minLength: 1 } }, additionalProperties: false }';
  expect(
    await deviationsOf({
      ...asked(`{ name: some, in: query, schema: ${shut} }`),
      served: ['additionalProperties: false', 'additionalProperties: true'],
    }),
  ).toContain('warning GET /weather accepts an undeclared query parameter, expected 400');
});

it.each(table`
  in: query, explode: false | additionalProperties: false | additionalProperties: true
  in: query, style: deepObject | additionalProperties: { type: integer } | additionalProperties: true
  in: header | additionalProperties: false | additionalProperties: true
  in: cookie, explode: false | additionalProperties: { type: integer } | additionalProperties: true
`)('a property too many, { %s }, of an object with %s', async (where, held, served) => {
  const object = `{ type: object, properties: { of: { type: string, minLength: 1 } }, ${held} }`;
  expect(
    await deviationsOf({ ...asked(`{ name: some, ${where}, schema: ${object} }`), served: [held, served] }),
  ).toContainEqual(expect.stringMatching(/^GET \/weather accepts an invalid \w+ some(?:\/undeclared)?, expected 400$/));
});

describe('a header of an answer', () => {
  const LIMITS =
    '{ type: object, required: [limit], properties: { limit: { type: integer }, name: { type: string } } }';
  it.each(table`
    schema: ${LIMITS} | limit,5,name,a b |
    schema: ${LIMITS} | name, 7, limit, 5 |
    explode: true, schema: ${LIMITS} | limit=5,name=a=b |
    schema: { type: object } | |
    schema: { type: array, items: { type: integer } } | |
    schema: ${LIMITS} | limit=5 | GET /weather answers 200 with a wrong x-limits
    explode: true, schema: ${LIMITS} | limit,5 | GET /weather answers 200 with a wrong x-limits
    schema: ${LIMITS} | limit,many | GET /weather answers 200 with a wrong x-limits
    schema: ${LIMITS} | name,sun | GET /weather answers 200 with a wrong x-limits
  `)('{ %s }: %s', async (declared, text, found) => {
    const contract: Fault['contract'] = [
      'description: The weather.',
      `description: The weather.\n          headers: { X-Limits: { ${declared} } }`,
    ];
    const getWeather = (): HandlerAnswer => ({ status: 200, headers: { 'X-Limits': text }, body: 'sun' });
    expect(await deviationsOf({ contract, handlers: { getWeather } })).toEqual([found].filter((each) => each !== ''));
  });
});

/** An operation whose body has a property of a schema. */
const ruled = (schema: string): Fault => ({
  contract: [
    '  /weather:',
    `  /rules:
    post:
      operationId: sendRule
      security: []
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [rule], properties: { rule: ${schema} } } } } }
      responses:
        '204': { description: Sent. }
        4XX: { $ref: '#/components/responses/Error' }
  /weather:`,
  ],
  handlers: { sendRule: () => ({ status: 204 }) },
});

it.each(table`
  { type: string, pattern: '^aa', maxLength: 7 } | maxLength: 7 | maxLength: 8 |
  { type: string, pattern: "^[0-9]{2}[a-z]$" } | pattern: "^[0-9]{2}[a-z]$" | pattern: "^[0-9]{2}[a-z]" |
  { type: string, pattern: "^[0-9]{2}[a-z]$" } | pattern: "^[0-9]{2}[a-z]$" | pattern: "^[0-9]{2}[A-Za-z]$" |
  { type: number, exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 } | multipleOf: 0.5 | multipleOf: 0.125 |
  { type: string, not: { const: never } } | not: { const: never } | not: false |
  { type: array, contains: { type: string, minLength: 2 }, minContains: 2 } | minLength: 2 | minLength: 1 |
  { type: array, contains: { type: string, minLength: 2 }, minContains: 2 } | { type: string, minLength: 2 } | { minLength: 2 } |
  { type: array, contains: { type: string }, maxContains: 3 } | maxContains: 3 | maxContains: 99 |
  { type: object, patternProperties: { '^pp$': { type: string, maxLength: 6 } } } | maxLength: 6 | maxLength: 7 | /pp
  { type: object, propertyNames: { maxLength: 11 } } | maxLength: 11 | maxLength: 12 |
  { type: object, dependentRequired: { a: [b] }, properties: { a: {}, b: {} } } | dependentRequired: { a: [b] } | dependentRequired: {} |
  { type: object, dependentSchemas: { a: { required: [b] } }, properties: { a: {}, b: {} } } | required: [b] | required: [] |
  { oneOf: [{ type: object, required: [of], properties: { of: { const: aa } } }, { type: object, required: [of, to], properties: { of: { const: bb } } }] } | of: { const: bb } | of: {} | /of
  { type: string, format: date } | format: date | pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}', maxLength: 10 |
  { type: string, format: date-time } | format: date-time | pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}' |
  { type: string, format: date-time } | format: date-time | pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T' |
  { enum: [aa, bB, 1] } | enum: [aa, bB, 1] | enum: [aa, bB, 1, AA] |
  { type: string, format: date-time } | format: date-time | pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-([0-2][0-9]|3[01])T[^ ]+Z" |
  { type: string, format: email } | format: email | pattern: "@[a-z]+[.][a-z]+" |
  { type: string, format: ipv4 } | format: ipv4 | pattern: "^([0-9]{1,3}[.]){3}[0-9]{1,3}" |
  { type: string, format: uri } | format: uri | pattern: "^https?://" |
  { type: string, format: uuid } | format: uuid | pattern: '^[0-9a-z-]{36}', maxLength: 36 |
  { type: string, format: uuid } | format: uuid | pattern: '^[0-9a-f-]{30}', not: { pattern: '[g-z]' } |
  { type: string, format: date } | format: date | anyOf: [{ format: date }, { format: date-time }] |
  { type: string, format: date } | format: date | anyOf: [{ format: date }, { pattern: '^[0-9]{8}' }] |
  { type: string, format: date } | format: date | anyOf: [{ format: date }, { pattern: '^[0-9]+-[0-9]-[0-9]' }] |
  { type: string, format: date-time } | format: date-time | anyOf: [{ format: date-time }, { pattern: '^[^T]+Z' }] |
  { type: string, format: date-time } | format: date-time | anyOf: [{ format: date-time }, { pattern: '^[^:]+T[^:]+:[^:]+Z' }] |
  { type: string, format: date-time } | format: date-time | anyOf: [{ format: date-time }, { pattern: 'T.+[+][0-9]{4}' }] |
  { type: string, format: time } | format: time | anyOf: [{ format: time }, { pattern: '^[0-9]+:[0-9]+:[0-9]+' }] |
  { type: string, format: time } | format: time | anyOf: [{ format: time }, { pattern: '^[0-9]+:[0-9]+' }] |
  { type: string, format: ipv4 } | format: ipv4 | anyOf: [{ format: ipv4 }, { format: ipv6 }] |
  { type: string, format: ipv4 } | format: ipv4 | anyOf: [{ format: ipv4 }, { pattern: "^[0-9]+[.][0-9]+$" }] |
  { type: string, format: ipv4 } | format: ipv4 | anyOf: [{ format: ipv4 }, { pattern: '^0[0-9]+[.]' }] |
  { type: string, format: ipv6 } | format: ipv6 | anyOf: [{ format: ipv6 }, { format: ipv4 }] |
  { type: string, format: ipv6 } | format: ipv6 | anyOf: [{ format: ipv6 }, { pattern: '^[0-9a-f:]+:[0-9a-f:]+' }] |
  { type: string, format: email } | format: email | anyOf: [{ format: email }, { pattern: '^[^<@]+<[a-z]+@[a-z.]+>' }] |
  { type: string, format: email } | format: email | anyOf: [{ format: email }, { pattern: '^[a-z ]+@[a-z.]+' }] |
  { type: string, format: uuid } | format: uuid | anyOf: [{ format: uuid }, { pattern: '^[0-9a-f]{32}' }] |
  { type: string, format: uuid } | format: uuid | anyOf: [{ format: uuid }, { pattern: '^[{][0-9a-f-]{36}[}]' }] |
  { type: string, format: uuid } | format: uuid | pattern: "^[0-9a-f-]{36}$" |
  { type: string, format: email } | format: email | pattern: "^[^ @]+@[^ ]+[.][^ ]+$" |
  { type: string, format: time } | format: time | pattern: "^[0-9]{2}(:[0-9]{2}){2}Z" |
  { type: array, items: { type: integer } } | items: { type: integer } | prefixItems: [{ type: integer }] |
  { type: string, pattern: "^[0-9]{4}$" } | "^[0-9]{4}$" | "^[0-9١]{4}$" |
  { type: object, required: [of], properties: { of: { type: string } } } | required: [of] | anyOf: [{ required: [of] }, { required: [OF] }] |
  { type: object, minProperties: 2, maxProperties: 3, properties: { a: {}, b: {}, c: {}, d: {} }, additionalProperties: false } | minProperties: 2 | minProperties: 1 |
`)('of %s, %s that is not checked while all else is', async (schema, held, served, place) => {
  const found = await deviationsOf({
    ...ruled(schema),
    served: [held, served],
  });
  expect(found).toContain(`POST /rules accepts an invalid body/rule${place}, expected 400`);
});

describe('of an operation with more changes than are tried', () => {
  const contract: Fault['contract'] = [
    '  /weather:',
    `  /orders:
    post:
      operationId: order
      security: []
      parameters: [{ name: X-Key, in: header, required: true, schema: { type: string, minLength: 8, maxLength: 64 } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [a], properties: { a: &integer { type: integer }, b: *integer, c: *integer, d: *integer, e: *integer } } } } }
      responses:
        '204': { description: Ordered. }
        4XX: { $ref: '#/components/responses/Error' }
  /weather:`,
  ];

  it.each(table`
    in: header, required: true | in: header | no header X-Key, expected 400
    requestBody: { required: true, | requestBody: { | no body, expected 400
    true, content: { application/json: | true, content: { '*/*': | a body of .+, expected 415
  `)('%s that is not checked, whatever the seed', async (held, served, what) => {
    const order: Fault = { contract, served: [held, served], handlers: { order: () => ({ status: 204 }) } };
    for (const seed of [1, 2, 12]) {
      const found = await deviationsOf({ ...order, runs: runsFor(10), seed });
      expect(found).toContainEqual(expect.stringMatching(`^POST /orders accepts ${what}$`));
    }
  });
});

const LINE = '{ type: object, required: [sku], properties: { sku: { type: string, minLength: 2 } } }';
const MAP = '{ type: object, additionalProperties: { type: string } }';
const LINES = `{ type: array, minItems: 1, items: ${LINE} }`;
const labels = (text: string): string =>
  `{ type: object, minProperties: 1, maxProperties: 2, additionalProperties: { type: string, ${text} } }`;
it.each([
  ['an item for a list of one', LINES],
  ['a list of one for its item', LINE],
  ['a fraction for an integer', '{ type: integer, minimum: 2 }', '{ type: number, minimum: 2 }'],
  ['a long text in a map of few', labels('maxLength: 20'), labels('maxLength: 2000'), 'body/rule/undeclared'],
  ['a map of texts for a closed object', '{ type: object, additionalProperties: false }', MAP],
])(
  '%s is found, whatever the seed',
  async (_what, held, served = `{ anyOf: [${LINE}, ${LINES}] }`, place = 'body/rule') => {
    for (const seed of [1, 2])
      expect(await deviationsOf({ ...ruled(held), served: [held, served], runs: runsFor(50), seed })).toEqual([
        `POST /rules accepts an invalid ${place}, expected 400`,
      ]);
  },
);

it('a body that is not checked, of what is looked for before, is found, whatever the seed', async () => {
  const content = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
  const change = '{ type: object, properties: { text: { type: string } } }';
  const id = '{ type: object, required: [id], properties: { id: { type: string, format: uuid } } }';
  const ids = new Set<string>();
  const changeCard = ({ path }: AnyRequest): HandlerAnswer =>
    ids.has((path as { id: string }).id)
      ? { status: 204 }
      : { status: 404, body: { error: 40402, message: 'no such card' } };
  const addCard = (): HandlerAnswer => {
    const added = randomUUID();
    ids.add(added);
    return { status: 201, body: { id: added } };
  };
  const cards: Fault = {
    contract: [
      '  /weather:',
      `  /cards:
    post:
      operationId: addCard
      security: []
      responses: { '201': { description: Added., ${content(id)} }, 4XX: { $ref: '#/components/responses/Error' } }
  /cards/{id}:
    patch:
      operationId: changeCard
      security: []
      parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
      requestBody: { required: true, ${content(change)} }
      responses: { '204': { description: Changed. }, 4XX: { $ref: '#/components/responses/Error' } }
  /weather:`,
    ],
    served: [change, '{}'],
    handlers: { addCard, changeCard },
  };
  for (const seed of [1, 2, 3, 4, 5, 6])
    expect(await deviationsOf({ ...cards, seed })).toContain('PATCH /cards/{id} accepts an invalid body, expected 400');
});

describe('of a body with many properties', () => {
  const properties = [
    ...['age: { type: integer, minimum: 18, maximum: 120 }', 'price: { type: number, minimum: 0.5, maximum: 9.99 }'],
    ...[
      'user: { type: string, minLength: 3, maxLength: 16 }',
      'tags: { type: array, items: { type: string, maxLength: 10 } }',
    ],
    ...[
      "code: { type: string, pattern: '^[0-9]{2}[a-z]$' }",
      'share: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 1 }',
    ],
    ...[
      'news: { type: boolean }',
      'name: { type: string }',
      'count: { type: integer }',
      'language: { enum: [de, en, fr] }',
      'address: { type: object, properties: { city: { type: string } } }',
      'note: { type: string, maxLength: 99 }',
    ],
  ].join(', ');
  const taking = (held: string, served: string, seed: number): Promise<string[]> =>
    deviationsOf({
      ...ruled(`{ type: object, properties: { ${properties} } }`),
      served: [held, served],
      runs: runsFor(200),
      seed,
    });

  it.each(table`
    minimum: 18 | minimum: 17 | /age
    maximum: 120 | maximum: 121 | /age
    minimum: 0.5 | minimum: 0.4 | /price
    maximum: 9.99 | maximum: 9.999 | /price
    exclusiveMinimum: 0 | minimum: 0 | /share
    exclusiveMaximum: 1 | maximum: 1 | /share
    minLength: 3 | minLength: 2 | /user
    maxLength: 16 | maxLength: 17 | /user
    maxLength: 10 | maxLength: 11 | /tags/0
    ^[0-9]{2}[a-z]$ | [0-9]{2}[a-z]$ | /code
    ^[0-9]{2}[a-z]$ | ^[0-9]{2}[a-z]\n?$ | /code
    ^[0-9]{2}[a-z]$ | ^ *[0-9]{2}[a-z] *$ | /code
    name: { type: string } | name: { type: [string, number] } | /name
    name: { type: string } | name: { type: [string, 'null'] } | /name
    count: { type: integer } | count: { type: [integer, string] } | /count
    news: { type: boolean } | news: { type: [boolean, 'null'] } | /news
    news: { type: boolean } | news: { enum: [true, false, 'yes'] } | /news
    news: { type: boolean } | news: { enum: [true, false, 'true'] } | /news
    news: { type: boolean } | news: { enum: [true, false, 1] } | /news
    count: { type: integer } | count: { type: [integer, boolean] } | /count
    language: { enum: [de, en, fr] } | language: { enum: [de, en, fr, null] } | /language
    language: { enum: [de, en, fr] } | language: { enum: [de, en, fr, 0, 1, 2] } | /language
    language: { enum: [de, en, fr] } | language: { enum: [de, en, fr, ' de', ' en', ' fr'] } | /language
    address: { type: object | address: { type: [object, array] | /address
  `)('%s that is taken for %s', async (held, served, place) => {
    for (const seed of [1, 2])
      expect(await taking(held, served, seed)).toContain(
        `POST /rules accepts an invalid body/rule${place}, expected 400`,
      );
  });

  it('another type of the last property, by some seeds', async () => {
    const found = [];
    for (const seed of [1, 2, 3, 4])
      found.push(...(await taking('note: { type: string', 'note: { type: [string, object]', seed)));
    expect(found).toContain('POST /rules accepts an invalid body/rule/note, expected 400');
  });
});

/** What every operation of `ruled` is tried with, whatever its schema. */
const OF_EVERY_BODY = {
  'POST /rules body type object': true,
  'POST /rules body type object, got null': true,
  'POST /rules body type object, got a list': true,
  'POST /rules body type object, got a list of one': true,
  'POST /rules body properties, in another letter case': true,
  'POST /rules body required rule': true,
  'POST /rules body required': true,
  'POST /rules body required, got an empty body of application/json': true,
  'POST /rules body syntax, got a comma at the end': true,
  'POST /rules body syntax, got single quotes': true,
  'POST /rules body syntax, got keys without quotes': true,
  'POST /rules body syntax, got a comment': true,
  'POST /rules body syntax, got a comment before it': true,
  'POST /rules body syntax, got a second value': true,
};

it('counts the constraints that were broken alone, and those that others hide', async () => {
  const { coverage } = await verdictOn(ruled("{ type: string, pattern: '^aaa', minLength: 3, maxLength: 9 }"));
  expect(coverage.constraints).toEqual({
    ...OF_EVERY_BODY,
    'POST /rules body syntax, got a tab in a text': true,
    'POST /rules body/rule type string': true,
    'POST /rules body/rule type string, got null': true,
    'POST /rules body/rule type string, got a number': true,
    'POST /rules body/rule type string, got a list of one': true,
    'POST /rules body/rule pattern ^aaa': true,
    'POST /rules body/rule pattern ^aaa, got more before it': true,
    'POST /rules body/rule pattern ^aaa, got a blank beside it': true,
    'POST /rules body/rule pattern ^aaa, got another letter case': true,
    'POST /rules body/rule pattern ^aaa, got another script': true,
    'POST /rules body/rule minLength 3': false,
    'POST /rules body/rule maxLength 9': true,
  });
});

it('counts no constraint as tried by an answer that says nothing about it', async () => {
  const sendRule = (): HandlerAnswer => ({ status: 404, body: { error: 40402, message: 'no such rule' } });
  const { coverage } = await verdictOn({
    ...ruled('{ type: integer }'),
    handlers: { sendRule },
    served: ['{ type: integer }', '{}'],
  });
  expect(coverage.constraints).toEqual({
    ...OF_EVERY_BODY,
    'POST /rules body/rule type integer': false,
    'POST /rules body/rule type integer, got null': false,
    'POST /rules body/rule type integer, got a number in quotes': false,
    'POST /rules body/rule type integer, got a boolean': false,
    'POST /rules body/rule type integer, got a fraction': false,
    'POST /rules body/rule type integer, got a list of one': false,
  });
});

it('counts no constraint as tried where the same is refused without the fault as well', async () => {
  const sendRule = (): HandlerAnswer => ({ status: 422, body: { error: 42202, message: 'not this one' } });
  const { coverage } = await verdictOn({ ...ruled('{ type: integer }'), handlers: { sendRule } });
  expect(Object.keys(coverage.constraints)).toContain('POST /rules body/rule type integer');
  expect(Object.values(coverage.constraints)).not.toContain(true);
});

/** An operation that takes a body of these media types, and has parameters. */
const sendingFile = (content: string, parameters = ''): Fault => ({
  contract: [
    '  /weather:',
    `  /files:
    post:
      operationId: sendFile
      security: []
      parameters: [${parameters}]
      requestBody: { required: true, content: { ${content} } }
      responses:
        '204': { description: Sent. }
        4XX: { $ref: '#/components/responses/Error' }
  /weather:`,
  ],
  handlers: { sendFile: () => ({ status: 204 }) },
});

it.each([
  '{ type: string, format: binary, maxLength: 9 }',
  '{ type: string, contentMediaType: image/png, maxLength: 9 }',
  '{ type: string, format: byte, allOf: [{ maxLength: 9 }] }',
])('no refusal of a valid body of bytes, %s', async (schema) => {
  const found = await deviationsOf(sendingFile(`application/octet-stream: { schema: ${schema} }`));
  expect(found).toEqual(['warning POST /files answers 413 to an invalid body, expected 400']);
});

it('a file of a media type that its field does not take', async () => {
  const picture =
    'multipart/form-data: { schema: { type: object, required: [a], properties: { a: {} } }, encoding: { a: { contentType: image/png } } }';
  expect(
    await deviationsOf({
      ...sendingFile(picture),
      served: ['a: { contentType: image/png }', "a: { contentType: '*/*' }"],
    }),
  ).toEqual(['POST /files accepts an invalid body/a, expected 400']);
});

const FILES = ['a', 'b', 'c', 'd', 'e', 'f'];

it.each([
  ['application/json: { schema: { type: array, items: { type: array, items: { type: string } } } }', ''],
  ["'*/*': { schema: { type: string, format: binary } }", ''],
  ["'*/*': { schema: { type: string } }", ''],
  ["'*/*': { schema: { type: object, properties: { a: { type: integer } } } }", ''],
  ['multipart/form-data: { schema: { type: object, properties: { a: { contentMediaType: image/png } } } }', ''],
  [
    'multipart/form-data: { schema: { type: object, properties: { a: { type: array, items: {} }, b: {}, c: { type: string } } }, encoding: { b: { contentType: image/png }, c: { contentType: image/* } } }',
    '',
  ],
  [
    `multipart/form-data: { schema: { type: object, properties: { ${FILES.map((name) => `${name}: { type: string }`).join()} } }, encoding: { ${FILES.map((name) => `${name}: { contentType: image/png }`).join()} } }`,
    '',
  ],
  ['application/octet-stream: { schema: { type: string, format: byte, minLength: 4 } }', ''],
  ['image/png: { schema: { type: string, format: binary, minLength: 4 } }', ''],
  ['application/octet-stream: {}', '{ name: Content-Length, in: header, required: true, schema: { type: integer } }'],
])('nothing of a right server that takes a body of %s %s', async (content, parameters) => {
  expect(await deviationsOf(sendingFile(content, parameters))).toEqual([]);
});

it.each(table`
  <a/> | POST /parcels answers 200 with a wrong body: /body: expected the element parcel, got another
  <parcel/> | POST /parcels answers 200 with a wrong body: must have required property 'id'
  <parcel id="1"> | POST /parcels answers 200 with a body that is no XML
  <!DOCTYPE parcel><parcel/>
    | warning POST /parcels answers 200 with XML that has a DOCTYPE or another encoding than UTF-8, which is not judged
`)('%s as an answer', async (body, found) => {
  expect(await deviationsOf({ handlers: { sendParcel: () => ({ status: 200, body }) } })).toEqual([found]);
});

describe('an answer of another media type than JSON', () => {
  const weather = (mediaType: string, body: string | Buffer): Fault => ({
    handlers: {
      getWeather: () => ({ status: 200, mediaType, body: typeof body === 'string' ? Buffer.from(body) : body }),
    },
  });

  it.each(table`
    application/xml | {"id":1,"text":""} | a body that is no XML
    text/event-stream | {"id":1,"text":""} | a body that has no events
    image/png | {"id":1,"text":""} | a body that is JSON
    text/event-stream | ${'data: {"id":1}\n\ndata: 5\n\n'} | a wrong item 2: must be object
    text/event-stream | ${'data: {"id":1}\n\ndata: {"id":2}\n'} | an event that no empty line ends
    application/json-seq | ${'1\n'} | an item without a record separator
    application/json-seq | ${'\x1e1\n2\n'} | a wrong item 1: is no JSON
    application/jsonl | ${'1\n2\n"rain"\n'} | a wrong item 3: must be integer
    application/jsonl | ${'1\n2\n3\n4\n'} | more than 3 items
    application/jsonl | ${'1\n'} | fewer than 2 items
    text/csv | name,id | a wrong body: must match pattern "^id,"
    text/x-degrees | -51 | a wrong body: must be >= -50
    text/x-degrees | cold | a wrong body: must be integer
    application/x-www-form-urlencoded | to=you | a wrong body: /to must be integer
    application/yaml | [1 | a body that is no YAML
    application/yaml | text: sun | a wrong body: must have required property 'id'
    application/jsonl | ${'rain\n'} | a wrong item 1: is no JSON
    multipart/mixed; boundary=xx | ${'--xx\r\n\r\n1\r\n--xx\r\n\r\nrain\r\n--xx--'} | a wrong item 2: must be integer
    multipart/mixed; boundary=xx | ${'--xx\r\n\r\n1\r\n--xx'} | a body without its last boundary
  `)('%s: %j is %s', async (mediaType, body, problem) => {
    expect(await deviationsOf(weather(mediaType, body))).toEqual([`GET /weather answers 200 with ${problem}`]);
  });

  it.each(["'*/*': {}", 'text/*: {}'])('%s before its media type allows none of its faults', async (range) => {
    const contract: Fault['contract'] = [
      'text/plain: { schema: { type: string, enum',
      `${range}\n            text/plain: { schema: { type: string, enum`,
    ];
    expect(await deviationsOf({ ...weather('text/x-degrees', '-51'), contract })).toEqual([
      'GET /weather answers 200 with a wrong body: must be >= -50',
    ]);
  });

  it.each(['text/event-stream', 'application/jsonl'])(
    '%s in ISO 8859-1 is a body that is no UTF-8',
    async (mediaType) => {
      expect(await deviationsOf(weather(mediaType, Buffer.from('data: "\xe4"\n\n', 'latin1')))).toEqual([
        'GET /weather answers 200 with a body that is no UTF-8, as its items have to be',
      ]);
    },
  );

  it.each<[mediaType: string, body: string | Buffer]>([
    ['application/xml', '<Note><id>1</id><text>sun</text></Note>'],
    ['text/event-stream', ': a comment\n\nid: 1\ndata: {"id":\ndata: 1}\n\n'],
    ['text/event-stream', 'data: {"id":1}\r\r\n: the end\r\n'],
    ['application/json-seq', '\x1e1\n\x1e2\n'],
    ['application/jsonl', '1\n2\n'],
    ['text/csv', 'id,name\n'],
    ['text/x-degrees', '20\n'],
    ['application/x-www-form-urlencoded', 'to=9007199254740993&text=a+b'],
    ['application/yaml', 'id: 9007199254740993\ntext: 5 °C\n'],
    ['application/octet-stream', Buffer.from([0xff])],
    ['multipart/mixed; boundary=xx', '--xx\r\n\r\n1\r\n--xx\r\nContent-Type: application/json\r\n\r\n2\r\n--xx--'],
  ])('%s is taken as it is declared', async (mediaType, body) => {
    expect(await deviationsOf(weather(mediaType, body))).toEqual([]);
  });

  it.each([
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="to"\r\n\r\n1\r\n--x--',
      'of multipart/form-data',
    ],
    ['text/csv; charset=latin1', 'name', 'of text/csv in another encoding than UTF-8'],
  ])('%s is told as not judged', async (mediaType, body, what) => {
    expect(await deviationsOf(weather(mediaType, body))).toEqual([
      `warning GET /weather answers 200 ${what}, which is not judged`,
    ]);
  });
});

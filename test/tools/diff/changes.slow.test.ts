/** Changes that redocly takes for harmless, and that break clients. */
import { type Change, changesBetween } from '../../../src/tools/diff/changes';
import { IMPACTS } from '../../../src/tools/diff/verdict';
import { readContract } from '../../../src/tools/project/read-contract';
import { contractOf } from '../../support/contracts';

const BASE = `
openapi: 3.2.0
info: { title: Notes, version: 1.0.0 }
servers: [{ url: /v1 }]
security: [{ token: [], key: [] }]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { content: { application/xml: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '200':
          description: The note.
          headers: { Location: { required: true, schema: { type: string } }, Sizes: { schema: { type: object } } }
          content: { application/xml: { schema: { $ref: '#/components/schemas/Note' } } }
    additionalOperations: { COPY: { operationId: copyNote, responses: { '204': { description: Done. } } } }
  /all: { $ref: '#/components/pathItems/All' }
components:
  securitySchemes: { token: { type: http, scheme: bearer }, key: { type: apiKey, in: header, name: Key } }
  pathItems:
    All:
      put:
        operationId: putNotes
        parameters: [{ name: sorted, in: query, schema: { type: boolean, default: true } }]
        requestBody: { content: { multipart/mixed: { itemSchema: {}, itemEncoding: { contentType: image/png } } } }
        responses: { '204': { description: Done. } }
  schemas:
    Note: { type: object, required: [text, key], dependentRequired: { title: [pages] }, xml: { name: note }, properties: { text: { type: string }, key: { type: string }, pages: { type: integer, maximum: 9223372036854775807 }, size: { enum: [{ a: 4 }, { a: 5 }] } } }
`;

it.each<[what: string, before: string | RegExp, now: string]>([
  ['another path of the first server', '[{ url: /v1 }]', '[{ url: /v2 }, { url: /v1 }]'],
  ['a header that answers may lack', 'required: true', 'required: false'],
  ['another name of an element', 'name: note', 'name: entry'],
  ['a property that answers no longer have', 'key: { type: string }', 'key: { type: string, writeOnly: true }'],
  ['another media type of parts', 'image/png', 'image/gif'],
  ['no operation of another method', /additionalOperations.*/, ''],
  ['an item that no request may have', 'itemSchema: {}', 'itemSchema: false'],
  ['one object less in a list of constants', ', { a: 5 }', ''],
  ['a property that one of any name needs', '{ title: [pages] }', '{ title: [pages, size] }'],
  ['a parameter that is required in a referenced path', 'in: query,', 'in: query, required: true,'],
  ['another default of a parameter', 'default: true', 'default: false'],
  ['another way of writing a header', 'Sizes: {', 'Sizes: { explode: true,'],
  ['a body that is now needed', 'copyNote,', 'copyNote, requestBody: { required: true, content: { text/plain: {} } },'],
  ['no credential', '{ token: [], key: [] }', ''],
  ['one credential where there were two', 'token: [], key: []', 'token: []'],
  ['a property that requests no longer have', 'key: { type: string }', 'key: { type: string, readOnly: true }'],
])('%s breaks clients', async (_what, before, now) => {
  const file = contractOf(BASE);
  const changes = await changesBetween(readContract(file), readContract(contractOf(BASE.replace(before, now))));
  expect(changes.map(({ impact }) => impact)).toContain('major');
});

describe('one more branch of a oneOf', () => {
  const branches = (...more: string[]): string =>
    ['{ type: object, required: [file], properties: { file: { type: string } } }', '{ type: integer }', ...more].join(
      ', ',
    );
  const body = (of: string): string =>
    BASE.replace(
      'copyNote,',
      `copyNote, requestBody: { content: { application/json: { schema: { oneOf: [${of}] } } } },`,
    );

  it.each([
    [
      'breaks clients',
      'that a value of another branch fits too',
      'major',
      '{ type: object, required: [url], properties: { url: { type: string } } }',
    ],
    ['is an addition', 'that no value of another branch fits', 'minor', '{ type: array }'],
  ])('%s %s', async (_does, _which, impact, branch) => {
    const [before, now] = [branches(), branches(branch)].map((of) => readContract(contractOf(body(of))));
    if (!before || !now) throw new Error('two contracts expected');
    const changes = await changesBetween(before, now);
    expect(changes).toEqual([expect.objectContaining({ impact })]);
  });
});

describe('more that a branch of a oneOf takes', () => {
  const sources = (size: string): string => `
openapi: 3.1.0
info: { title: Files, version: 1.0.0 }
paths:
  /files:
    post:
      operationId: addFile
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Source' } } } }
      responses: { '204': { description: Added. } }
components:
  schemas:
    Source: { oneOf: [{ $ref: '#/components/schemas/Small' }, { $ref: '#/components/schemas/Large' }] }
    Small: { type: object, required: [size], properties: { size: { type: integer, maximum: ${size} } } }
    Large: { type: object, required: [size], properties: { size: { type: integer, minimum: 10, maximum: 20 } } }
`;

  it.each([
    ['is a break', 'that another branch takes too', 'major', '12'],
    ['is none', 'that no other branch takes', 'patch', '9'],
  ])('%s %s', async (_does, _which, impact, size) => {
    expect(await impactOf(sources('5'), sources(size))).toBe(impact);
  });

  const REF = "{ $ref: '#/components/schemas/Source' }";
  const CHOICE = "{ oneOf: [{ $ref: '#/components/schemas/Small' }, { $ref: '#/components/schemas/Large' }] }";
  const withMore = (schema: string): string => schema.replace('] }', ', { type: [integer, object] }] }');

  const inParameter = (size: string): string =>
    sources(size).replace(
      /requestBody: .*/,
      `parameters: [{ name: q, in: query, content: { application/json: { schema: ${CHOICE} } } }]`,
    );
  const ofItems = (size: string): string =>
    sources(size)
      .replace('3.1.0', '3.2.0')
      .replace(`application/json: { schema: ${REF}`, `application/jsonl: { itemSchema: ${REF}`);

  it.each<[change: string, before: string, now: string]>([
    ['whose component has another name', sources('5'), sources('12').replaceAll('Source', 'FileSource')],
    ['that is in components now', sources('5').replace(REF, CHOICE), sources('12')],
    [
      'that is in an allOf now',
      sources('5').replace(REF, CHOICE),
      sources('12').replace(REF, `{ allOf: [${CHOICE}] }`),
    ],
    ['that gets a branch in components', sources('5').replace(REF, CHOICE), withMore(sources('5'))],
    ['of a parameter of JSON', inParameter('5'), inParameter('12')],
    ['of the items of a body', ofItems('5'), ofItems('12')],
    [
      'that may be null now',
      sources('5').replace(REF, CHOICE),
      sources('12').replace(REF, `{ anyOf: [${REF}, { type: 'null' }] }`),
    ],
    [
      'of a property that was any one',
      sources('5').replace(REF, `{ type: object, additionalProperties: ${REF} }`),
      sources('12').replace(REF, `{ type: object, properties: { a: ${REF} }, additionalProperties: ${REF} }`),
    ],
    ['of another name that gets a branch', sources('5'), withMore(sources('5').replaceAll('Source', 'FileSource'))],
  ])('is a break in one %s', async (_change, before, now) => {
    expect(await impactOf(before, now)).toBe('major');
  });

  it('is a break where the parameter of its path has another name', async () => {
    const at = (name: string, size: string): string => {
      const parameter = `parameters: [{ name: ${name}, in: path, required: true, schema: { type: string } }]`;
      return sources(size).replace('/files:', `/files/{${name}}:\n    ${parameter}`).replace(REF, CHOICE);
    };
    expect(await impactOf(at('id', '5'), at('fileId', '12'))).toBe('major');
  });

  it('is a break where only values of one branch show it, as of two patterns', async () => {
    const password = String.raw`{ type: string, pattern: '^(?=.*[A-Z])(?=.*\d).{8}' }`;
    const of = (...branches: string[]): string =>
      taking(`{ oneOf: [${['{ type: integer }', password, ...branches].join(', ')}] }`);
    expect(await impactOf(of(), of('{ type: string, minLength: 8, maxLength: 64 }'))).toBe('major');
  });

  it('is a break in the last of 60 that name the branch', async () => {
    const title = "{ $ref: '#/components/schemas/Title' }";
    const properties = Array.from({ length: 60 }, (_, index) => `p${index}: { oneOf: [${title}, { type: integer }] }`);
    const last = `last: { oneOf: [${title}, { type: string, minLength: 8 }] }`;
    const of = (length: number): string =>
      taking(`{ properties: { ${[...properties, last].join(', ')} } }`, `{ type: string, maxLength: ${length} }`);
    expect(await impactOf(of(5), of(9))).toBe('major');
  });
});

/** The contract with an operation whose requests are held to a schema, which may name that of titles. */
function taking(schema: string, title = '{}'): string {
  const body = `requestBody: { content: { application/json: { schema: ${schema} } } },`;
  return BASE.replace('copyNote,', `copyNote, ${body}`).replace('  schemas:\n', `  schemas:\n    Title: ${title}\n`);
}

/** The greatest impact of the changes between two contracts. */
async function impactOf(...texts: [string, string]): Promise<string | undefined> {
  const [before, now] = texts.map((text) => readContract(contractOf(text)));
  if (!before || !now) throw new Error('two contracts expected');
  const impacts = (await changesBetween(before, now)).map(({ impact }) => impact);
  return impacts.toSorted((a, b) => IMPACTS.indexOf(a) - IMPACTS.indexOf(b))[0];
}

describe('in requests', () => {
  const closed = (...members: string[]): string =>
    `{ type: object, allOf: [${members.join(', ')}], unevaluatedProperties: false }`;
  const a = '{ properties: { a: { properties: { x: {} } } } }';
  const note = "{ $ref: '#/components/schemas/Note' }";

  it.each([
    ['a property of a branch', closed('{ properties: { a: {}, b: {} } }'), closed('{ properties: { a: {} } }')],
    ['a whole branch', closed(a, note), closed(a)],
    [
      'additionalProperties: true',
      '{ type: object, additionalProperties: true, unevaluatedProperties: false }',
      '{ type: object, unevaluatedProperties: false }',
    ],
  ])('%s that is gone breaks clients where no other properties may be', async (_what, before, now) => {
    expect(await impactOf(taking(before), taking(now))).toBe('major');
  });

  it('a property that is gone from a value within breaks none', async () => {
    expect(await impactOf(taking(closed(a)), taking(closed('{ properties: { a: { properties: {} } } }')))).toBe(
      'patch',
    );
  });

  it.each([
    ['comes', 'of another type', 'major', '', 'b: { type: integer }'],
    ['comes', 'of the same type', 'minor', '', 'b: { type: string, title: B }'],
    ['goes', 'of another type', 'major', 'b: { type: integer }', ''],
    ['goes', 'of the same type', 'patch', 'b: { type: string, title: B }', ''],
  ])('a property that %s beside additional ones, %s, is %s', async (_does, _which, impact, before, now) => {
    const [earlier = '', later = ''] = [before, now].map(
      (more) => `{ type: object, properties: { a: {}, ${more} }, additionalProperties: { type: string } }`,
    );
    expect(await impactOf(taking(earlier), taking(later))).toBe(impact);
  });

  it.each(['false', '{ not: {} }'])('a property that only comes to be refused, by %s, is a break', async (refused) => {
    const [before, now] = [`{ properties: { a: {} } }`, `{ properties: { a: {}, b: ${refused} } }`];
    expect(await impactOf(taking(before), taking(now))).toBe('major');
  });

  const title = "{ $ref: '#/components/schemas/Title' }";

  it.each([
    ['major', `{ not: ${title} }`],
    ['major', `{ if: ${title}, then: { pattern: '^A' } }`],
    ['major', `{ type: array, contains: ${title}, maxContains: 1 }`],
    ['patch', `{ type: array, contains: ${title} }`],
  ])('a schema that takes more is %s where %s names it, too', async (impact, condition) => {
    const takingTitles = (length: number): string =>
      taking(`{ properties: { title: ${title}, other: ${condition} } }`, `{ type: string, maxLength: ${length} }`);
    expect(await impactOf(takingTitles(4), takingTitles(9))).toBe(impact);
  });
});

it.each([
  ['what is refused', '{ not: { enum: [a] } }', '{ not: { enum: [a, b] } }'],
  [
    'a condition',
    "{ if: { maxLength: 4 }, then: { pattern: '^A' } }",
    "{ if: { maxLength: 9 }, then: { pattern: '^A' } }",
  ],
  [
    'what may be there once',
    '{ type: array, contains: { enum: [a] }, maxContains: 1 }',
    '{ type: array, contains: { enum: [a, b] }, maxContains: 1 }',
  ],
])('in the schema of a parameter, more of %s breaks clients', async (_what, before, now) => {
  const asked = (schema: string): string =>
    BASE.replace('copyNote,', `copyNote, parameters: [{ name: by, in: query, schema: ${schema} }],`);
  expect(await impactOf(asked(before), asked(now))).toBe('major');
});

it('a callback to another address breaks clients', async () => {
  const calling = (address: string): string =>
    BASE.replace('copyNote,', `copyNote, callbacks: { done: { '${address}': { post: { responses: {} } } } },`);
  expect(await impactOf(calling('{$request.query.done}'), calling('{$request.query.url}'))).toBe('major');
});

it('shows integers as they are written', async () => {
  const now = contractOf(BASE.replace('775807', '775806'));
  const [change] = await changesBetween(readContract(contractOf(BASE)), readContract(now));
  expect(change?.text).toContain("changed from '<= 9223372036854775807' to '<= 9223372036854775806'");
});

it('names the place of what cannot be compared', async () => {
  const base = readContract(contractOf(BASE));
  const broken = readContract(contractOf(BASE.replace('url: /v1', 'url: null')));
  await expect(changesBetween(base, broken)).rejects.toThrow(/openapi\.yaml:\d+:\d+ expected string, got null/);
});

it('takes a reference in an extension or an example for data', async () => {
  const data = "{ $ref: 'nowhere.yaml' }";
  const now = BASE.replace('copyNote,', `copyNote, x-a: ${data},`).replace(
    'itemSchema:',
    `example: ${data}, itemSchema:`,
  );
  expect(await impactOf(BASE, now)).toBeUndefined();
});

describe('a schema that several share', () => {
  /** The contract of jobs, whose first operation answers with the schema in its errors alone. */
  const jobs = (reason: string, success = "'200'"): string => `
openapi: 3.1.0
info: { title: Jobs, version: 1.0.0 }
paths:
  /jobs:
    post: { operationId: addJob, responses: { '204': { description: Added. }, '400': { $ref: '#/components/responses/Reason' } } }
  /reasons:
    get: { operationId: listReasons, responses: { ${success}: { $ref: '#/components/responses/Reasons' } } }
    put: { operationId: setReasons, requestBody: { $ref: '#/components/requestBodies/Reasons' }, responses: { '204': { description: Set. } } }
components:
  requestBodies: { Reasons: { content: { application/json: { schema: { $ref: '#/components/schemas/Reasons' } } } } }
  responses:
    Reason: { description: Refused., content: { application/json: { schema: { $ref: '#/components/schemas/Reason' } } } }
    Reasons: { description: All., content: { application/json: { schema: { $ref: '#/components/schemas/Reasons' } } } }
  schemas:
    Reasons: { type: array, items: { $ref: '#/components/schemas/Reason' } }
    Reason: { type: object, properties: { code: { enum: [late, lost] }, since: ${reason} } }
`;
  const impacts = async (before: string, now: string): Promise<string[]> => {
    const changes = await changesBetween(readContract(contractOf(before)), readContract(contractOf(now)));
    return changes.map(({ impact }) => impact);
  };
  const INTEGER = '{ type: integer, default: 1 }';

  it.each(["'200'", '2XX', 'default'])(
    'breaks clients by a value that is new in a success %s, too',
    async (success) => {
      const before = jobs(INTEGER, success);
      expect(await impacts(before, before.replace('[late,', '[early, late,'))).toEqual(['major']);
    },
  );

  it('has a new error code where it is in errors alone', async () => {
    const before = jobs(INTEGER)
      .replace("schema: { $ref: '#/components/schemas/Reasons' } } } }\n  schemas", 'schema: {} } } }\n  schemas')
      .replace("schema: { $ref: '#/components/schemas/Reasons' }", 'schema: {}');
    expect(await impacts(before, before.replace('[late,', '[early, late,'))).toEqual(['minor']);
  });

  it('breaks clients by another default of what requests leave out', async () => {
    expect(await impacts(jobs(INTEGER), jobs('{ type: integer, default: 2 }'))).toEqual(['major']);
  });
});

it('a property more in a branch that a mapping names is an addition', async () => {
  const pets = (more: string): string =>
    taking(
      "{ oneOf: [{ $ref: '#/components/schemas/Note' }, { $ref: '#/components/schemas/Title' }], discriminator: { propertyName: kind, mapping: { n: '#/components/schemas/Note', t: '#/components/schemas/Title' } } }",
      `{ type: object, required: [kind], properties: { kind: { const: t }, ${more} } }`,
    );
  expect(await impactOf(pets(''), pets('b: { type: string }'))).toBe('minor');
});

it('lists a parameter that comes once, at its operation', async () => {
  const now = BASE.replace('copyNote,', 'copyNote, parameters: [{ name: q, in: query, schema: {} }],');
  const changes = await changesBetween(readContract(contractOf(BASE)), readContract(contractOf(now)));
  expect(changes.map(({ text }) => text)).toEqual([expect.stringMatching(/^COPY \/notes parameters/)]);
});

describe('an operation', () => {
  const body = (schema: string): string => `requestBody: { content: { application/json: { schema: ${schema} } } },`;
  const object = (more: string): string => body(`{ type: object, ${more} }`);
  const answer = (responses: string): string => `responses: { ${responses} },`;
  const text = 'content: { application/json: { schema: { type: string } } }';
  const taking = (part: string): string => `parameters: [{ name: q, in: query, ${part} }],`;
  const called = (part: string): string => `callbacks: { done: { '{$request.body}': { post: { ${part} } } } },`;
  const hooked = (name: string): string => `callbacks: { done: { $ref: '#/components/callbacks/${name}' } },`;

  /** Of each operation what is changed in it. The parameter `shared` is that of its path, and `Title` a schema. */
  const BREAKS: [what: string, before: string, now: string][] = [
    ['overrides a parameter of its path', '', 'parameters: [{ name: shared, in: query, schema: { type: integer } }],'],
    [
      'takes a parameter as JSON',
      taking('schema: { type: object }'),
      taking('content: { application/json: { schema: { type: object } } }'),
    ],
    [
      'takes a media type out of a range',
      "requestBody: { content: { '*/*': {} } },",
      "requestBody: { content: { '*/*': {}, application/json: { schema: { type: integer } } } },",
    ],
    [
      'answers with a media type out of a range',
      answer("200: { description: S, content: { 'text/*': { schema: { type: string } } } }"),
      answer(
        "200: { description: S, content: { 'text/*': { schema: { type: string } }, text/plain: { schema: { type: integer } } } }",
      ),
    ],
    [
      'answers with a status out of a range',
      answer(`2XX: { description: S, ${text} }`),
      answer(`2XX: { description: S, ${text} }, 200: { description: S, content: { application/json: {} } }`),
    ],
    [
      'has a name more in dependentSchemas',
      object('dependentSchemas: { a: {} }'),
      object('dependentSchemas: { a: {}, b: { required: [c] } }'),
    ],
    [
      'has a property of unevaluatedProperties',
      object('properties: { a: {} }, unevaluatedProperties: { type: string }'),
      object('properties: { a: {}, b: { type: integer } }, unevaluatedProperties: { type: string }'),
    ],
    [
      'has a property of unevaluatedProperties around it',
      object('allOf: [{ properties: { a: {} } }], unevaluatedProperties: { type: string }'),
      object('allOf: [{ properties: { a: {}, b: { type: integer } } }], unevaluatedProperties: { type: string }'),
    ],
    [
      'has a property beside additional ones in items',
      body('{ items: { properties: { a: {} }, additionalProperties: { type: string } } }'),
      body('{ items: { properties: { a: {}, b: { type: integer } }, additionalProperties: { type: string } } }'),
    ],
    [
      'has the first property beside additional ones',
      object('additionalProperties: { type: string }'),
      object('additionalProperties: { type: string }, properties: { b: { type: integer } }'),
    ],
    [
      'has the last property beside additional ones no more',
      object('additionalProperties: { type: string }, properties: { b: { type: integer } }'),
      object('additionalProperties: { type: string }'),
    ],
    [
      'has a property of a pattern',
      object("patternProperties: { '^b': { type: string } }"),
      object("patternProperties: { '^b': { type: string } }, properties: { b: { type: integer } }"),
    ],
    [
      'takes less in a property whose name has a %',
      object("properties: { 'a%b': { type: string } }"),
      object("properties: { 'a%b': { type: string, maxLength: 9 } }"),
    ],
    ['takes another key whose name is like an extension', 'security: [{ x-key: [] }],', 'security: [{ x-admin: [] }],'],
    ['takes no key whose name is like an extension', 'security: [{ x-key: [] }],', 'security: [{}],'],
    [
      'takes a key more whose name is like one',
      'security: [{ x-key: [] }],',
      'security: [{ x-key: [], x-admin: [] }],',
    ],
    [
      'needs a property beside one whose name is like an extension',
      object('dependentRequired: { x-a: [b] }'),
      object('dependentRequired: { x-a: [b, c] }'),
    ],
    ['has another constant with an example', body('{ const: { example: 1 } }'), body('{ const: { example: 2 } }')],
    [
      'has fewer objects with examples',
      body('{ enum: [{ example: 1 }, { example: 2 }] }'),
      body('{ enum: [{ example: 1 }] }'),
    ],
    ['has another object for a default', object('default: { size: 10 }'), object('default: { size: 50 }')],
    [
      'answers with events whose data is no JSON any more',
      answer(
        '200: { description: S, content: { text/event-stream: { itemSchema: { properties: { data: { type: string, contentMediaType: application/json, contentSchema: { type: integer } } } } } } }',
      ),
      answer(
        '200: { description: S, content: { text/event-stream: { itemSchema: { properties: { data: { type: string, contentMediaType: application/json } } } } } }',
      ),
    ],
    [
      'sends another header',
      called('parameters: [{ name: A, in: header, schema: {} }]'),
      called('parameters: [{ name: B, in: header, schema: {} }]'),
    ],
    [
      'asks its receiver for a header',
      called("responses: { '200': { description: Seen., headers: { H: { schema: {} } } } }"),
      called("responses: { '200': { description: Seen., headers: { H: { required: true, schema: {} } } } }"),
    ],
    [
      'asks its receiver for a body',
      called("responses: { '200': { description: Seen. } }"),
      called(`responses: { '200': { description: Seen., ${text} } }`),
    ],
    ['sends no property that it sent', hooked('Whole'), hooked('Less')],
  ];
  const HARMLESS: [what: string, before: string, now: string][] = [
    ['has the parameter of its path itself', '', 'parameters: [{ name: shared, in: query, schema: {} }],'],
    ['names its constant in a list', body('{ const: a }'), body('{ enum: [a] }')],
    [
      'describes a reference by an allOf',
      body("{ $ref: '#/components/schemas/Title' }"),
      body("{ description: Of a note., allOf: [{ $ref: '#/components/schemas/Title' }] }"),
    ],
    [
      'answers with a media type of a range as before',
      answer("200: { description: S, content: { 'text/*': { schema: { type: string } } } }"),
      answer(
        "200: { description: S, content: { 'text/*': { schema: { type: string } }, text/plain: { schema: { type: string, title: A } } } }",
      ),
    ],
    [
      'answers with a success beside the default error',
      answer(`200: { description: S }, default: { description: E, ${text} }`),
      answer(`200: { description: S }, 204: { description: S }, default: { description: E, ${text} }`),
    ],
    ['says what its callback is for', called('summary: Calls.'), called('summary: Calls back., tags: [done]')],
    [
      'sends a header more, and takes a status more',
      called("responses: { '200': { description: Seen. } }"),
      called(
        "parameters: [{ name: A, in: header, schema: {} }], responses: { '200': { description: Seen. }, '202': { description: Soon. } }",
      ),
    ],
  ];
  const rows = [...BREAKS, ...HARMLESS];
  const contract = (part: 1 | 2): string => `
openapi: 3.2.0
info: { title: Notes, version: 1.0.0 }
paths:
${rows.map((row, index) => `  /${index}: { parameters: [{ name: shared, in: query, schema: {} }], post: { operationId: no${index}, ${row[part]} } }`).join('\n')}
components:
  schemas: { Title: { type: string } }
  securitySchemes: { x-key: { type: apiKey, in: header, name: X-Key }, x-admin: { type: apiKey, in: header, name: X-Admin } }
  callbacks:
    Whole: { '{$request.body}': { post: { ${body('{ type: object, required: [a], properties: { a: {}, b: {} } }')} } } }
    Less: { '{$request.body}': { post: { ${body('{ type: object, properties: { b: {} } }')} } } }
`;
  let changes: readonly Change[] = [];
  beforeAll(async () => {
    const [before, now] = [contract(1), contract(2)].map((text) => readContract(contractOf(text)));
    if (before && now) changes = await changesBetween(before, now);
  });
  const impactsOn = (what: string): Set<string> => {
    const index = rows.findIndex(([name]) => name === what);
    return new Set(changes.filter(({ text }) => text.startsWith(`POST /${index} `)).map(({ impact }) => impact));
  };

  it.each(BREAKS.map(([what]) => what))('that %s breaks clients', (what) => {
    expect(impactsOn(what)).toContain('major');
  });

  it.each(HARMLESS.map(([what]) => what))('that %s breaks none', (what) => {
    expect(impactsOn(what)).not.toContain('major');
  });
});

/** Contracts are compared in one form: the same contract written in another way breaks nobody, and a break is one wherever it is written. */
import { changesBetween } from '../../../src/tools/diff/changes';
import { IMPACTS } from '../../../src/tools/diff/verdict';
import { readContract } from '../../../src/tools/project/read-contract';
import { contractOf } from '../../support/contracts';

/** The greatest impact of the changes between two contracts; undefined if nothing has changed. */
async function impactOf(before: string, now: string): Promise<string | undefined> {
  const changes = await changesBetween(readContract(contractOf(before)), readContract(contractOf(now)));
  return IMPACTS.find((each) => changes.some(({ impact }) => impact === each));
}

const DONE = "responses: { '204': { description: Done. } }";

/** A contract whose operation has an item beside its answer, as YAML, or whose path has. */
const operation = (more: string, ofPath = '', components = ''): string => `
paths: { /notes: { ${ofPath} post: { operationId: addNote, ${more} ${/\bresponses:/.test(more) ? '' : DONE} } } }
components: { ${components} }
`;
const parameters = (...each: string[]): string => `parameters: [${each.join(', ')}],`;
const limit = (maximum: number, more = ''): string =>
  `{ name: limit, in: query, schema: { type: integer, maximum: ${maximum} } ${more} }`;
const callback = (schema: string): string =>
  `callbacks: { Read: { '{$request.query.at}': { post: { requestBody: { content: { application/json: { schema: ${schema} } } }, ${DONE} } } } }`;
const READ = "callbacks: { read: { $ref: '#/components/callbacks/Read' } },";
const body = (schema: string): string =>
  operation(`requestBody: { content: { application/json: { schema: ${schema} } } },`);
const answer = (...statuses: string[]): string => operation(`responses: { ${statuses.join(', ')} }`);
const status = (of: string, schema: string, type = 'application/json'): string =>
  `'${of}': { description: A., content: { '${type}': { schema: ${schema} } } }`;
const TEXT = '{ type: string }';
const object = (more: string, properties = 'a: {}'): string =>
  `{ type: object, properties: { ${properties} }, ${more} }`;
const NOTE = "{ $ref: '#/components/schemas/Note' }";
/** A contract whose operation takes and gives a schema. */
const exchange = (schema: string): string =>
  operation(
    `requestBody: { content: { application/json: { schema: ${schema} } } }, responses: { ${status('200', schema)} }`,
    '',
    `schemas: { Note: ${TEXT} }`,
  );
const secured = (more: string, ofAll = ''): string =>
  `${operation(more, '', 'securitySchemes: { token: { type: http, scheme: bearer } }')}${ofAll}`;
/** A body with 51 properties of which each is one of two, and the last one may be both if a text may be long. */
const manySources = (text: string): string => {
  const properties = Array.from({ length: 51 }, (_, index) => {
    const other = index < 50 ? `{ const: ${index} }` : '{ type: string, minLength: 8 }';
    return `p${index}: { oneOf: [{ $ref: '#/components/schemas/Text' }, ${other}] }`;
  });
  const schema = `{ type: object, properties: { ${properties.join(', ')} } }`;
  return body(schema).replace('components: {', `components: { schemas: { Text: ${text} }`);
};
/** Who has a name, or a number for the tax. */
const namedOrTaxed = (taxed: string): string =>
  `{ oneOf: [{ type: object, required: [name], properties: { name: ${TEXT} } }, { type: object, ${taxed} properties: { vat: ${TEXT} } }] }`;
const BEARER = 'type: http, scheme: bearer';
const OAUTH = 'type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: { a: A., b: B. } } }';
const BY = '{ name: by, in: query, schema: {} }';

const CHILD = '{ kind: { type: string }, bark: { type: string } }';
const child = (properties: string): string =>
  operation(
    "requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } },",
    '',
    `schemas: { Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } }, Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: object, properties: ${properties} }] } }`,
  );

it.each([
  [
    'a property of a callback that is readOnly',
    operation(READ, '', callback(object('', 'a: { type: string }'))),
    operation(READ, '', callback(object('', 'a: { type: string, readOnly: true }'))),
  ],
  [
    'a property of a child in requests that is readOnly',
    child(CHILD),
    child(CHILD.replace(/}  *}$/, ', readOnly: true } }')),
  ],
  [
    'a callback of components that sends another type',
    operation(READ, '', callback('{ type: integer }')),
    operation(READ, '', callback('{ type: string }')),
  ],
  [
    'an operation that takes less than its path declares',
    operation('', parameters(limit(9))),
    operation(parameters(limit(5)), parameters(limit(9))),
  ],
  ['a parameter of a path that takes less', operation('', parameters(limit(9))), operation('', parameters(limit(5)))],
  [
    'a media type that a range took as anything',
    operation("requestBody: { content: { '*/*': {} } },"),
    operation("requestBody: { content: { '*/*': {}, application/json: { schema: { type: integer } } } },"),
  ],
  [
    'a status with another type than its range, below a parameter of another name',
    answer(status('2XX', TEXT)).replace('/notes:', "'/notes/{id}':"),
    answer(status('2XX', TEXT), status('200', '{ type: integer }')).replace('/notes:', "'/notes/{note}':"),
  ],
  [
    'a media type with another type than its range',
    answer(`'200': { description: A., content: { 'application/*': { schema: ${TEXT} } } }`),
    answer(
      `'200': { description: A., content: { 'application/*': { schema: ${TEXT} }, application/json: { schema: { type: integer } } } }`,
    ),
  ],
  [
    'a status with another type than its range',
    answer(status('2XX', TEXT)),
    answer(status('2XX', TEXT), status('200', '{ type: integer }')),
  ],
  [
    'an error with another type than the default one',
    answer("'204': { description: A. }", status('default', TEXT)),
    answer("'204': { description: A. }", status('default', TEXT), status('404', '{ type: integer }')),
  ],
  [
    'a property that needs another one',
    body('{ type: object, dependentSchemas: { a: {} } }'),
    body('{ type: object, dependentSchemas: { a: {}, b: { required: [c] } } }'),
  ],
  ...['unevaluatedProperties', 'additionalProperties'].map((keyword): [string, string, string] => [
    `a property of another type than ${keyword}, in a list`,
    body(`{ type: array, items: ${object(`${keyword}: ${TEXT}`)} }`),
    body(`{ type: array, items: ${object(`${keyword}: ${TEXT}`, 'a: {}, b: { type: integer }')} }`),
  ]),
  [
    'the type of a property that each request had, though nothing was said of it',
    body(object('required: [b]')),
    body(object('required: [b]', 'a: {}, b: { type: integer }')),
  ],
  [
    'the first property, of another type than additional ones',
    body(`{ type: object, additionalProperties: ${TEXT} }`),
    body(object(`additionalProperties: ${TEXT}`, 'b: { type: integer }')),
  ],
  [
    'the last property, of another type than additional ones',
    body(object(`additionalProperties: ${TEXT}`, 'b: { type: integer }')),
    body(`{ type: object, additionalProperties: ${TEXT} }`),
  ],
  [
    'a property of another type than those of its pattern',
    body(object(`patternProperties: { ^b: ${TEXT} }`)),
    body(object(`patternProperties: { ^b: ${TEXT} }`, 'a: {}, b: { type: integer }')),
  ],
  ['another default that is an object', body('{ default: { size: 1 } }'), body('{ default: { size: 2 } }')],
  [
    'a parameter in JSON',
    operation(parameters('{ name: by, in: query, schema: { type: object } }')),
    operation(parameters('{ name: by, in: query, content: { application/json: { schema: { type: object } } } }')),
  ],
  [
    'a text in answers that is no JSON any more',
    answer(status('200', '{ type: string, contentMediaType: application/json, contentSchema: { type: integer } }')),
    answer(status('200', '{ type: string, contentMediaType: application/json }')),
  ],
  [
    'another order of the servers of a path',
    operation('', 'servers: [{ url: /v1 }, { url: /v2 }],'),
    operation('', 'servers: [{ url: /v2 }, { url: /v1 }],'),
  ],
  [
    'a oneOf after many others, of which a value fits two branches',
    manySources('{ type: string, maxLength: 5 }'),
    manySources('{ type: string, maxLength: 9 }'),
  ],
  ...[
    "{ anyOf: [{ type: array, items: ANY }, { type: 'null' }] }",
    '{ allOf: [{ type: object, properties: { source: ANY } }] }',
  ].map((schema): [string, string, string] => [
    `a branch that takes more, of ANY in ${schema},`,
    body(schema.replace('ANY', namedOrTaxed('required: [vat],'))),
    body(schema.replace('ANY', namedOrTaxed(''))),
  ]),
  [
    'one scope more',
    secured('security: [{ token: [b] }],').replace(BEARER, OAUTH),
    secured('security: [{ token: [a, b] }],').replace(BEARER, OAUTH),
  ],
  [
    'a property of answers that is an additional one now',
    answer(status('200', object(`additionalProperties: ${TEXT}`, `b: ${TEXT}`))),
    answer(status('200', object(`additionalProperties: ${TEXT}`, ''))),
  ],
  ...['true', TEXT].map((others): [string, string, string] => [
    `other properties of answers, ${others}, where they were refused`,
    answer(status('200', object('unevaluatedProperties: false'))),
    answer(status('200', object(`additionalProperties: ${others}, unevaluatedProperties: false`))),
  ]),
  [
    'another name of a property that is closed around',
    body(`{ allOf: [${object('', `sentAt: ${TEXT}`)}], unevaluatedProperties: false }`),
    body(`{ allOf: [${object('', `sent_at: ${TEXT}`)}], unevaluatedProperties: false }`),
  ],
])('%s breaks clients', async (_what, before, now) => {
  expect(await impactOf(before, now)).toBe('major');
});

it.each([
  ['a parameter in its operation', operation('', parameters(limit(9))), operation(parameters(limit(9)))],
  [
    'a parameter in components',
    operation(parameters(limit(9))),
    operation(parameters("{ $ref: '#/components/parameters/Limit' }"), '', `parameters: { Limit: ${limit(9)} }`),
  ],
  [
    'a parameter of a path that its operation has already',
    operation(parameters(limit(9)), parameters(limit(5))),
    operation(parameters(limit(9))),
  ],
  ...[
    ['a reference in an allOf', NOTE, `{ allOf: [${NOTE}] }`],
    ['a reference in a oneOf, with a description', NOTE, `{ description: A note., oneOf: [${NOTE}] }`],
    ['a type in an allOf', '{ type: string }', '{ allOf: [{ type: string }] }'],
    ['null in an anyOf', "{ type: [string, 'null'] }", "{ anyOf: [{ type: string }, { type: 'null' }] }"],
    ['null in a oneOf', "{ type: [string, 'null'] }", "{ oneOf: [{ type: string }, { type: 'null' }] }"],
    ['a constant in a list', '{ const: a }', '{ enum: [a] }'],
    ['a type that its values have', '{ enum: [a, b] }', '{ type: string, enum: [a, b] }'],
    ['types of which its values have one', '{ const: 5 }', "{ type: [number, 'null'], const: 5 }"],
    ['items of any type', '{ type: array }', '{ type: array, items: {} }'],
    ['no fewest items', '{ type: array, minItems: 0 }', '{ type: array }'],
    ['a text that may be empty', '{ type: string }', '{ type: string, minLength: 0 }'],
    ['additional properties of any type', '{ type: object, additionalProperties: {} }', '{ type: object }'],
    ['a property that is sent both ways', '{ type: string }', '{ type: string, readOnly: false }'],
    ['a schema in place', NOTE, TEXT],
  ].map(([what = '', before = '', now = '']): [string, string, string] => [what, exchange(before), exchange(now)]),
  ...['200', '400'].map((code): [string, string, string] => [
    `a property of answers of ${code} alone that is readOnly`,
    answer(status(code, object('', 'a: { type: string }'))),
    answer(status(code, object('', 'a: { type: string, readOnly: true }'))),
  ]),
  [
    'the style that a parameter has anyway',
    operation(parameters('{ name: by, in: query, schema: {} }')),
    operation(parameters('{ name: by, in: query, style: form, explode: true, allowReserved: false, schema: {} }')),
  ],
  [
    'the style that a header has anyway',
    answer("'200': { description: A., headers: { By: { schema: {} } } }"),
    answer("'200': { description: A., headers: { By: { required: false, explode: false, schema: {} } } }"),
  ],
  ['security of an operation', secured('', 'security: [{ token: [] }]'), secured('security: [{ token: [] }],')],
  ['no security of an operation', operation(''), operation('security: [],')],
  [
    'another spelling of an authentication scheme, and a hint',
    secured('', 'security: [{ token: [] }]'),
    secured('', 'security: [{ token: [] }]').replace('bearer', 'Bearer, bearerFormat: JWT'),
  ],
  [
    'a description of the only server',
    `${operation('')}servers: [{ url: /v1 }]`,
    `${operation('')}servers: [{ url: /v1, description: Ours. }]`,
  ],
  [
    'another order of scopes',
    secured('security: [{ token: [a, b] }],').replace(BEARER, OAUTH),
    secured('security: [{ token: [b, a] }],').replace(BEARER, OAUTH),
  ],
  [
    'one scope less',
    secured('security: [{ token: [a, b] }],').replace(BEARER, OAUTH),
    secured('security: [{ token: [b] }],').replace(BEARER, OAUTH),
  ],
  ['other letters of a media type', exchange(TEXT), exchange(TEXT).replaceAll('application/json', 'Application/JSON')],
  [
    'other letters of a header with a key',
    secured('', 'security: [{ token: [] }]').replace(BEARER, 'type: apiKey, in: header, name: X-Key'),
    secured('', 'security: [{ token: [] }]').replace(BEARER, 'type: apiKey, in: header, name: x-key'),
  ],
  [
    'other properties that are refused in two ways',
    answer(status('200', object('unevaluatedProperties: false'))),
    answer(status('200', object('additionalProperties: false, unevaluatedProperties: false'))),
  ],
  [
    'other properties of requests where they were refused',
    body(object('unevaluatedProperties: false')),
    body(object('additionalProperties: true, unevaluatedProperties: false')),
  ],
])('%s is no break', async (_what, before, now) => {
  expect([undefined, 'patch']).toContain(await impactOf(before, now));
});

it.each([
  ['an error', answer("'204': { description: A. }"), answer("'204': { description: A. }", status('404', TEXT))],
  [
    'an error as the default one',
    answer("'204': { description: A. }", status('default', TEXT)),
    answer("'204': { description: A. }", status('default', TEXT), status('404', TEXT)),
  ],
  [
    'an error beside a default success',
    answer(status('default', '{ type: integer }')),
    answer(status('default', '{ type: integer }'), status('404', TEXT)),
  ],
  [
    'a property like those of its pattern',
    body(object(`patternProperties: { ^b: ${TEXT} }`)),
    body(object(`patternProperties: { ^b: ${TEXT} }`, `a: {}, b: ${TEXT}`)),
  ],
  ['a property with the name of a field', body(object('')), body(object('', 'a: {}, security: {}'))],
  [
    'a property with a name that objects have',
    body(object(`additionalProperties: ${TEXT}`)),
    body(object(`additionalProperties: ${TEXT}`, `a: {}, __proto__: ${TEXT}`)),
  ],
  ['an optional property', body(object('')), body(object('', 'a: {}, b: { type: integer }'))],
  ['a property under another name', body(object('', `sentAt: ${TEXT}`)), body(object('', `sent_at: ${TEXT}`))],
  ['a parameter that is optional', operation(''), operation(parameters(BY))],
])('%s is an addition', async (_what, before, now) => {
  expect(await impactOf(before, now)).toBe('minor');
});

it('a parameter that is new is told from one that is described now', async () => {
  const now = operation(parameters(BY.replace('by', 'to'), BY.replace('{}', '{ description: The one who wrote it. }')));
  expect(await impactOf(operation(parameters(BY)), now)).toBe('minor');
});

it.each([
  ['minor', 'a request', 'requestBody: { content: { application/json: { schema: PARENT } } },'],
  ['major', 'an answer', `responses: { ${status('200', 'PARENT')} }`],
])('%s: one more name of a schema below the one of %s, which has the discriminator', async (impact, _what, part) => {
  const messages = (more: string): string =>
    operation(
      part.replace('PARENT', "{ $ref: '#/components/schemas/Message' }"),
      '',
      `schemas: { Message: { type: object, required: [type], properties: { type: { type: string } }, discriminator:
        { propertyName: type, mapping: { text: '#/components/schemas/Text'${more} } } }, Text: { allOf: [{ $ref: '#/components/schemas/Message' }] } }`,
    );
  expect(await impactOf(messages(''), messages(", pic: '#/components/schemas/Text'"))).toBe(impact);
});

describe('a schema that extends one with a discriminator', () => {
  const event = "{ $ref: '#/components/schemas/Event' }";
  const inBody = `requestBody: { content: { application/json: { schema: ${event} } } },`;
  const inAnswer = `responses: { ${status('200', event)} }`;
  const events = (made: string, part: string, mapping = "mapping: { made: '#/components/schemas/Made' }"): string =>
    operation(
      part,
      '',
      `schemas: { Event: { type: object, required: [t], properties: { t: { type: string } }, discriminator: { propertyName: t, ${mapping} } },
        Made: { allOf: [${event}, ${made}] } }`,
    );
  const MADE = '{ required: [by], properties: { by: { type: string }, at: { type: string } } }';

  it.each([
    ['major', 'a property of another type', MADE.replace('string', 'integer')],
    ['major', 'a property less', MADE.replace(', at: { type: string }', '')],
    ['major', 'a property that may be missing', MADE.replace('required: [by], ', '')],
    ['minor', 'a property more', MADE.replace('at:', 'more: {}, at:')],
    ['patch', 'another description', MADE.replace('required', 'description: Made., required')],
  ])('is read in its place: %s by %s', async (impact, _what, made) => {
    expect(await impactOf(events(MADE, inAnswer), events(made, inAnswer))).toBe(impact);
    expect(await impactOf(events(MADE, inAnswer, ''), events(made, inAnswer, ''))).toBe(impact);
  });

  it.each([
    [
      'major',
      'that is read, and its parent sent',
      `${inBody} responses: { ${status('200', "{ $ref: '#/components/schemas/Made' }")} }`,
    ],
    ['patch', 'beside one that is read', `responses: { ${status('200', "{ $ref: '#/components/schemas/Other' }")} }`],
    ['major', 'of one that extends its parent', inAnswer, "{ $ref: '#/components/schemas/Other' }"],
  ])('is compared where clients read it: %s of one %s', async (impact, _which, part, parent = event) => {
    const made = (type: string): string =>
      events(`{ properties: { by: { type: ${type} } } }`, part, '')
        .replace(`Made: { allOf: [${event}`, `Made: { allOf: [${parent}`)
        .replace('Made: {', `Other: { allOf: [${event}, { properties: { x: {} } }] }, Made: {`);
    expect(await impactOf(made('string'), made('integer'))).toBe(impact);
  });

  it.each([
    ['a callback', (made: string): string => events(made, callback(event).replace('Read:', 'read:'))],
    [
      'a webhook',
      (made: string): string =>
        `${events(made, '')}webhooks: { read: { post: { requestBody: { content: { application/json: { schema: ${event} } } }, ${DONE} } } }`,
    ],
    [
      'a callback of components, whose body is one of requests, too',
      (made: string): string =>
        events(made, `${READ} requestBody: { $ref: '#/components/requestBodies/Event' },`).replace(
          'schemas: {',
          `requestBodies: { Event: { content: { application/json: { schema: ${event} } } } },
          callbacks: { Read: { '{$request.query.at}': { post: { requestBody: { $ref: '#/components/requestBodies/Event' }, ${DONE} } } } }, schemas: {`,
        ),
    ],
  ])('is read in what is sent by %s', async (_by, contract) => {
    expect(await impactOf(contract(MADE), contract(MADE.replace('string', 'integer')))).toBe('major');
    expect(await impactOf(contract(MADE), contract(MADE.replace('required: [by], ', '')))).toBe('major');
    expect(await impactOf(contract(MADE), contract(MADE.replace('required', 'description: Made., required')))).toBe(
      'patch',
    );
  });

  it('is read in the place of an item, too', async () => {
    const inItems = inAnswer.replace('application/json', 'application/jsonl').replace('schema:', 'itemSchema:');
    const now = MADE.replace('string', 'integer');
    expect(await impactOf(events(MADE, inItems), events(now, inItems))).toBe('major');
  });

  it('comes and goes with no media type of its own', async () => {
    const [json, xml] = ['application/json', 'application/xml'].map((type) =>
      readContract(contractOf(events(MADE, `responses: { ${status('200', event, type)} }`))),
    );
    if (!json || !xml) throw new Error('expected both contracts');
    expect((await changesBetween(json, xml)).map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^POST \/notes responses\/200\/content\/application\/xml: Media type `application\/json` became/,
      ),
    ]);
  });

  it('is not held to in requests', async () => {
    const narrowed = MADE.replace('type: string', 'type: string, maxLength: 5');
    expect(await impactOf(events(MADE, inBody), events(narrowed, inBody))).toBe('patch');
  });
});

describe('a value that names a branch', () => {
  const NAMED = '{ type: object, required: [kind], properties: { kind: { type: string } } }';
  const CONSTANT = NAMED.replace('type: string', 'const: dog');
  const reference = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
  const mapped = (dog: string, value = 'dog', cat = 'Cat'): string =>
    `mapping: { cat: '#/components/schemas/${cat}', ${value}: '#/components/schemas/${dog}' }`;
  const inBody = (schema: string): string => `requestBody: { content: { application/json: { schema: ${schema} } } },`;
  const inAnswer = (schema: string): string => `responses: { ${status('200', schema)} }`;
  /** A contract of pets, of which one may be a cat, and another what the second schema says. */
  const pets = (name: string, mapping = '', dog = NAMED, more: string[] = [], sent = inBody): string =>
    operation(
      sent(
        `{ oneOf: [${['Cat', name, ...more].map(reference).join(', ')}], discriminator: { propertyName: kind, ${mapping} } }`,
      ),
      '',
      `schemas: { Cat: ${NAMED}, Fox: ${NAMED}, ${name}: ${dog} }`,
    );
  const DOG = pets('Dog', mapped('Dog'));
  /** A contract whose mapping names a schema that is not there. */
  const eel = (mapping: string, text: string): string =>
    operation(
      inBody(reference('Pet')),
      '',
      `schemas: { Pet: ${NAMED.replace(/}$/, `, discriminator: { propertyName: kind, ${mapping} } }`)}, Cat: { allOf: [${reference('Pet')}] }, Dog: { description: ${text}, allOf: [${reference('Pet')}] } }`,
    );
  const EEL = mapped('Dog').replace('{', "{ eel: '#/components/schemas/Eel',");

  it.each([
    ['patch', 'that led nowhere before as well', eel(EEL, 'A dog.'), eel(EEL, 'A pet.')],
    [undefined, 'that led nowhere before, and is gone', eel(EEL, 'A dog.'), eel(mapped('Dog'), 'A dog.')],
  ])('is %s beside another %s', async (impact, _which, before, now) => {
    expect(await impactOf(before, now)).toBe(impact);
  });

  it.each([
    ['major', 'the name of its schema, which is another', pets('Dog'), pets('Hound')],
    ['major', 'that of a mapping, which is another', DOG, pets('Dog', mapped('Dog', 'hound'))],
    ['major', 'that of a mapping, which is none', DOG, pets('Dog')],
    ['major', 'that of a mapping, which names the other', DOG, pets('Dog', mapped('Cat', 'dog', 'Dog'))],
    ['patch', 'the same, of a schema with another name', DOG, pets('Hound', mapped('Hound'))],
    ['patch', 'the earlier name of its schema, by a mapping', pets('Dog'), pets('Hound', 'mapping: { Dog: Hound }')],
    ['patch', 'a constant, of a schema with another name', pets('Dog', '', CONSTANT), pets('Hound', '', CONSTANT)],
    ['minor', 'that of one more branch', pets('Dog'), pets('Dog', '', NAMED, ['Fox'])],
    ['minor', 'one more of a branch', DOG, pets('Dog', mapped('Dog').replace('{', '{ hound: Dog,'))],
    [
      'major',
      'one more of a branch in answers',
      pets('Dog', mapped('Dog'), NAMED, [], inAnswer),
      pets('Dog', mapped('Dog').replace('{', '{ hound: Dog,'), NAMED, [], inAnswer),
    ],
  ])('is %s: %s', async (impact, _which, before, now) => {
    expect(await impactOf(before, now)).toBe(impact);
  });
});

describe('the schema of XML', () => {
  const PET = '{ type: object, properties: { name: { type: string } } }';
  const inBody = (schema: string, type = 'application/xml'): string =>
    `requestBody: { content: { ${type}: { schema: ${schema} } } },`;
  const inAnswer = (schema: string): string => `responses: { ${status('200', schema, 'application/xml')} }`;
  const named = (name: string, sent: (schema: string) => string, pet = PET): string =>
    operation(sent(`{ $ref: '#/components/schemas/${name}' }`), '', `schemas: { ${name}: ${pet} }`);
  const inPlace = (sent: (schema: string) => string, pet = PET): string => operation(sent(pet));
  const inJson = (schema: string): string => inBody(schema, 'application/json');
  const inParameter = (schema: string): string =>
    parameters(`{ name: pet, in: query, content: { application/xml: { schema: ${schema} } } }`);
  const inForm = (schema: string): string => inBody(`{ properties: { pet: ${schema} } }`, 'multipart/form-data');
  const WRITTEN = `{ xml: { name: pet }, ${PET.slice(1)}`;
  const HELD = WRITTEN.replace('pet', 'animal');

  it.each([
    ['with another name', 'is a break in requests', 'major', named('Pet', inBody), named('Animal', inBody)],
    ['with another name', 'is a break in answers', 'major', named('Pet', inAnswer), named('Animal', inAnswer)],
    ['that gets a name', 'is a break in requests', 'major', inPlace(inBody), named('Pet', inBody)],
    ['that gets a name', 'is a break in answers', 'major', inPlace(inAnswer), named('Pet', inAnswer)],
    ['that has no name any more', 'takes any element in requests', 'patch', named('Pet', inBody), inPlace(inBody)],
    ['that has no name any more', 'is a break in answers', 'major', named('Pet', inAnswer), inPlace(inAnswer)],
    [
      'with another name',
      'is none where its element has a name',
      'patch',
      named('Pet', inBody, WRITTEN),
      named('Animal', inBody, WRITTEN),
    ],
    ['of text with another name', 'is none', 'patch', named('Pet', inBody, TEXT), named('Animal', inBody, TEXT)],
    ['with another name', 'is none in JSON', 'patch', named('Pet', inJson), named('Animal', inJson)],
    ['that gets an element', 'is none in JSON', 'patch', named('Pet', inJson), named('Pet', inJson, WRITTEN)],
    ['with another element', 'is none in JSON', 'patch', named('Pet', inJson, WRITTEN), named('Pet', inJson, HELD)],
    [
      'with another element',
      'is a break in requests',
      'major',
      named('Pet', inBody, WRITTEN),
      named('Pet', inBody, HELD),
    ],
    [
      'with another element',
      'is a break in parameters',
      'major',
      named('Pet', inParameter, WRITTEN),
      named('Pet', inParameter, HELD),
    ],
    ['with another element', 'is a break in forms', 'major', named('Pet', inForm, WRITTEN), named('Pet', inForm, HELD)],
  ])('%s %s', async (_which, _is, impact, before, now) => {
    expect(await impactOf(before, now)).toBe(impact);
  });
});

describe('an integer', () => {
  const LARGE = '{ type: integer, format: int64 }';
  const BOUND = '{ type: integer, maximum: 9223372036854775807 }';
  const asked = (schema: string): string => operation(parameters(`{ name: limit, in: query, schema: ${schema} }`));
  const bounded = (more: string): string => body(`{ type: integer, minimum: 0, maximum: 9 ${more} }`);

  it.each([
    ['without its format', 'is a break', 'major', body(LARGE), body('{ type: integer }')],
    ['without its format', 'is a break in parameters', 'major', asked(LARGE), asked('{ type: integer }')],
    ['without its large bound', 'is a break', 'major', body(BOUND), body('{ type: integer }')],
    ['that is any number now', 'is none', 'patch', body(LARGE), body('{ type: number }')],
    ['that is small', 'is none', 'patch', bounded(', format: int64'), bounded('')],
  ])('%s %s', async (_which, _is, impact, before, now) => {
    expect(await impactOf(before, now)).toBe(impact);
  });
});

describe('an object whose properties are query parameters', () => {
  const asked = (schema: string, more = ''): string =>
    operation(parameters(`{ name: filter, in: query, schema: ${schema} ${more} }`));
  const BOTH = '{ type: object, properties: { a: {}, b: {} } }';
  const ONE = '{ type: object, properties: { a: {} } }';
  const FILTER = "{ $ref: '#/components/schemas/Filter' }";
  const named = (filter: string): string =>
    asked(FILTER).replace(/components: \{/, `$& schemas: { Filter: ${filter} }`);

  it.each([
    ['has one less', 'major', asked(BOTH), asked(ONE)],
    ['has one less in its component', 'major', named(BOTH), named(ONE)],
    ['has no others any more', 'major', asked(ONE.replace('object,', '$& additionalProperties: true,')), asked(ONE)],
    ['has the first one, and no others for it', 'major', asked('{ type: object }'), asked(ONE)],
    ['has one more', 'minor', asked(ONE), asked(BOTH)],
    ['has one less in brackets', 'patch', asked(BOTH, ', style: deepObject'), asked(ONE, ', style: deepObject')],
    ['has one less in one parameter', 'patch', asked(BOTH, ', explode: false'), asked(ONE, ', explode: false')],
    ['is a component', 'patch', asked(ONE), named(ONE)],
  ])('%s: %s', async (_does, impact, before, now) => {
    expect(await impactOf(before, now)).toBe(impact);
  });
});

describe('an object in an allOf', () => {
  const WHOLE =
    '{ type: object, required: [title, text], properties: { title: { type: string }, text: { type: string } } }';
  const TITLE = '{ type: object, required: [title], properties: { title: { type: string } } }';
  const ENTRY = "{ $ref: '#/components/schemas/Entry' }";
  const OWN = 'type: object, required: [text], properties: { text: { type: string } }';
  const BESIDE = `{ ${OWN}, allOf: [${ENTRY}] }`;
  const SPLIT = `{ description: A note., allOf: [{ ${OWN} }, ${ENTRY}] }`;
  const LINKED = `{ allOf: [${WHOLE}, { properties: { self: { type: string } } }] }`;
  const inAnswer = `responses: { ${status('200', NOTE)} }`;
  const inBody = `requestBody: { content: { application/json: { schema: ${NOTE} } } },`;
  /** A contract that takes and gives a note, which may be an entry as well. */
  const notes = (note: string, entry = TITLE, uses = `${inBody} ${inAnswer}`): string =>
    operation(uses, '', `schemas: { Note: ${note}, Entry: ${entry} }`);
  const taken = (note: string, entry?: string): string => notes(note, entry, inBody);
  const given = (note: string, entry?: string): string => notes(note, entry, inAnswer);
  const closed = TITLE.replace('object,', '$& additionalProperties: false,');
  const named = `{ allOf: [{ ${OWN} }, { $ref: '#/components/schemas/Note/allOf/0' }] }`;

  const narrowed = (required = ''): string => `{ ${required} properties: { title: { const: a } }, allOf: [${ENTRY}] }`;
  const restated = narrowed('required: [title],');

  it.each([
    [undefined, 'that requires once more what a branch requires', notes(narrowed()), notes(restated)],
    [undefined, 'that says no more what a branch requires', notes(restated), notes(narrowed())],
    [
      'major',
      'that needs what a branch needed not',
      taken(narrowed(), TITLE.replace('[title]', '[]')),
      taken(restated),
    ],
    ['major', 'that needs nothing more', given(restated), given(narrowed(), TITLE.replace('[title]', '[]'))],
    ['patch', 'that is one schema now', notes(SPLIT), notes(WHOLE)],
    ['patch', 'that was one schema', notes(WHOLE), notes(SPLIT)],
    ['patch', 'beside properties of its own', notes(WHOLE), notes(BESIDE)],
    [undefined, 'whose branches have the same property', notes(WHOLE), notes(`{ allOf: [${WHOLE}, ${ENTRY}] }`)],
    [undefined, 'within another one', notes(WHOLE), notes(`{ allOf: [{ allOf: [${ENTRY}, { ${OWN} }] }, {}] }`)],
    [
      'major',
      'within another one, that no value fits',
      taken(TITLE),
      taken(`{ allOf: [{ allOf: [${ENTRY}, ${TEXT}] }] }`),
    ],
    [undefined, 'that needs more of another schema', notes(TITLE), notes(`{ required: [title], allOf: [${ENTRY}] }`)],
    ['minor', 'with another optional property', notes(WHOLE), notes(LINKED)],
    [
      'minor',
      'with another optional property in one of its uses',
      notes(SPLIT),
      notes(SPLIT, TITLE, `${inBody} ${inAnswer.replace(NOTE, `{ allOf: [${NOTE}, { properties: { self: {} } }] }`)}`),
    ],
    ['major', 'without a property in answers', given(WHOLE), given(`{ ${OWN} }`)],
    ['major', 'with a property of another type', notes(WHOLE), notes(BESIDE, TITLE.replace('string', 'integer'))],
    ['major', 'that needs another property in requests', taken(TITLE), taken(BESIDE)],
    ['major', 'that may lack a property in answers', given(WHOLE), given(BESIDE, TITLE.replace('[title]', '[]'))],
    [
      'major',
      'with two types of a property',
      taken(TITLE),
      taken(`{ allOf: [${ENTRY}, ${TITLE.replace('string', 'integer')}] }`),
    ],
    ['major', 'with a branch that refuses other properties', taken(WHOLE), taken(BESIDE, closed)],
    ['patch', 'of which a branch has a comment now', notes(SPLIT), notes(SPLIT, TITLE.replace('{', '{ title: Entry,'))],
    [
      'patch',
      'of which a branch has an element in XML now',
      notes(SPLIT),
      notes(SPLIT, TITLE.replace('{', '{ xml: { name: entry },')),
    ],
    [undefined, 'of which a branch is referred to', notes(named), notes(named)],
  ])('%s: %s', async (impact, _which, before, now) => {
    expect(await impactOf(before, now)).toBe(impact);
  });
});

describe('an object of a property', () => {
  const ENTRY = "{ $ref: '#/components/schemas/Entry' }";
  const WHOLE = '{ type: object, required: [title], properties: { title: { type: string } } }';
  const orNull = (keyword: string, branch: string): string => `{ ${keyword}: [${branch}, { type: 'null' }] }`;
  const ENTRY_OR_NULL = orNull('anyOf', ENTRY);
  /** A contract that takes, gives, or both, an object with this property. */
  const taken = (entry: string, whole = WHOLE): string =>
    body(object('', `entry: ${entry}`)).replace('components: {', `components: { schemas: { Entry: ${whole} }`);
  const given = (entry: string, whole = WHOLE): string =>
    operation(`responses: { ${status('200', object('', `entry: ${entry}`))} }`, '', `schemas: { Entry: ${whole} }`);
  const exchanged = (entry: string): string =>
    exchange(object('', `entry: ${entry}`)).replace('schemas: {', `schemas: { Entry: ${WHOLE},`);
  const needsMore = WHOLE.replace('[title]', '[title, text]');

  it.each([
    ['beside null, that is in components now', exchanged(orNull('oneOf', WHOLE)), exchanged(orNull('oneOf', ENTRY))],
    [
      'with null, that is in components now',
      exchanged(WHOLE.replace('object', "[object, 'null']")),
      exchanged(ENTRY_OR_NULL),
    ],
    ['beside null, that is in place now', exchanged(ENTRY_OR_NULL), exchanged(orNull('anyOf', WHOLE))],
    ['beside null in another choice', exchanged(ENTRY_OR_NULL), exchanged(orNull('oneOf', ENTRY))],
    ['that may be null in requests', taken(ENTRY), taken(ENTRY_OR_NULL)],
    ['that is never null in answers', given(ENTRY_OR_NULL), given(ENTRY)],
    [
      'of answers alone, that is in components now',
      exchanged(`{ readOnly: true, ${WHOLE.slice(1)}`),
      exchanged(`{ readOnly: true, allOf: [${ENTRY}] }`),
    ],
    [
      'with a limit of its own, that is in components now',
      exchanged(`{ maxProperties: 9, ${WHOLE.slice(1)}`),
      exchanged(`{ maxProperties: 9, allOf: [${ENTRY}] }`),
    ],
  ])('%s, is no break', async (_which, before, now) => {
    expect([undefined, 'patch']).toContain(await impactOf(before, now));
  });

  it.each([
    ['that may be null in answers', given(ENTRY), given(ENTRY_OR_NULL)],
    ['that is never null in requests', taken(ENTRY_OR_NULL), taken(ENTRY)],
    ['beside null, that needs more now', taken(orNull('oneOf', WHOLE)), taken(ENTRY_OR_NULL, needsMore)],
    ['beside null, that may lack more now', given(orNull('oneOf', needsMore)), given(ENTRY_OR_NULL)],
    [
      'with two limits',
      taken(`{ maxProperties: 9, ${WHOLE.slice(1)}`),
      taken(`{ maxProperties: 9, allOf: [${ENTRY}] }`, WHOLE.replace('{', '{ maxProperties: 5,')),
    ],
    [
      'of the kind that it is in, that may be null in answers',
      given(ENTRY, '{ properties: { parent: { $ref: "#/components/schemas/Entry" } } }'),
      given(ENTRY, `{ properties: { parent: ${ENTRY_OR_NULL} } }`),
    ],
    ['that is of answers alone now', taken(ENTRY), taken(`{ readOnly: true, allOf: [${ENTRY}] }`)],
  ])('%s, breaks clients', async (_which, before, now) => {
    expect(await impactOf(before, now)).toBe('major');
  });

  it('is left as it is where each schema refers to the next one twice, which has no end that could be written out', async () => {
    const levels = (keyword: string): string => {
      const property = (level: number): string => orNull(keyword, `{ $ref: '#/components/schemas/L${level}' }`);
      const schemas = Array.from(
        { length: 40 },
        (_, level) => `L${level}: { properties: { l: ${property(level + 1)}, r: ${property(level + 1)} } }`,
      );
      const first = "{ $ref: '#/components/schemas/L0' }";
      return operation(`responses: { ${status('200', first)} }`, '', `schemas: { ${schemas.join(', ')}, L40: {} }`);
    };
    expect(await impactOf(levels('anyOf'), levels('oneOf'))).toBe('major');
    expect(await impactOf(levels('anyOf'), levels('anyOf'))).toBe(undefined);
  });
});

it('schemas whose circles are deeper together than the stack are compared', async () => {
  const circle = (length: number, type: string): string => {
    const to = (index: number): string => `{ $ref: '#/components/schemas/S${index % length}' }`;
    const schemas = Array.from({ length }, (_, index) => {
      const text = `type: ${index === 3 ? type : 'string'}`;
      return `S${index}: ${object('', `next: ${to(index + 1)}, other: ${to(index + 1)}, text: { ${text} }`)}`;
    });
    return body(to(0)).replace('components: {', `components: { schemas: { ${schemas.join(', ')} }`);
  };
  expect(await impactOf(circle(40, 'string'), circle(41, 'string'))).toBe('patch');
  expect(await impactOf(circle(40, 'string'), circle(41, 'integer'))).toBe('major');
});

describe('a choice', () => {
  const COUNT = '{ type: integer }';
  const choice = (keyword: string, ...branches: string[]): string => `{ ${keyword}: [${branches.join(', ')}] }`;
  const described = (description: string, type = 'string'): string =>
    choice('oneOf', `{ type: ${type}, description: ${description} }`, '{ type: boolean }');
  const listed = (text: string): string =>
    choice('oneOf', `{ properties: { a: ${text}, b: ${text}, c: ${text} } }`, COUNT);
  const answered = (schema: string): string =>
    operation(`responses: { ${status('200', schema)} }`, '', `schemas: { Note: ${TEXT} }`);

  it.each([
    [
      'of which a branch is described in other words',
      exchange(described('Short.')),
      exchange(described("'What somebody has written down in a hurry, and will look for in vain.'")),
    ],
    ['of which a part of a branch is in components', exchange(listed(TEXT)), exchange(listed(NOTE))],
    ['that takes what a request was, and more', body(COUNT), body(choice('oneOf', TEXT, COUNT))],
    [
      'of a schema of components that was no choice',
      body(NOTE).replace('components: {', `components: { schemas: { Note: ${COUNT} }`),
      body(NOTE).replace('components: {', `components: { schemas: { Note: ${choice('anyOf', COUNT, TEXT)} }`),
    ],
    ['of which one branch is left in answers', answered(choice('anyOf', NOTE, COUNT)), answered(NOTE)],
    ['without a value in answers', answered(TEXT), answered('{ type: string, not: { const: a } }')],
    ['with a value more in requests', body('{ type: string, not: { const: a } }'), body(TEXT)],
  ])('%s is no break', async (_what, before, now) => {
    expect(await impactOf(before, now)).not.toBe('major');
  });

  it.each([
    ['that takes what a request was in two branches', body(COUNT), body(choice('oneOf', COUNT, '{ type: number }'))],
    ['of which one branch is left in requests', body(choice('oneOf', TEXT, COUNT)), body(TEXT)],
    ['of which an answer has another branch', answered(NOTE), answered(choice('anyOf', NOTE, COUNT))],
    [
      'of which a branch is described in other words, and of another type',
      exchange(described('Short.')),
      exchange(described("'What somebody has written down in a hurry, and will look for in vain.'", 'integer')),
    ],
    ['without a value in requests', body(TEXT), body('{ type: string, not: { const: a } }')],
    ['with a value more in answers', answered('{ type: string, not: { const: a } }'), answered(TEXT)],
    [
      'with a value more in what answers are not',
      answered(`{ not: ${TEXT} }`),
      answered('{ not: { type: string, not: { const: a } } }'),
    ],
  ])('%s breaks clients', async (_what, before, now) => {
    expect(await impactOf(before, now)).toBe('major');
  });
});

describe('a file that is written otherwise', () => {
  const FILE = '{ type: string, format: binary }';
  const IMAGE = '{ type: string, contentMediaType: image/png }';
  const OCTETS = IMAGE.replace('image/png', 'application/octet-stream');
  const RAW = '{ type: string, contentEncoding: binary }';
  const BOTH = IMAGE.replace('string', '$&, format: binary');
  const sent = (schema: string, type = 'multipart/form-data'): string =>
    operation(`requestBody: { content: { ${type}: { schema: ${schema} } } },`);
  const field = (schema: string, ofForm = ''): string => `{ type: object, properties: { file: ${schema} } }${ofForm}`;
  const imageOnly = (schema: string): string => field(schema, ', encoding: { file: { contentType: image/png } }');
  const list = (schema: string): string => field(`{ type: array, items: ${schema} }`);
  const small = (bytes: number): string => imageOnly(`{ type: string, maxLength: ${bytes} }`);
  const fewer = (files: number, bytes: number): string =>
    imageOnly(`{ type: array, maxItems: ${files}, items: { maxLength: ${bytes} } }`);

  it.each([
    ['in a form', 'is a break', 'major', sent(field(FILE)), sent(field(TEXT))],
    ['in a form, by its media type,', 'is a break', 'major', sent(field(IMAGE)), sent(field(TEXT))],
    ['in a list of a form', 'is a break', 'major', sent(list(FILE)), sent(list(TEXT))],
    ['that is a body', 'is a break', 'major', sent(FILE, 'image/png'), sent(TEXT, 'image/png')],
    ['that has its media type still', 'is none', undefined, sent(field(BOTH)), sent(field(IMAGE))],
    ['in words of 3.1', 'is none', undefined, sent(field(FILE)), sent(field(OCTETS))],
    ['in words of 3.1 that is a body', 'is none', undefined, sent(OCTETS, 'image/png'), sent(FILE, 'image/png')],
    ['of which nothing is said', 'is none', undefined, sent(field('{}')), sent(field(FILE))],
    ['in a list of which nothing is said', 'is none', undefined, sent(list(FILE)), sent(list('{}'))],
    ['by the media type of its encoding', 'is none', undefined, sent(imageOnly(TEXT)), sent(imageOnly(FILE))],
    ['that may be smaller only', 'is a break', 'major', sent(small(5_000)), sent(small(1_000))],
    ['that may be smaller only, in a list', 'is a break', 'major', sent(fewer(5, 5_000)), sent(fewer(5, 1_000))],
    ['of which fewer may come', 'is a break', 'major', sent(fewer(5, 5_000)), sent(fewer(2, 5_000))],
    ['by its content encoding', 'is none', undefined, sent(field(RAW)), sent(field(FILE))],
    ['that is an image', 'is a break', 'major', sent(field(OCTETS)), sent(field(IMAGE))],
    ['that is a body of text', 'is none', 'patch', sent(FILE, 'text/plain'), sent(TEXT, 'text/plain')],
    ['in JSON', 'is none', 'patch', body(field(FILE)), body(field(TEXT))],
  ])('%s %s', async (_which, _is, impact, before, now) => {
    expect(await impactOf(before, now)).toBe(impact);
  });
});

describe('a path with parameters', () => {
  const inPath = (name: string, schema = TEXT): string =>
    `{ name: ${name}, in: path, required: true, schema: ${schema} }`;
  /** A path with operations that have the same names whatever those of its parameters are. */
  const described = (path: string, methods: string, ...each: string[]): string =>
    `'${path}': { ${parameters(...each)} ${methods
      .split(' ')
      .map((method) => `${method}: { operationId: ${method}${path.replaceAll(/\W/g, '').length}, ${DONE} }`)
      .join(', ')} },`;
  const paths = (...each: string[]): string => `\npaths: { ${each.join(' ')} }\n`;
  const NOTE_PATH = described('/notes/{id}', 'get put', inPath('id'));
  const NUMBERED = described('/notes/{id}', 'get put', inPath('id', '{ type: integer }'));
  const search = (methods: string): string => described('/notes/search', methods);
  const PAGES = described('/notes/{id}/{page}', 'get', inPath('id'), inPath('page'));

  it.each([
    ['shares its requests with one', 'that has not its methods', 'major', NOTE_PATH, NOTE_PATH + search('post get')],
    ['shares its requests with one', 'that has them', 'minor', NOTE_PATH, NOTE_PATH + search('get put')],
    [
      'shares its requests with one',
      'that needs a parameter',
      'major',
      NOTE_PATH,
      NOTE_PATH +
        described('/notes/search', 'get put', '{ name: text, in: query, required: true, schema: { type: string } }'),
    ],
    ['does not share them with one', 'that is no number', 'minor', NUMBERED, NUMBERED + search('post')],
    [
      'shares its requests with one',
      'that has a parameter, too',
      'major',
      PAGES,
      PAGES + described('/notes/{note}/search', 'post', inPath('note')),
    ],
    [
      'breaks clients',
      'if they are swapped',
      'major',
      described('/notes/{id}/{page}', 'get', inPath('id'), inPath('page', '{ type: integer }')),
      described('/notes/{page}/{id}', 'get', inPath('id'), inPath('page', '{ type: integer }')),
    ],
    [
      'breaks nobody',
      'if they have each the name of the other',
      'patch',
      described('/notes/{id}/{page}', 'get', inPath('id'), inPath('page', '{ type: integer }')),
      described('/notes/{page}/{id}', 'get', inPath('page'), inPath('id', '{ type: integer }')),
    ],
  ])('%s %s', async (_does, _which, impact, before, now) => {
    expect(await impactOf(paths(before), paths(now))).toBe(impact);
  });

  it('names the operation whose requests are refused, and one of them', async () => {
    const [before, now] = [paths(NOTE_PATH), paths(NOTE_PATH, search('get'))].map((text) =>
      readContract(contractOf(text)),
    );
    if (!before || !now) throw new Error('two contracts expected');
    expect(await changesBetween(before, now)).toContainEqual({
      impact: 'major',
      text: 'PUT /notes/{id}: /notes/search takes its requests, and has no PUT',
      proof: 'the earlier contract takes this request, the new one refuses it:\nPUT /notes/search',
      place: expect.stringMatching(/^openapi\.yaml:4:\d+$/) as string,
    });
  });
});

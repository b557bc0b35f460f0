import { loadContract, type Served } from '../../../src/engine/rules/load-contract';
import { contractOf, engineContract, engineContractText } from '../../support/contracts';
import { ContractProblems, readYaml } from '../../../src/engine/contract/source';
import { digestOf } from '../../../src/engine/contract/digest';
import { canRead } from '../../../src/engine/http/media-type';

const served: Served = { handlers: ['createPlant'], verifiers: { bearerAuth: { scheme: 'http bearer' } }, canRead };

/** What is wrong with a contract, in alphabetical order. */
function problemsOf(text: string, server = served): string[] {
  try {
    loadContract(contractOf(text), server);
    return [];
  } catch (error) {
    if (error instanceof ContractProblems) return [...error.problems].sort();
    throw error;
  }
}

/** What is said of a fault: at which text, the next from the fault on, and what. */
type Said = [where: string, message: string];
/** A piece of the engine's test contract, what stands in its place, and what is said of that. */
type Fault = [what: string, piece: string, instead: string, ...said: Said[]];

/** The engine's test contract with the faults, and what is to be said of them, in alphabetical order. */
function faulty(...faults: Fault[]): { text: string; problems: string[] } {
  let text = engineContractText;
  for (const [, piece, instead] of faults) {
    if (text.split(piece).length !== 2) throw new Error(`expected once ${piece}`);
    text = text.replace(piece, () => instead);
  }
  const problems = faults.flatMap(([, , instead, ...said]) =>
    said.map(([where, message]) => `${placeOf(text, where, text.indexOf(instead))} ${message}`),
  );
  return { text, problems: problems.sort() };
}

function placeOf(text: string, where: string, from = 0): string {
  const after = text.indexOf(where, from);
  const lines = text.slice(0, after < 0 ? text.indexOf(where) : after).split('\n');
  return `openapi.yaml:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

const VERSIONS = 'expected openapi: 3.0.x, 3.1.x or 3.2.x';
const TYPES = 'array, boolean, integer, null, number, object, string';
const SECURITY = 'security:\n  - bearerAuth: []\n';
const NEW_PLANT = "'#/components/schemas/NewPlant'";
const NAME = 'description: The name of the plant; any well-formed Unicode text without U+0000.\n';
const INT64 = 'format: int64\n';
const PROPERTIES = '          properties:\n            id:\n';

const bounded = (bound: string): string => `${INT64}              ${bound}\n`;
const withProperty = (property: string): string => `          properties:\n            ${property}\n            id:\n`;
const withSchema = (schema: string): string => `  schemas:\n    ${schema}\n    Plant:\n`;
const withParameter = (parameter: string): string => `parameters: [{ ${parameter} }]\n      requestBody:\n`;
const withOperation = (path: string, id: string): string =>
  `paths:\n  ${path}: { get: { ${id}responses: { '204': { description: Nothing. } } } }\n`;
const parameterFault = (what: string, parameter: string, message: string): Fault => [
  what,
  'requestBody:\n',
  withParameter(parameter),
  ['[{', message],
];

const faults: Fault[] = [
  ['a text without an end', 'title: OpenAPI Plant Store\n', 'title: "\n', ['\n', 'Missing closing "quote']],
  ['a key twice', 'tags: [plants]\n', 'operationId: other\n', ['operationId', 'Map keys must be unique']],
  ['OpenAPI 4.0', 'openapi: 3.1.0', 'openapi: 4.0.0', ['4.0.0', `${VERSIONS}, got "4.0.0"`]],
  ['a number for its version', 'openapi: 3.1.0', 'openapi: 3.1', ['3.1', `${VERSIONS}, got 3.1`]],
  [
    'no title',
    'title: OpenAPI Plant Store\n  ',
    '',
    ['summary', "the document/info must have required property 'title' (title)"],
  ],
  [
    'a misspelt field',
    SECURITY,
    'securty: []\n',
    ['[]', 'the document must NOT have unevaluated properties (securty)'],
  ],
  [
    'a misspelt method',
    'post:\n',
    'psot:\n',
    ['operationId', 'the document/paths/~1plants must NOT have unevaluated properties (psot)'],
  ],
  [
    'a path without a slash',
    '/plants:\n',
    'plants:\n',
    ['post', 'the document/paths must NOT have unevaluated properties (plants)'],
  ],
  [
    'a misspelt field below a path with a percent sign',
    'paths:\n',
    'paths:\n  /100%:\n    get: { reponses: {} }\n',
    ['{}', 'the document/paths/~1100%/get must NOT have unevaluated properties (reponses)'],
  ],
  [
    'a status that is none',
    "'409':\n",
    "'4090':\n",
    ['$ref', 'the document/paths/~1plants/post/responses must NOT have unevaluated properties (4090)'],
  ],

  [
    'a reference that leads nowhere',
    NEW_PLANT,
    "'#/components/schemas/NewPlan'",
    ["'", '#/components/schemas/NewPlan leads nowhere'],
  ],
  [
    'a reference to another file',
    NEW_PLANT,
    "'plants.yaml#/Plant'",
    ["'", 'plants.yaml#/Plant is not in this document'],
  ],
  [
    'a reference to another host',
    NEW_PLANT,
    "'https://plants.example'",
    ["'", 'https://plants.example is not in this document'],
  ],
  ['a reference to an anchor', NEW_PLANT, "'#plant'", ["'", '#plant is not in this document']],
  [
    'a reference through what inherits',
    NEW_PLANT,
    "'#/components/schemas/constructor'",
    ["'", '#/components/schemas/constructor leads nowhere'],
  ],
  ['a reference with bad percent-encoding', NEW_PLANT, "'#/%'", ["'", 'URI malformed']],
  [
    'a reference of a property named example',
    PROPERTIES,
    withProperty("example: { $ref: '#/x' }"),
    ["'#/x'", '#/x leads nowhere'],
  ],
  [
    'references in a circle',
    '  schemas:\n    Plant:\n',
    withSchema("A: { $ref: '#/components/schemas/A' }"),
    ["'#/", '#/components/schemas/A leads in a circle'],
  ],

  ['a misspelt keyword', 'required: [id]', 'requried: [id]', ['[id]', 'unknown keyword requried: expected required']],
  [
    'a keyword that is not followed',
    PROPERTIES,
    `          $dynamicRef: '#plant'\n${PROPERTIES}`,
    ["'#plant'", '$dynamicRef is not followed'],
  ],
  [
    'a type that is none',
    'type: string\n          description: The name',
    'type: strin\n          description: The name',
    ['strin', `the schema/properties/name/type must be equal to one of the allowed values (${TYPES})`],
  ],
  [
    'a list of properties that is none',
    'required: [name]',
    'required: name',
    ['name', 'the schema/required must be array (array)'],
  ],
  ['a negative length', NAME, 'minLength: -1\n', ['-1', 'the schema/properties/name/minLength must be >= 0 (>=, 0)']],
  [
    'a pattern that is none',
    PROPERTIES,
    withProperty("latin: { type: string, pattern: '(' }"),
    ["'('", 'Invalid regular expression: /(/u: Unterminated group'],
  ],
  [
    'a name pattern that is none',
    PROPERTIES,
    withProperty("latin: { patternProperties: { '(': {} } }"),
    ["{ '('", 'Invalid regular expression: /(/u: Unterminated group'],
  ],
  [
    'a bound that is no number',
    INT64,
    bounded('minimum: none'),
    ['none', 'the schema/allOf/1/properties/id/minimum must be number (number)'],
  ],
  [
    'references to what is no schema',
    PROPERTIES,
    withProperty("about: { $ref: '#/info' }\n            post: { $ref: '#/paths/~1plants/post/requestBody' }"),
    ["'#/info'", '#/info leads to what is no schema (summary)'],
    [
      "'#/paths",
      '#/paths/~1plants/post/requestBody leads to what is no schema (the schema/required must be array (array))',
    ],
  ],
  [
    'schemas that apply each other to the same value',
    '  schemas:\n    Plant:\n',
    withSchema(
      "A: { oneOf: [{ $ref: '#/components/schemas/B' }] }\n    B: { properties: { a: { $ref: '#/components/schemas/A' } }, not: { $ref: '#/components/schemas/A' } }",
    ),
    ['{ oneOf', 'a schema that applies itself to the same value decides nothing'],
  ],
  [
    'a default beyond the integers that a double has',
    INT64,
    bounded('default: 9007199254740993'),
    ['9007199254740993', 'expected a default within ±9007199254740991'],
  ],

  [
    'a parameter in its path that is not declared',
    '/plants:\n',
    '/plants/{id}:\n',
    ['operationId', 'path parameter id is not declared'],
  ],
  parameterFault(
    'a parameter that is not in its path',
    'name: id, in: path, required: true, schema: { type: string }',
    'path parameter id is not in the path /plants',
  ),
  parameterFault(
    'a parameter twice',
    'name: a, in: query, schema: {} }, { name: a, in: query, schema: {}',
    'query parameter a is there twice',
  ),
  [
    'a body that nobody reads',
    `application/json:\n            schema:\n              $ref: ${NEW_PLANT}`,
    `application/xml:\n            schema:\n              $ref: ${NEW_PLANT}`,
    ['schema', 'no reader for bodies of application/xml'],
  ],

  [
    'an operation without a handler',
    'paths:\n',
    withOperation('/trees', 'operationId: getTrees, '),
    ['getTrees', 'operation getTrees has no handler: add it to src/handlers.ts'],
  ],
  [
    'an operation without an operationId',
    'paths:\n',
    withOperation('/trees', ''),
    ['{ responses', 'operation getTrees has no handler: add it to src/handlers.ts'],
  ],
  [
    'an operationId twice',
    'paths:\n',
    withOperation('/trees', 'operationId: createPlant, '),
    ['createPlant\n', 'operationId createPlant is there twice'],
  ],
  [
    'an operation under a name that is inherited',
    'operationId: createPlant\n',
    'operationId: toString\n',
    ['toString', 'operation toString has no handler: add it to src/handlers.ts'],
    ['/plants:\n', 'handler createPlant has no operation in the contract'],
  ],

  [
    'security of no scheme',
    SECURITY,
    'security:\n  - otherAuth: []\n',
    ['- other', 'security names otherAuth, which components.securitySchemes does not declare'],
  ],
  [
    'security of an inherited name',
    SECURITY,
    'security:\n  - constructor: []\n',
    ['- con', 'security names constructor, which components.securitySchemes does not declare'],
  ],
  [
    'security of an operation of no scheme',
    'tags: [plants]\n',
    'security: [{ otherAuth: [] }]\n',
    ['[{', 'security names otherAuth, which components.securitySchemes does not declare'],
  ],
  [
    'a scope that can stand in no header',
    SECURITY,
    'security:\n  - bearerAuth: [write, "read all"]\n',
    ['- bearer', '"read all" is no scope: expected ASCII without spaces, " and \\'],
  ],
  [
    'a scheme without a verifier',
    '    bearerAuth:\n',
    '    otherAuth: { type: http, scheme: bearer }\n    bearerAuth:\n',
    ['{ type', 'security scheme otherAuth is http bearer and has no verifier: add it in src/service.ts'],
  ],
  [
    'a scheme of an inherited name',
    '    bearerAuth:\n',
    '    toString: { type: http, scheme: bearer }\n    bearerAuth:\n',
    ['{ type', 'security scheme toString is http bearer and has no verifier: add it in src/service.ts'],
  ],
  [
    'a scheme of another kind than its verifier',
    'type: http\n      scheme: bearer\n',
    'type: http\n      scheme: Basic\n',
    ['type', 'security scheme bearerAuth is http basic, and its verifier is for http bearer'],
  ],
  [
    'a scheme of another type than its verifier',
    'type: http\n      scheme: bearer\n',
    'type: apiKey\n      in: query\n      name: key\n',
    ['type', 'security scheme bearerAuth is apiKey in query, and its verifier is for http bearer'],
  ],
];

describe('a contract', () => {
  it('is served as it is', () => {
    expect(problemsOf(engineContractText)).toEqual([]);
  });

  it.each<[what: string, piece: string, instead: string]>([
    ['extensions', 'info:\n', 'x-plants: { a: 1 }\ninfo:\n  x-plants: 1\n'],
    ['extensions of a schema', INT64, bounded("x-ref: { $ref: '#/nowhere' }")],
    ['what OpenAPI adds to a schema', INT64, bounded('example: { $ref: nowhere }')],
    [
      'properties of any name',
      PROPERTIES,
      withProperty("$id: true\n            x-y: { $ref: '#/components/schemas/Plant' }"),
    ],
    ['schemas that are true or false', PROPERTIES, withProperty('any: true\n            none: false')],
    [
      'the limits of int64',
      INT64,
      bounded('minimum: -9223372036854775808\n              maximum: 9223372036854775807'),
    ],
    [
      'bounds that doubles are',
      INT64,
      bounded('exclusiveMinimum: -9007199254740991\n              enum: [1, 9007199254740991]'),
    ],
    ['bounds that no double is', INT64, bounded('minimum: -9007199254740993\n              multipleOf: 3')],
    ['a length that no double is', PROPERTIES, withProperty('long: { type: string, maxLength: 18446744073709551615 }')],
    ['numbers that no double is', INT64, bounded('enum: [1, 9007199254740993]')],
    [
      'int64 without repetition',
      PROPERTIES,
      withProperty('ids: { type: array, items: { type: integer, format: int64 }, uniqueItems: true }'),
    ],
    [
      'texts without repetition',
      PROPERTIES,
      withProperty('names: { type: array, uniqueItems: true, items: { type: string } }'),
    ],
    ['a tuple', PROPERTIES, withProperty('one: { type: array, prefixItems: [{ type: string }], items: false }')],
    ['a format of its own for a text', PROPERTIES, withProperty('code: { type: string, format: zip }')],
    ['a schema that contains itself', PROPERTIES, withProperty(`parent: { $ref: ${NEW_PLANT} }`)],
    ['a scheme in other letters', 'scheme: bearer\n', 'scheme: Bearer\n'],
    ['an operation that is open to all', 'tags: [plants]\n', 'security: [{}, { bearerAuth: [] }]\n'],
    [
      'a body of text as well',
      'requestBody:\n        description: The plant to store.\n        required: true\n        content:\n',
      'requestBody:\n        content:\n          text/plain: {}\n',
    ],
    [
      'a path that stands elsewhere',
      '  /plants:\n',
      "  /trees: { $ref: '#/paths/~1shrubs' }\n  /shrubs: { description: None yet. }\n  /plants:\n",
    ],
  ])('is served with %s', (_what, piece, instead) => {
    expect(problemsOf(faulty(['', piece, instead]).text)).toEqual([]);
  });

  it.each(faults)('is not served with %s', (...fault) => {
    const { text, problems } = faulty(fault);
    expect(problemsOf(text)).toEqual(problems);
  });

  it.each([
    ['', `openapi.yaml ${VERSIONS}, got nothing`],
    ['null', `openapi.yaml:1:1 ${VERSIONS}, got nothing`],
    ['plants', `openapi.yaml:1:1 ${VERSIONS}, got nothing`],
    ['[openapi]', `openapi.yaml:1:1 ${VERSIONS}, got nothing`],
    ['info: *nobody', 'openapi.yaml:1:1 Unresolved alias (the anchor must be set before the alias): nobody'],
  ])('is not served where it is %p', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it.each([
    ['nothing but schemas', 'components: { schemas: {} }', []],
    ['an operation of which it says nothing', 'paths: { /plants: { get: { operationId: getPlants } } }', ['getPlants']],
  ])('is served where it has %s', (_what, rest, handlers) => {
    const text = `openapi: 3.1.0\ninfo: { title: Plants, version: 1.0.0 }\n${rest}\n`;
    expect(problemsOf(text, { ...served, handlers, verifiers: {} })).toEqual([]);
  });

  it('is not served where there is none', () => {
    expect(() => loadContract('/nowhere/openapi.yaml', served)).toThrow(/ENOENT/);
  });

  it('is not served with a handler that belongs to nothing', () => {
    expect(problemsOf(engineContractText, { ...served, handlers: ['createPlant', 'waterPlant'] })).toEqual([
      `${placeOf(engineContractText, '/plants:\n')} handler waterPlant has no operation in the contract`,
    ]);
  });

  it('says all that is wrong with it at once', () => {
    const wrong = ['a misspelt keyword', 'a pattern that is none', 'a parameter twice', 'security of no scheme'];
    const { text, problems } = faulty(...faults.filter(([what]) => wrong.includes(what)));
    expect(problems).toHaveLength(wrong.length);
    const file = contractOf(text);
    expect(() => loadContract(file, { ...served, handlers: [], verifiers: {} })).toThrow(ContractProblems);
    const all = [
      ...problems,
      `${placeOf(text, 'createPlant\n')} operation createPlant has no handler: add it to src/handlers.ts`,
      `${placeOf(text, 'type: http')} security scheme bearerAuth is http bearer and has no verifier: add it in src/service.ts`,
    ];
    expect(problemsOf(text, { ...served, handlers: [], verifiers: {} })).toEqual(all.sort());
  });

  it('is served only with types that were generated from it, which comments and line endings do not change', () => {
    const withTypes = { ...served, digest: digestOf(readYaml(engineContract).value) };
    expect(problemsOf(`# A comment.\n${engineContractText.replaceAll('\n', '\r\n')}`, withTypes)).toEqual([]);
    expect(
      problemsOf(engineContractText.replace('operationId: createPlant', 'operationId: growPlant'), withTypes),
    ).toEqual([
      `${placeOf(engineContractText, '/plants:\n')} handler createPlant has no operation in the contract`,
      `${placeOf(engineContractText, 'createPlant\n')} operation growPlant has no handler: add it to src/handlers.ts`,
      `${placeOf(engineContractText, 'openapi: 3')} generated/openapi.ts was made from another contract: run npm run generate`,
    ]);
  });

  it.each([
    [
      'a pattern that may hang',
      withProperty("code: { type: string, pattern: '^(?=a)(b*)*$' }"),
      "'^(?",
      'a pattern may take for ever: it repeats a group, and has something (a lookahead, a back-reference) that only an expression can run which a short text may hang',
      '^(?=a)(b*)*$',
    ],
    [
      'a keyword of no meaning',
      withProperty('code: { minChars: 1 }'),
      '1 }',
      'an unknown keyword of a schema says nothing',
      'minChars',
    ],
  ])('is served with %s, and it is told', (_what, instead, where, message, detail) => {
    const { text } = faulty(['', PROPERTIES, instead]);
    expect(loadContract(contractOf(text), served).warnings).toEqual([
      `${placeOf(text, where, text.indexOf(instead))} (${detail}) ${message}`,
    ]);
  });

  it('is served with a field of a form that may be text or a number, and it is told', () => {
    const json = `application/json:\n            schema:\n              $ref: ${NEW_PLANT}`;
    const { text } = faulty([
      '',
      json,
      'application/x-www-form-urlencoded:\n            schema: { type: object, properties: { size: { type: [integer, string] } } }',
    ]);
    expect(loadContract(contractOf(text), served).warnings).toEqual([
      `${placeOf(text, 'schema: { type: object')} (size) a field of a form that may be text or integer is text`,
    ]);
  });

  it('that is not served is told of in one message, a line for each problem', () => {
    expect(new ContractProblems(['openapi.yaml:1:1 a', 'openapi.yaml:2:1 b']).message).toBe(
      'the contract is not fit to be served:\n  openapi.yaml:1:1 a\n  openapi.yaml:2:1 b',
    );
  });
});

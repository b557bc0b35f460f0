/** The document that the files of a contract make together: the service, the mock and the conformance suite have the same. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocument } from '../../../src/engine/contract/bundle';
import { ContractProblems } from '../../../src/engine/contract/problems';
import { contractOf } from '../../support/contracts';

/** The document of an `openapi.yaml` with this text, and of other files beside it. */
function documentOf(text: string, files: Readonly<Record<string, string>>): unknown {
  const file = contractOf(`openapi: 3.2.0\n${text}\n`);
  for (const [name, each] of Object.entries(files)) {
    mkdirSync(dirname(join(dirname(file), name)), { recursive: true });
    writeFileSync(join(dirname(file), name), `${each}\n`);
  }
  return readDocument(file).value;
}

const NODE = 'Node: { properties: { next: { $ref: "#/Node" } } }';
const node = { properties: { next: { $ref: '#/components/schemas/Node' } } };

it.each<[what: string, text: string, files: Record<string, string>, document: object]>([
  [
    'a schema in its components, and what stands beside a reference as its file means it',
    'components: { schemas: { Id: { type: string }, Base: {}, A: { allOf: [{ $ref: b.yaml#/Derived }] } } }',
    {
      'b.yaml':
        'Derived: { $ref: "openapi.yaml#/components/schemas/Base", properties: { id: { $ref: "#/Id" } } }\nId: { type: integer }',
    },
    {
      components: {
        schemas: {
          Id: { type: 'string' },
          Base: {},
          A: { allOf: [{ $ref: '#/components/schemas/Derived' }] },
          Derived: {
            allOf: [{ $ref: '#/components/schemas/Base' }],
            properties: { id: { $ref: '#/components/schemas/Id-2' } },
          },
          'Id-2': { type: 'integer' },
        },
      },
    },
  ],
  [
    'the components of another file, which contain themselves',
    'components: { schemas: { $ref: schemas.yaml } }\npaths: { $ref: paths.yaml }',
    { 'schemas.yaml': NODE, 'paths.yaml': '/a: { parameters: [{ schema: { $ref: schemas.yaml#/Node } }] }' },
    {
      components: { schemas: { Node: node } },
      paths: { '/a': { parameters: [{ schema: { $ref: '#/components/schemas/Node' } }] } },
    },
  ],
  [
    'an itemSchema, which contains itself',
    'components: { mediaTypes: { a: { itemSchema: { $ref: b.yaml#/Node } } } }',
    { 'b.yaml': NODE },
    {
      components: {
        mediaTypes: { a: { itemSchema: { $ref: '#/components/schemas/Node' } } },
        schemas: { Node: node },
      },
    },
  ],
  [
    'a component that is a reference to a file of its name as that file',
    'components: { schemas: { Node: { $ref: Node.yaml }, List: { items: { $ref: lists/b.yaml#/x/y/properties/node } } } }',
    {
      'Node.yaml': 'properties: { next: { $ref: "#" } }',
      'lists/b.yaml': 'x: { $ref: "#/list" }\nlist: { y: { properties: { node: { $ref: ../Node.yaml } } } }',
    },
    { components: { schemas: { Node: node, List: { items: { $ref: '#/components/schemas/Node' } } } } },
  ],
  [
    'the properties of a schema, and a list, in their places',
    'components: { schemas: { A: { properties: { $ref: b.yaml#/properties }, required: { $ref: b.yaml#/required } } } }',
    { 'b.yaml': 'properties: { example: { type: string }, $ref: { type: string } }\nrequired: [example]' },
    {
      components: {
        schemas: {
          A: { properties: { example: { type: 'string' }, $ref: { type: 'string' } }, required: ['example'] },
        },
      },
    },
  ],
  [
    'a path item with what stands beside its reference',
    'paths: { /a: { $ref: b.yaml#/a, summary: Mine. } }',
    { 'b.yaml': 'a: { summary: Theirs., description: Theirs. }' },
    { paths: { '/a': { summary: 'Mine.', description: 'Theirs.' } } },
  ],
  [
    'a schema by its anchor',
    'components: { schemas: { A: { items: { $ref: "b.yaml#leaf" } } } }',
    { 'b.yaml': '$defs: { Leaf: { $anchor: leaf, type: string } }' },
    { components: { schemas: { A: { items: { $ref: '#/components/schemas/Leaf' } }, Leaf: { type: 'string' } } } },
  ],
  [
    'an example of a file that there is, and no other data',
    'components: { schemas: { A: { example: { $ref: b.yaml }, x-a: [{ $ref: c.yaml }], const: { $ref: b.yaml }, items: { $ref: b.yaml#/b } } } }',
    { 'b.yaml': 'b: {}' },
    {
      components: {
        schemas: {
          A: {
            example: { b: {} },
            'x-a': [{ $ref: 'c.yaml' }],
            const: { $ref: 'b.yaml' },
            items: { $ref: '#/components/schemas/b' },
          },
          b: {},
        },
      },
    },
  ],
  [
    'an example of a file, if it names no other',
    'components: { schemas: { A: { example: { $ref: b.yaml } } }, examples: { E: { value: { $ref: b.yaml } } } }',
    { 'b.yaml': 'b: {}' },
    { components: { schemas: { A: { example: { b: {} } } }, examples: { E: { value: { b: {} } } } } },
  ],
  [
    'components for what an extension refers to, which may be webhooks',
    'components: { schemas: { A: { $ref: b.yaml } } }\nx-webhooks: { w: { post: { requestBody: { content: { a/b: { schema: { $ref: b.yaml } } } } } } }',
    { 'b.yaml': 'type: string' },
    {
      components: { schemas: { A: { $ref: '#/components/schemas/b' }, b: { type: 'string' } } },
      'x-webhooks': {
        w: { post: { requestBody: { content: { 'a/b': { schema: { $ref: '#/components/schemas/b' } } } } } },
      },
    },
  ],
  [
    'what a word of an extension refers to in its place, whatever OpenAPI means by the word',
    'x-gateway: { headers: { Rate: { $ref: b.yaml } } }',
    { 'b.yaml': 'limit: 5' },
    { 'x-gateway': { headers: { Rate: { limit: 5 } } } },
  ],
  [
    'what stands behind a reference of its own',
    'components: { schemas: { A: { items: { $ref: "#/components/schemas/B/properties/c" } }, B: { $ref: b.yaml } } }',
    { 'b.yaml': 'properties: { c: { type: string } }' },
    {
      components: {
        schemas: {
          A: { items: { $ref: '#/components/schemas/c' } },
          B: { $ref: '#/components/schemas/b' },
          b: { properties: { c: { type: 'string' } } },
          c: { type: 'string' },
        },
      },
    },
  ],
  [
    'a whole file by an empty step, and a description of a text',
    'components: { schemas: { A: { items: { $ref: "b.yaml#/" }, description: { $ref: b.md } } } }',
    { 'b.yaml': 'type: string', 'b.md': 'A list.' },
    {
      components: {
        schemas: { A: { items: { $ref: '#/components/schemas/b' }, description: 'A list.\n' }, b: { type: 'string' } },
      },
    },
  ],
  [
    'nothing of a file with a fault that only an unused part names',
    'components: { schemas: { A: { items: { $ref: b.yaml#/b } } } }',
    { 'b.yaml': 'b: { type: string }\nunused: { $ref: c.yaml }', 'c.yaml': 'a: [' },
    { components: { schemas: { A: { items: { $ref: '#/components/schemas/b' } }, b: { type: 'string' } } } },
  ],
  [
    'a mapping of a discriminator that names files',
    'components: { schemas: { A: { oneOf: [{ $ref: b/cat.yaml }, { $ref: ./b/dog.yaml }], discriminator: { propertyName: kind, mapping: { c: ./b/cat.yaml, d: dog }, defaultMapping: b/dog.yaml } } } }',
    { 'b/cat.yaml': 'type: object', 'b/dog.yaml': 'type: object' },
    {
      components: {
        schemas: {
          A: {
            oneOf: [{ $ref: '#/components/schemas/cat' }, { $ref: '#/components/schemas/dog' }],
            discriminator: {
              propertyName: 'kind',
              mapping: { c: '#/components/schemas/cat', d: 'dog' },
              defaultMapping: '#/components/schemas/dog',
            },
          },
          cat: { type: 'object' },
          dog: { type: 'object' },
        },
      },
    },
  ],
  [
    'the values of a discriminator whose branch has another name in the document',
    'components: { schemas: { Cat: {}, A: { $ref: pets.yaml#/Pet } } }',
    {
      'pets.yaml':
        'Pet: { anyOf: [{ $ref: "#/Cat" }, { $ref: "#/Dog" }], discriminator: { propertyName: kind } }\nCat: { type: object }\nDog: { type: object }',
    },
    {
      components: {
        schemas: {
          Cat: {},
          A: { $ref: '#/components/schemas/Pet' },
          Pet: {
            anyOf: [{ $ref: '#/components/schemas/Cat-2' }, { $ref: '#/components/schemas/Dog' }],
            discriminator: { propertyName: 'kind', mapping: { Cat: '#/components/schemas/Cat-2' } },
          },
          'Cat-2': { type: 'object' },
          Dog: { type: 'object' },
        },
      },
    },
  ],
])('has %s', (_what, text, files, document) => {
  expect(documentOf(text, files)).toEqual({ openapi: '3.2.0', ...document });
});

it.each<[what: string, text: string, files: Record<string, string>, problems: string[]]>([
  [
    'references that lead nowhere, all of them',
    'paths: { /a: { $ref: b.yaml#/a }, /b: { $ref: c.yaml }, /c: { $ref: c.yaml }, /d: { $ref: d.yaml } }',
    { 'b.yaml': '{}', 'd.yaml': 'a: [' },
    [
      'd.yaml:2:1 the line is indented by 0 spaces, and belongs to nothing above it: expected as many as a line beside it',
      'openapi.yaml:2:22 b.yaml#/a leads nowhere',
      'c.yaml leads to a file that is not there: 2 places, openapi.yaml:2:47, openapi.yaml:2:69',
    ],
  ],
  [
    'a path item that contains itself',
    'paths: { /a: { $ref: b.yaml#/a } }',
    { 'b.yaml': 'a: { get: { callbacks: { b: { "{$url}": { $ref: "#/a" } } } } }' },
    ['b.yaml:1:41 #/a leads in a circle'],
  ],
  [
    'branches that a discriminator cannot tell apart by their names',
    'components: { schemas: { A: { oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: b.yaml#/Cat }], discriminator: { propertyName: kind } }, Cat: {} } }',
    { 'b.yaml': 'Cat: {}' },
    ['openapi.yaml:2:29 two branches are named Cat: expected a mapping in the discriminator'],
  ],
  [
    'parts that are copied again and again',
    'paths: { /a: { $ref: b.yaml#/0 } }',
    {
      'b.yaml': Array.from(
        { length: 26 },
        (_, at) => `"${at}": { get: { $ref: "#/${at + 1}" }, put: { $ref: "#/${at + 1}" } }`,
      )
        .concat('"26": {}')
        .join('\n'),
    },
    ['b.yaml:25:7 expected references that repeat at most 100000 parts of other files, got more'],
  ],
])('is refused where it has %s', (_what, text, files, problems) => {
  expect(() => documentOf(text, files)).toThrow(new ContractProblems(problems));
});

/** Proofs of breaking changes: values that one contract takes and the other refuses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract, Path } from '../../../src/engine/reading';
import { Prover } from '../../../src/tools/diff/proof';
import { readContract } from '../../../src/tools/project/read-contract';
import { temporaryFolder } from '../../support/temporary-folder';

const file = join(temporaryFolder(), 'openapi.yaml');
const POST: Path = ['paths', '/notes', 'post'];
const BODY: Path = [...POST, 'requestBody', 'content', 'application/json', 'schema'];
const ANSWER: Path = [...POST, 'responses', '200', 'content', 'application/json', 'schema'];

/** A contract whose operation takes and gives a note, and has a parameter. */
function contract(
  note: string,
  parameter = '{ name: limit, in: query, schema: { type: integer, maximum: 9 } }',
): Contract {
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      parameters: [${parameter}]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '200': { description: A., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
components: { schemas: { Note: ${note} } }
`,
  );
  return readContract(file);
}

const NOTE =
  '{ type: object, required: [text], properties: { text: { type: string, maxLength: 9 }, kind: { enum: [a, b] } } }';
const takes = (of: string): string =>
  `the earlier contract takes this request, the new one refuses it:\nPOST /notes\n${of}`;
const allows = (body: string): string =>
  `the new contract allows this answer, the earlier one does not:\nPOST /notes is answered with 200 and\n${body}`;

it.each<[what: string, note: string, path: Path, proof: RegExp]>([
  [
    'a property that is required now, by a body without it',
    NOTE.replace('[text]', '[text, kind]'),
    BODY,
    new RegExp(`^${takes(String.raw`Content-Type: application/json\n\n\{"text":"\w+"\}`)}$`),
  ],
  [
    'an integer that is to be smaller, beyond what doubles hold',
    NOTE.replace('enum: [a, b]', 'type: integer, maximum: 9223372036854775806'),
    [...BODY, 'properties', 'kind'],
    /"kind":/,
  ],
  [
    'a value that is gone',
    NOTE.replace('[a, b]', '[a]'),
    [...BODY, 'properties', 'kind'],
    new RegExp(`^${takes(String.raw`Content-Type: application/json\n\n\{.*"kind":"b".*\}`)}$`),
  ],
  [
    'a text that is to be shorter',
    NOTE.replace('9', '3'),
    [...BODY, 'properties', 'text', 'maxLength'],
    new RegExp(String.raw`"text":"\w{4,9}"`),
  ],
  [
    'a value that is new, by an answer, although the schema is listed in the request alone',
    NOTE.replace('[a, b]', '[a, b, c]'),
    [...BODY, 'properties', 'kind'],
    new RegExp(`^${allows(String.raw`\{.*"kind":"c".*\}`)}$`),
  ],
  [
    'a text that may be longer, by an answer',
    NOTE.replace('9', '12'),
    [...ANSWER, 'properties', 'text'],
    new RegExp(`^${allows(String.raw`\{.*"text":"\w{10,12}".*\}`)}$`),
  ],
])('shows %s', (_what, note, path, proof) => {
  expect(new Prover(contract(NOTE), contract(note)).proofOf(path)).toMatch(proof);
});

it.each<[what: string, parameter: string, proof: string]>([
  [
    'a lower maximum',
    '{ name: limit, in: query, schema: { type: integer, maximum: 5 } }',
    'with the query parameter limit: ',
  ],
  ['one that is new', '{ name: page, in: query, required: true, schema: {} }', 'without the query parameter page'],
])('shows a parameter: %s', (_what, parameter, proof) => {
  expect(new Prover(contract(NOTE), contract(NOTE, parameter)).proofOf([...POST, 'parameters', 0, 'schema'])).toContain(
    takes(proof),
  );
});

it('ends where each value takes long to be judged', () => {
  const next = (index: number): string => `{ $ref: '#/components/schemas/S${index}' }`;
  const either = (index: number): string =>
    `{ anyOf: [${['a', 'b'].map((name) => `{ allOf: [${next(index)}, { required: [${name}] }] }`).join(', ')}] }`;
  const chain = Array.from({ length: 16 }, (_, index) => `S${index}: ${either(index + 1)}`);
  const of = (lengthMax: number): Contract =>
    contract(
      `${next(0)}, ${chain.join(', ')}, S16: { type: object, properties: { a: { type: string, maxLength: ${lengthMax} } } }`,
    );
  expect(new Prover(of(5), of(4), 100).proofOf(BODY)).toBeUndefined();
});

it('shows nothing of what no value can show', () => {
  const prover = new Prover(contract(NOTE), contract(NOTE));
  const paths: Path[] = [
    ['info'],
    [...POST, 'security'],
    [...POST, 'responses', '409'],
    ['paths', '/gone', 'get'],
    BODY,
  ];
  expect(paths.map((path) => prover.proofOf(path))).toEqual(paths.map(() => undefined));
});

/** The contracts that are compared: ours, and contracts of others out of `@readme/oas-examples`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Document, lookUp, operationsIn } from '../../../../src/engine/contract/document';
import { ContractProblems } from '../../../../src/engine/contract/problems';
import { projectOf } from '../../../../src/engine';

export interface Compared {
  name: string;
  /** Why it was chosen. */
  chosenFor: string;
  file: string;
  /** Operations that stand for all of them; every operation unless given. */
  only?: string[];
  /** Requests with POST, without a credential, that conformance makes seldom or never: JSON unless a media type is given. */
  beside?: readonly (readonly [target: string, body: string, mediaType?: string])[];
}

const project = projectOf(__dirname);
const example = (path: string): string => join(project.folder, 'node_modules/@readme/oas-examples', path);

export const CONTRACTS: readonly Compared[] = [
  {
    name: 'ours',
    chosenFor: 'what we promise',
    file: project.contract,
    beside: [
      ['/plants', '{'],
      ['/plants', '{}', 'application/json; charset=latin1'],
    ],
  },
  {
    name: 'Petstore, 3.0',
    chosenFor: 'everyone knows it: path, query and header parameters, lists, forms, files, an API key, OAuth 2',
    file: example('3.0/json/petstore.json'),
  },
  {
    name: 'Train Travel, 3.1',
    chosenFor: 'written as is recommended today: allOf, oneOf, const, formats, OAuth 2 with scopes',
    file: example('3.1/json/train-travel.json'),
  },
  {
    name: 'ReadMe, 3.1',
    chosenFor: 'an API in production, with keywords of 3.0 left in it: patterns, enumerations, closed objects, files',
    file: example('3.1/json/readme.json'),
    only: ['GET /changelogs', 'GET /search', 'POST /images', ...['guides', 'reference'].map(inBranch)],
  },
  {
    name: 'polymorphism, 3.0',
    chosenFor: 'oneOf, anyOf and allOf of objects, lists and scalars',
    file: example('3.0/json/polymorphism.json'),
    beside: [
      [
        '/anything/nested-one-of-object-with-nested-one-of',
        '{"config":{"pet_type":"Cat","hunts":false,"age":-2,"a":["text"]}}',
      ],
    ],
  },
  {
    name: 'discriminators, 3.0',
    chosenFor: 'discriminators, also where they are of no use',
    file: example('3.0/json/discriminators.json'),
  },
  {
    name: 'schema validation, 3.1',
    chosenFor: 'every format and bound in a query, and defaults, good and bad',
    file: example('3.1/json/schema-validation-local.json'),
  },
  {
    name: 'security, 3.0',
    chosenFor: 'every kind of credential, alone, together, and one in place of another',
    file: example('3.0/json/security-multiple.json'),
  },
];

function inBranch(kind: string): string {
  return `POST /branches/{branch}/${kind}`;
}

const CODED = { error: { type: 'integer' }, message: { type: 'string' } };
const ERROR = { type: 'object', required: ['error', 'message'], properties: CODED };

/** Reads a contract and gives each operation the same answers, because only requests are compared. */
export function withPlainAnswers(file: string): Document {
  const document = parse(readFileSync(file, 'utf8')) as Document;
  const responses = {
    '204': { description: 'Accepted.' },
    default: { description: 'Refused.', content: { 'application/json': { schema: ERROR } } },
  };
  for (const item of Object.values(document.paths ?? {}))
    for (const { operation } of operationsIn(item)) operation.responses = responses;
  return document;
}

/** Takes out the defaults that a start has refused, which the middleware would serve. */
export function dropDefaults(document: Document, error: unknown): void {
  const problems = error instanceof Error ? error.cause : undefined;
  if (!(problems instanceof ContractProblems)) throw error;
  for (const path of problems.paths) {
    const schema = lookUp(document, path.slice(0, -1));
    if (path.at(-1) !== 'default' || typeof schema !== 'object' || schema === null) throw error;
    Reflect.deleteProperty(schema, 'default');
  }
}

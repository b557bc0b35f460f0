/** The exam on real contracts: the documents of a folder that are served, and plain Ajv's judgement of the bodies that a mock makes for them. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ApiError, messageOf, stringifyJson } from '../../src/engine';
import { canRead, ContractProblems, type Document, isJson, isSchema, keyFor, readYaml } from '../../src/engine/reading';
import { canVerify, loadContract, type LoadedContract } from '../../src/engine/tooling';
import { verifiersFor } from '../../src/tools/mock/credentials';
import { leaveOutFaults, readContract } from '../../src/tools/mock/lenient';
import { mockingOf } from '../../src/tools/mock/mocking';
import { PlainAjv } from './plain-ajv';

const mocking = mockingOf(0);
const counts = new Map<string, number>();
const details: string[] = [];

function count(what: string, detail?: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
  if (detail !== undefined) details.push(`${what}: ${detail}`);
}

/** The contract as a mock serves it, or else without what makes it refused; undefined if nothing is left. */
function contractOf(file: string): LoadedContract | undefined {
  const load = (document: ReturnType<typeof readContract>): LoadedContract => {
    const { components } = document.value as Partial<Document>;
    const verifiers = verifiersFor(components?.securitySchemes ?? {}, undefined);
    const { errorsOf } = mocking;
    return loadContract(file, { document, handlers: [], mocksMissing: true, verifiers, canVerify, canRead, errorsOf });
  };
  try {
    const contract = load(readContract(file, false));
    count('documents served');
    return contract;
  } catch (error) {
    if (!(error instanceof ContractProblems)) throw error;
    for (const problem of error.problems) details.push(`refused: ${problem}`);
  }
  try {
    let contract: LoadedContract | undefined;
    leaveOutFaults(readContract(file, true), (document) => (contract = load(document)));
    count('documents served with --lenient');
    return contract;
  } catch (error) {
    count('documents refused', `${basename(file)}: ${messageOf(error)}`);
    return undefined;
  }
}

/** Asks the mock of each operation for its answer, and Ajv for its body. */
function examine(file: string, contract: LoadedContract): void {
  const judge = new PlainAjv(readYaml(file).value);
  const answer = mocking.answersOf(contract);
  const request = {
    path: {},
    query: {},
    header: {},
    cookie: {},
    body: undefined,
    mediaType: undefined,
    principal: undefined,
  };
  for (const operation of contract.operations) {
    const { responses, at } = operation;
    const what = `${contract.place(at)} ${operation.id}`;
    try {
      const { status, mediaType = '', body } = answer(operation, request, {});
      const key = keyFor(status, (each) => Object.hasOwn(responses, each)) ?? '';
      const content = responses[key]?.content ?? {};
      if (!isJson(mediaType) || body === undefined || content[mediaType]?.schema === undefined) {
        count('answers without JSON');
        continue;
      }
      const problem = judge.problem(
        [...at, 'responses', key, 'content', mediaType, 'schema'],
        JSON.parse(stringifyJson(body)),
      );
      if (problem === undefined) count('bodies that Ajv accepts');
      else count('bodies that Ajv refuses', `${what}: ${problem}`);
    } catch (error) {
      if (error instanceof ApiError) count('answers that are not made', `${what}: ${error.message}`);
      else count('bodies that Ajv cannot judge', `${what}: ${messageOf(error)}`);
    }
  }
}

/** The party at fault, by the reason. */
const FAULTS: readonly [reason: RegExp, whose: string][] = [
  [
    /default that its own schema refuses|are one: only one|not declare|leads nowhere|leads to something|must be|unknown (?:field|keyword)/,
    'the document',
  ],
  [
    /errorBody|errors cannot be written|no reader for bodies|a file needs|a form is an object|lists? of lists|no encoding but/,
    'what a mock cannot know or read; a service can be given it',
  ],
  [/multiple of/, "Ajv's: it divides doubles"],
  [/exactly one schema|answered with|was found for/, 'a schema that hardly anything fits, or a discriminator'],
];

function whoseFault(reason: string): string {
  return FAULTS.find(([known]) => known.test(reason))?.[1] ?? 'open';
}

/** The results of a folder of documents, as Markdown. Throws if it has none. */
export function contracts(folder: string): string {
  for (const name of readdirSync(folder).filter((each) => /\.(?:json|ya?ml)$/.test(each))) {
    const file = join(folder, name);
    try {
      const { value } = readYaml(file);
      if (!isSchema(value) || !/^3\.[012]\./.test(String(value.openapi))) continue;
      const contract = contractOf(file);
      if (contract) examine(file, contract);
    } catch (error) {
      count('documents that fail', `${basename(file)}: ${messageOf(error)}`);
    }
  }
  if (counts.size === 0) throw new Error(`${folder}: expected OpenAPI documents (.json, .yaml), got none`);
  const faults = new Map<string, number>();
  for (const detail of details) faults.set(whoseFault(detail), (faults.get(whoseFault(detail)) ?? 0) + 1);
  const rows = (of: ReadonlyMap<string, number>): string =>
    [...of]
      .sort()
      .map(([what, number]) => `| ${what} | ${number} |\n`)
      .join('');
  // The refusals of documents are many, and counted by their reasons.
  const list = details
    .filter((each) => /^(?:bodies|documents)/.test(each))
    .map((each) => `- ${each.slice(0, 200).replaceAll(/\s+/g, ' ')}\n`)
    .join('');
  return `| what | number |\n|---|---|\n${rows(counts)}\n| whose fault it is | number |\n|---|---|\n${rows(faults)}\n${list}`;
}

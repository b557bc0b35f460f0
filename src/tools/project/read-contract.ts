/** Reads the contract for the scripts, without the checks of the server's start. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  BUNDLE,
  canRead,
  type Contract,
  ContractProblems,
  type Document,
  namesOtherFiles,
  operationsOf,
  problemLines,
  readServed,
  schemeKind,
  schemesOf,
  type ServedDocument,
} from '../../engine/reading';
import { type ErrorOptions, judgeDocument, loadContract, type LoadedContract } from '../../engine/tooling';
import { exampleWarnings, wordWarnings } from './example-warnings';
import { loadModule } from './program';
import { root } from './run-command';
import { typed } from './typed';

/**
 * Reads a contract as it is served, or by another reading; throws ContractProblems if the file is no YAML, or has no operations that can be
 * read. Lint checks the rest.
 */
export function readContract(file: string, read: (file: string) => ServedDocument = readServed): Contract {
  const { document, place } = documentOf(file, read(file));
  try {
    return { document, operations: operationsOf(document), place };
  } catch (error) {
    const { problems } = judgeDocument(document);
    throw problems.length > 0 ? new ContractProblems(problemLines(problems, place)) : error;
  }
}

function documentOf(file: string, { value: document, place }: ServedDocument): Pick<Contract, 'document' | 'place'> {
  if (!isDocument(document)) {
    throw new ContractProblems([`${basename(file)}:1:1 expected an OpenAPI document with openapi, info and paths`]);
  }
  if (namesOtherFiles(document)) {
    const why = `it names other files, and there is no ${BUNDLE} beside it: ${typed('generate')} makes one, to be committed`;
    throw new ContractProblems([`${basename(file)}:1:1 ${why}`]);
  }
  return { document, place };
}

export interface Judgement {
  /** The start's reasons to refuse the contract; empty if there is a contract. */
  refusals: readonly string[];
  /** The start's warnings, and those of words that other readers of YAML take for booleans. */
  warnings: readonly string[];
  /** Warnings of examples that their schemas refuse, which rules of lint find as well. */
  examples: readonly string[];
  contract?: LoadedContract;
}

/** Loads a contract as the start does, as if all operations had handlers, and all schemes verifiers; its examples are judged, too. */
export function judgeContract(file: string, errors: ErrorOptions = {}): Judgement {
  try {
    const document = readServed(file);
    const { value } = document;
    const contract = loadContract(file, {
      ...errors,
      handlers: operationIds(value),
      verifiers: everyVerifier(value),
      canRead,
      document,
    });
    const words = wordWarnings(readFileSync(file, 'utf8'), basename(file));
    return {
      refusals: [],
      warnings: [...contract.warnings, ...words],
      examples: exampleWarnings(contract),
      contract,
    };
  } catch (error) {
    if (error instanceof ContractProblems) return { refusals: error.problems, warnings: [], examples: [] };
    throw error;
  }
}

function everyVerifier(value: unknown): Record<string, { scheme: string }> {
  return Object.fromEntries(
    Object.entries(schemesOf(value)).map(([name, each]) => [name, { scheme: schemeKind(each) }]),
  );
}

/** The ids of the operations; none if the structure is not valid, or references lead nowhere, which is then the only reason for a refusal. */
function operationIds(value: unknown): string[] {
  try {
    return operationsOf(value as Document).map(({ id }) => id);
  } catch {
    return [];
  }
}

/** Judges our own contract, with the service's own error body if it has one. */
export async function judgeOwn(): Promise<Judgement> {
  const module = join(root, 'src', 'error-body.ts');
  const errors = existsSync(module) ? ((await loadModule('error-body.ts')) as ErrorOptions) : {};
  return judgeContract(join(root, 'openapi.yaml'), { errorBody: errors.errorBody });
}

function isDocument(value: unknown): value is Document {
  return isObject(value) && 'openapi' in value && isObject(value.info) && isObject(value.paths);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

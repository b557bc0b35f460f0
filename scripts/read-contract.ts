/** Reads the contract for the scripts, without the checks that the server makes at its start. */
import { basename } from 'node:path';
import { readServed } from '../src/engine/contract/bundle';
import { type Contract, operationsOf } from '../src/engine/contract/operations';
import type { Document } from '../src/engine/contract/document';
import { ContractProblems } from '../src/engine/contract/source';

/** Throws ContractProblems where the file is no YAML, or no contract at all; the rest is left to the contract's lint. */
export function readContract(file: string): Contract {
  const { value: document, place } = readServed(file);
  if (!isDocument(document)) {
    throw new ContractProblems([`${basename(file)}:1:1 expected an OpenAPI document with openapi, info and paths`]);
  }
  return { document, operations: operationsOf(document), place };
}

function isDocument(value: unknown): value is Document {
  return isObject(value) && 'openapi' in value && isObject(value.info) && isObject(value.paths);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

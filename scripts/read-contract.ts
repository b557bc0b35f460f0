/** The contract as the scripts read it: without the checks that the server makes before it serves. */
import { type Contract, operationsOf, readYaml } from '../src/contract/contract';
import type { Document } from '../src/contract/openapi';

/** Throws ContractProblems where the file is no YAML; that it is OpenAPI, the contract's lint has said. */
export function readContract(file: string): Contract {
  const { value, place } = readYaml(file);
  const document = value as Document;
  return { document, operations: operationsOf(document), place };
}

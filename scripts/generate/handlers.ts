/**
 * `generated/handlers.ts`: for each operation a line that compiles when `src/operations.ts` has a handler for it. Of a whole
 * table the compiler would name the first few that are missing; of a line each, it names every one.
 */
import { readContract } from '../read-contract';

/** The TypeScript text; throws ContractProblems where the contract is no YAML. */
export function handlerProofs(contractFile: string): string {
  const proofs = readContract(contractFile)
    .operations.filter(({ id, method, path }) => id !== `${method} ${path}`)
    .map(({ id, method, path }) => `  /** ${method} ${path} */\n  Handled<${JSON.stringify(id)}, Table>,\n`);
  return `\
import type { Handled } from '../src/contract/handled';
import type { Table } from '../src/operations';

export type Handlers = [
${proofs.join('')}];
`;
}

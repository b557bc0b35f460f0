/**
 * Compares what the tests have seen answered with what the contract declares: every response and every error code of
 * `openapi.yaml` is produced by some test, and nothing else is.
 *
 *   tsx scripts/check/answers.ts FILE   one JSON object a line: method, path template, status, error
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract, ContractOperation } from '../../src/contract/operations';
import type { Path } from '../../src/contract/document';
import { readContract } from '../read-contract';
import { root } from '../run-command';

/** An answer as the log tells it; without a path, no operation of the contract was matched. */
interface Answered {
  method?: string;
  path?: string;
  status: number;
  error?: number;
}

/** A sentence for each difference. */
function answerProblems(contract: Contract, answered: readonly Answered[]): string[] {
  return [
    ...contract.operations.flatMap((operation) => responseProblems(contract, operation, answered)),
    ...codeProblems(contract, answered),
  ];
}

function responseProblems(contract: Contract, operation: ContractOperation, answered: readonly Answered[]): string[] {
  const { id, at, method, path, responses } = operation;
  const seen = new Set(answered.filter((each) => isOf(each, operation)).map(({ status }) => String(status)));
  const early = new Set(answered.filter(isEarly).map(({ status }) => String(status)));
  const declared = Object.keys(responses);
  return [
    ...declared
      .filter((key) => ![...seen, ...early].some((status) => matches(key, status)))
      .map((key) => `${contract.place([...at, 'responses', key])} ${id} declares ${key}, which no test produces`),
    ...[...seen]
      .filter((status) => !declared.some((key) => matches(key, status)))
      .map(
        (status) =>
          `${contract.place([...at, 'responses'])} ${id} (${method} ${path}) answered ${status}, which is not declared`,
      ),
  ];
}

function isOf({ method, path }: Answered, operation: ContractOperation): boolean {
  return method === operation.method && path === operation.path;
}

/** Answered before the operation was known, and so for all of them; 404 and 405 say that there is none. */
function isEarly({ path, status }: Answered): boolean {
  return path === undefined && status !== 404 && status !== 405;
}

function matches(key: string, status: string): boolean {
  return key === status || key === 'default' || key.toUpperCase() === `${status.slice(0, 1)}XX`;
}

function codeProblems(contract: Contract, answered: readonly Answered[]): string[] {
  const at: Path = ['components', 'schemas', 'ErrorCode'];
  const { enum: codes = [], 'x-enum-varnames': names = [] } = contract.document.components?.schemas?.ErrorCode ?? {};
  if (!Array.isArray(codes) || !Array.isArray(names))
    return [`${contract.place(at)} expected an enum of error codes with names`];
  const seen = new Set<unknown>(answered.map(({ error }) => error).filter((error) => error !== undefined));
  return [
    ...codes.flatMap((code, index) =>
      seen.has(code)
        ? []
        : `${contract.place([...at, 'enum', index])} error ${code} (${names[index]}) is declared, and no test produces it`,
    ),
    ...[...seen]
      .filter((code) => !codes.includes(code))
      .map((code) => `${contract.place([...at, 'enum'])} error ${String(code)} was answered, which is not declared`),
  ];
}

function readAnswered(file: string): Answered[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Answered);
  } catch (cause) {
    throw new Error(
      `${file} cannot be read: expected the tests to have written it (npm run check -- --only tests,answers)`,
      {
        cause,
      },
    );
  }
}

function main([file = '']: string[]): void {
  const problems = answerProblems(readContract(join(root, 'openapi.yaml')), readAnswered(join(root, file)));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

main(process.argv.slice(2));

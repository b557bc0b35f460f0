/**
 * Compares the answers in tests with the contract: some test has produced every declared response and error code that the server can answer
 * with, and none has produced another.
 *
 *   tsx scripts/check/answers.ts FILE   a JSON object a line: operation, status, error
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ErrorCode, exitWith } from '../../src/engine';
import type { Contract, ContractOperation, Path } from '../../src/engine/reading';
import { canBeAnswered } from '../../src/engine/tooling';
import { readContract } from '../../src/tools/project/read-contract';
import { root } from '../../src/tools/project/run-command';

/** An answer as the log has it; without an operation, none was matched. */
interface Answer {
  operation?: string;
  status: number;
  error?: number;
}

function responseProblems(contract: Contract, operation: ContractOperation, answers: readonly Answer[]): string[] {
  const { id, at, method, path, responses } = operation;
  const declared = Object.keys(responses);
  const own = statusesOf(answers.filter((each) => each.operation === id));
  // Answered before the operation was known, and so for every operation; 404 and 405 mean that there is none.
  const early = statusesOf(answers.filter((each) => each.operation === undefined && ![404, 405].includes(each.status)));
  const place = contract.place([...at, 'responses']);
  return [
    ...declared
      .filter((key) => ![...own, ...early].some((status) => matches(key, status)))
      .map((key) => `${contract.place([...at, 'responses', key])} ${id} declares ${key}, which no test produces`),
    ...own
      .filter((status) => !declared.some((key) => matches(key, status)))
      .map((status) => `${place} ${id} (${method} ${path}) answered ${status}, which is not declared`),
  ];
}

function statusesOf(answers: readonly Answer[]): string[] {
  return [...new Set(answers.map(({ status }) => String(status)))];
}

function matches(key: string, status: string): boolean {
  return key === status || key === 'default' || key.toUpperCase() === `${status.slice(0, 1)}XX`;
}

/** The problems of every schema that lists the server's error codes, whatever its name is. */
function codeProblems(contract: Contract, answers: readonly Answer[]): string[] {
  const seen = new Set<unknown>(answers.flatMap(({ error }) => error ?? []));
  return Object.entries(contract.document.components?.schemas ?? {}).flatMap(([schema, listing]) => {
    const { enum: codes, 'x-enum-varnames': names } = listing;
    if (!Array.isArray(codes) || !Array.isArray(names) || !names.some((name) => name in ErrorCode)) return [];
    const place = (...path: Path): string => contract.place(['components', 'schemas', schema, 'enum', ...path]);
    const unseen = codes.flatMap((code, index) =>
      seen.has(code) || !canBeAnswered(code, contract.operations)
        ? []
        : `${place(index)} error ${code} (${names[index]}) is declared, and no test produces it`,
    );
    const undeclared = [...seen].filter((code) => !codes.includes(code));
    return [
      ...unseen,
      ...undeclared.map((code) => `${place()} error ${String(code)} was answered, which is not declared`),
    ];
  });
}

function readAnswers(file: string): Answer[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Answer);
  } catch (cause) {
    const hint = 'the tests write it: npm run check -- --only tests,answers';
    throw new Error(`${file} cannot be read; ${hint}`, { cause });
  }
}

function main([file = '']: string[]): number {
  const contract = readContract(join(root, 'openapi.yaml'));
  const answers = readAnswers(join(root, file));
  const problems = [
    ...contract.operations.flatMap((operation) => responseProblems(contract, operation, answers)),
    ...codeProblems(contract, answers),
  ];
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

exitWith(() => main(process.argv.slice(2)));

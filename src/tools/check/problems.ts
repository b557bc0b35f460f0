/** The problems in the output of a program, as our commands, the compiler, ESLint and Jest write them. */
import { relative } from 'node:path';
import { root } from '../project/run-command';
import { placeIn, type Problem } from '../report/report';

/** Problems with a place, the first ones if there are many; empty if the output names none. */
export function problemsIn(output: string): Problem[] {
  const problems: Problem[] = [];
  let heading = '';
  for (const line of output.split('\n')) {
    const [, row, column, level, text] = STYLISH.exec(line) ?? [];
    const place = row === undefined ? placeIn(line) : { file: heading, line: Number(row), column: Number(column) };
    if (line.startsWith(root)) heading = relative(root, line.trim());
    else if (place && problems.length < PROBLEMS_MAX)
      problems.push({ level: level === 'warning' ? 'warning' : 'error', message: (text ?? line).trim(), place });
  }
  return problems;
}

const PROBLEMS_MAX = 50;
/** A line of ESLint below the name of a file: `  12:3  error  Unexpected any  rule`. */
const STYLISH = /^ {1,6}(\d+):(\d+) {1,6}(error|warning) {1,6}(\S.*)$/;

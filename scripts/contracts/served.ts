/**
 * Lists the contracts that the engine serves, if each operation has a handler, each security scheme a verifier, and errors are as `new`
 * guesses them. A contract of several files is bundled first, as by `npm run generate`.
 *
 *   npx tsx scripts/contracts/served.ts CONTRACT|FOLDER... [--all]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { exitWith, messageOf } from '../../src/engine';
import { sourcesOf } from '../../src/engine/reading';
import { guessedBody } from '../../src/tools/errors/shapes';
import { bundleText } from '../../src/tools/generate/bundle';
import { judgeContract, readContract } from '../../src/tools/project/read-contract';
import { printTable, type Row } from './table';

const scratch = mkdtempSync(join(tmpdir(), 'served-'));

function rowOf(file: string): Row {
  const started = process.cpuUsage();
  try {
    const served = sourcesOf(file).size > 1 ? join(scratch, basename(file)) : file;
    if (served !== file) writeFileSync(served, bundleText(file));
    const { document, operations } = readContract(served);
    const { refusals, warnings } = judgeContract(served, { errorsOf: guessedBody });
    const { user, system } = process.cpuUsage(started);
    const seconds = ((user + system) / 1e6).toFixed(1);
    const result = refusals.length === 0 ? 'served' : resultOf(refusals);
    return {
      cells: [document.openapi, operations.length, seconds, warnings.length, result],
      details: [...refusals.map((line) => `refused ${line}`), ...warnings.map((line) => `warning ${line}`)],
    };
  } catch (error) {
    return { cells: ['', 0, '', 0, resultOf([messageOf(error)])], details: [`refused ${messageOf(error)}`] };
  }
}

/** The result for a refused contract: the first problem without its place, and the number of problems. */
function resultOf([first = '', ...more]: readonly string[]): string {
  const text = first.replace(/^(?:the contract is not fit to be served:\n\s*)?(?:\S+:\d+:\d+ )?/, '');
  return `refused, ${1 + more.length}: ${text.slice(0, 120).replaceAll(/[|\n]/g, ' ')}`;
}

exitWith(async () => {
  process.once('exit', () => rmSync(scratch, { recursive: true }));
  const rows = await printTable(['version', 'operations', 'seconds of CPU', 'warnings', ''], rowOf);
  console.log(`\n${rows.filter(({ cells }) => cells.includes('served')).length} of ${rows.length} are served.`);
  return 0;
});

/**
 * express-openapi-validator's own middleware is the witness: it is asked what our server is asked, and every difference is of a
 * kind that the table in `src/engine/schema/README.md` judges. Most requests are those of the conformance suite.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../../../src/tools/conformance/contract';
import { checkConformance, runsFor } from '../../../src/tools/conformance/suite';
import { projectOf } from '../../../src/engine';
import { mockOf } from '../../tools/mock/mock-of';
import { type Compared, CONTRACTS, dropDefaults, withPlainAnswers } from './witness/contracts';
import { startFork } from './witness/fork';
import { type Difference, kindOf, outcome } from './witness/kinds';
import { startMiddleware } from './witness/middleware';

const SEED = 2;
const REQUESTS = 120; // for an operation, about
const SECRET = 'secret';

/** The rows of the table, one for each pair of outcomes: `kind | ours | the middleware's`. */
const page = readFileSync(join(projectOf(__dirname).folder, 'src/engine/schema/README.md'), 'utf8');
const rows = [...page.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (?:ours|the middleware|either) \| .+ \|$/gm)];
const judged = rows.flatMap(([, kind, ours = '', middleware = '']) =>
  ours.split(', ').flatMap((our) => middleware.split(', ').map((its) => `${kind} | ${our} | ${its}`)),
);
const seen = new Set<string>();

it.each(CONTRACTS)('$name ($chosenFor): the middleware differs only as the table says', async (contract) => {
  const differences = await compare(contract);
  const byRow = new Map(differences.map((each) => [rowOf(each), each]));
  for (const row of byRow.keys()) seen.add(row);
  expect([...byRow].filter(([row]) => !judged.includes(row)).map(([row, each]) => [row, shown(each)])).toEqual([]);
});

it('differs in all that the table says', () => {
  expect(judged.filter((row) => !seen.has(row))).toEqual([]);
});

function rowOf(difference: Difference): string {
  return [kindOf(difference), outcome(difference.ours), outcome(difference.middleware)].join(' | ');
}

/** A difference as a failing test prints it. */
function shown({ sent: { method, target, body }, ours, middleware }: Difference): object {
  return { sent: `${method} ${target} ${body}`.trim(), ours: ours.body, middleware: middleware.body };
}

/** Asks both servers the requests that conformance makes from the contract, and those beside them. */
async function compare({ file, only, beside = [] }: Compared): Promise<Difference[]> {
  const differences: Difference[] = [];
  let requests = 0;
  const document = withPlainAnswers(file);
  const start = () => mockOf(JSON.stringify(document), { token: SECRET });
  const ours = await start().catch((error: unknown) => {
    dropDefaults(document, error);
    return start();
  });
  const middleware = await startMiddleware(ours.file, document, SECRET);
  const fork = await startFork([Number(new URL(ours.baseUrl).port), middleware.port], (sent, one, other) => {
    requests++;
    if (outcome(one) !== outcome(other)) differences.push({ sent, ours: one, middleware: other });
  });
  const contract = readContract(ours.file);
  const keys = Object.fromEntries(
    Object.keys(document.components?.securitySchemes ?? {}).map((name) => [name, SECRET]),
  );
  const url = `http://127.0.0.1:${fork.port}${contract.basePath}`;
  const credentials = { token: SECRET, user: `tester:${SECRET}`, keys };
  const runs = { ...runsFor(REQUESTS), shrinks: 0 };
  const verdict = await checkConformance(contract, { url, credentials }, { seed: SEED, runs, write: true, only });
  for (const [target, body, mediaType = 'application/json'] of beside)
    await fetch(url + target, { method: 'POST', headers: { 'Content-Type': mediaType }, body });
  fork.close();
  middleware.close();
  await ours.close();
  expect(requests).toBe(verdict.requests + beside.length);
  return differences;
}

/** The changes between two contracts, as redocly finds them, and their impact on clients. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Contract,
  ContractProblems,
  type Document,
  lookUp,
  oneLine,
  type Path,
  pathOfPointer,
  pointerOf,
  problemLines,
  serverPath,
} from '../../engine/reading';
import { judgeDocument } from '../../engine/tooling';
import { runRedocly } from '../project/run-command';
import { writtenSteps } from './answers';
import { type Comparable, comparable, PARAMETERS } from './comparable';
import { type Found, isNewBranch, judge, OTHER_METHODS } from './impact';
import { writeOutImplied } from './implied';
import { Prover } from './proof';
import { requestsAt, takenPaths } from './taken-paths';
import { type Impact, IMPACTS } from './verdict';

export interface Change {
  impact: Impact;
  /** `POST /notes responses/409: removed` */
  text: string;
  /** `openapi.yaml:77:11`, in the revised contract, or in the base if it was removed. */
  place: string;
  /** For a break: a request or an answer that shows it. */
  proof?: string | undefined;
}

/** The parts of redocly's report that are used. */
interface Report {
  changes: Found[];
}

/** All changes from the base to the revised contract, except that of the version number; rejects if they cannot be compared. */
export async function changesBetween(base: Contract, revised: Contract): Promise<Change[]> {
  try {
    return await compare(base, revised);
  } catch (error) {
    // A contract that cannot be compared may be one that no server would serve.
    const problems = [revised, base].flatMap(({ document, place }) =>
      problemLines(judgeDocument(document).problems, place),
    );
    throw problems.length > 0 ? new ContractProblems(problems) : error;
  }
}

async function compare(...contracts: [base: Contract, revised: Contract]): Promise<Change[]> {
  const { base, revised, implied } = inOneForm(contracts);
  const changes = [...implied, ...(await diffOf(base, revised)).flatMap(asRemovedAndAdded)].filter(
    // That a parameter comes or goes is seen in its operation.
    ({ path, property }) => !(path === '#/info' && property === 'version') && !IS_PARAMETER.test(path),
  );
  const prover = new Prover(...contracts);
  const moved = movedServers(base, revised);
  const impactOf = judge(base, revised);
  const isWithin = ({ path }: Found, place: Path): boolean => path.startsWith(`#${pointerOf(place)}`);
  const impactOn = (found: Found): Impact =>
    moved.some((place) => isWithin(found, place)) ? 'major' : impactOf(found);
  const reordered = moved
    .filter((place) => !changes.some((found) => isWithin(found, place)))
    .map((place): Change => ({
      impact: 'major',
      text: `${subject(`#${pointerOf(place)}`)}: the first one has another path`,
      place: revised.place(place),
    }));
  const writtenAt = ({ base: from, revision: to }: Found): (Path | undefined)[] => [
    from && base.origin(pathOfPointer(from.pointer)),
    to && revised.origin(pathOfPointer(to.pointer)),
  ];
  // A shared part is compared at each place that refers to it: its most serious change is listed.
  const judged = new Map<string, { found: Found; impact: Impact }>();
  for (const found of changes) {
    const impact = impactOn(found);
    const key = JSON.stringify([writtenAt(found), found.kind, found.property]);
    const other = judged.get(key);
    if (!other || IMPACTS.indexOf(impact) < IMPACTS.indexOf(other.impact)) judged.set(key, { found, impact });
  }
  const listed = [...judged.values()].map(({ found, impact }): Change => {
    const mayBreak = impact === 'major' || isNewBranch(found);
    const proof = mayBreak ? prover.proofOf(pathOfPointer(found.path)) : undefined;
    return {
      impact: proof === undefined ? impact : 'major',
      proof,
      text: `${subject(found.path)}: ${found.verdicts.map(({ message }) => message).join(' ') || `${found.property ?? ''} ${found.kind}`.trim()}`,
      place: found.revision
        ? revised.place(pathOfPointer(found.revision.pointer))
        : base.place(pathOfPointer(found.base?.pointer ?? '#')),
    };
  });
  const all = [...reordered, ...(await takenRequests(...contracts)), ...listed];
  if (all.some(({ impact }) => impact === 'major')) return all;
  const changed = changes.flatMap((found) => writtenAt(found).flatMap((path) => (path ? [path] : [])));
  const overlaps = [...prover.overlapsIn(changed)].map(({ path, proof }): Change => ({
    impact: 'major',
    proof,
    text: `${subject(`#${pointerOf(path)}`)}: a value fits two branches`,
    place: contracts[1].place(path),
  }));
  return [...all, ...overlaps];
}

/** The breaks of new paths that take requests of earlier ones, and refuse some of them. */
async function takenRequests(base: Contract, revised: Contract): Promise<Change[]> {
  const all = [...takenPaths(base, revised)];
  const refused = all
    .filter(({ now }) => now === undefined)
    .map(({ operation: { method, path }, path: other }): Change => ({
      impact: 'major',
      proof: `the earlier contract takes this request, the new one refuses it:\n${oneLine(`${method} ${other}`)}`,
      text: `${method} ${path}: ${other} takes its requests, and has no ${method}`,
      place: revised.place(['paths', other]),
    }));
  const answered = all.flatMap(({ operation, path, now }) => (now ? { operation, path, now } : []));
  if (answered.length === 0) return refused;
  const changes = await compare(
    requestsAt(base, answered),
    requestsAt(
      revised,
      answered.map(({ path, now }) => ({ path, operation: now })),
    ),
  );
  const breaks = changes.filter(({ impact }) => impact === 'major');
  // Shared parts are listed by the comparison of the whole contracts.
  const stricter = answered.flatMap(({ operation: { method, path }, path: other }) =>
    breaks
      .filter(({ text }) => text.startsWith(`${method} ${other} `))
      .map((change) => ({ ...change, text: `${method} ${path}: ${other} takes its requests: ${change.text}` })),
  );
  return [...refused, ...stricter];
}

/** The contracts with what is implied, and the changes that are not seen there any more. */
function inOneForm([base, revised]: readonly [Contract, Contract]): Record<'base' | 'revised', Comparable> & {
  implied: Found[];
} {
  const both = { base: comparable(base), revised: comparable(revised) };
  const partsMax = PARTS_MAX + PARTS_FACTOR * (countParts(both.base.document) + countParts(both.revised.document));
  const implied = writeOutImplied(both.base, both.revised);
  const isTooMuch = [both.base, both.revised].some(({ document }) => countParts(document, partsMax) > partsMax);
  if (!isTooMuch) return { ...both, implied };
  // What references lead to has grown with each level, as it was written out.
  const plain = { base: comparable(base), revised: comparable(revised) };
  return { ...plain, implied: writeOutImplied(plain.base, plain.revised, false) };
}

/** The parts that two contracts may have more than they had, and as a multiple of those. */
const PARTS_MAX = 50_000;
const PARTS_FACTOR = 3;

/** The objects and lists of a document as JSON writes it, where what is in it twice is written twice; it ends beyond `most`. */
function countParts(document: object, most = Infinity): number {
  let count = 0;
  const waiting: object[] = [document];
  for (let part = waiting.pop(); part && count <= most; part = waiting.pop()) {
    count++;
    for (const each of Object.values(part) as unknown[])
      if (typeof each === 'object' && each !== null) waiting.push(each);
  }
  return count;
}

/** A property that redocly takes for a renamed one, and finds harmless, as one that is gone and one that is new. */
function asRemovedAndAdded(found: Found): Found[] {
  const { path, kind, property, verdicts, base: from, revision: to } = found;
  const isRenamed = kind === 'modified' && property === 'key' && pathOfPointer(path).at(-2) === 'properties';
  if (!isRenamed || verdicts.length > 0 || !from || !to) return [found];
  const earlierPath = `#${pointerOf([...pathOfPointer(path).slice(0, -1), ...pathOfPointer(from.pointer).slice(-1)])}`;
  return [
    { path: earlierPath, kind: 'removed', impact: 'patch', verdicts, base: from },
    { path, kind: 'added', impact: 'minor', verdicts, revision: to },
  ];
}

/** The lists of servers whose first one has another path now: redocly compares them as sets. */
function movedServers(base: Contract, revised: Contract): Path[] {
  const serversOf = ({ document }: Contract, at: Path): string | undefined => {
    const holder = lookUp(document, at) as Pick<Document, 'servers'> | undefined;
    return at.length === 0 || holder?.servers ? serverPath(holder ?? {}) : undefined;
  };
  return [[], ...revised.operations.map(({ at }) => at)].flatMap((at: Path) => {
    const [before, now] = [serversOf(base, at), serversOf(revised, at)];
    return before === undefined || now === undefined || before === now ? [] : [[...at, 'servers']];
  });
}

/** The rules by which redocly tells a break: not those of the project's redocly.yaml, which may be any for its lint. */
const RULES = 'extends: [diff-recommended]\n';
/** The sign before a warning of redocly's that it may have missed changes. */
const WARNING = '\u26a0';

/** Redocly's changes between the contracts as they are served, so that another spelling of the same contract is no change. */
async function diffOf(...contracts: Comparable[]): Promise<Found[]> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const documents = contracts.map(({ document }) => document);
    const doubles = doublesFor(documents);
    const files = documents.map((document, index) => {
      const file = join(folder, `${index}.json`);
      writeFileSync(
        file,
        JSON.stringify(document, (_key, value: unknown) => (typeof value === 'bigint' ? doubles.get(value) : value)),
      );
      return file;
    });
    const rules = join(folder, 'redocly.yaml');
    writeFileSync(rules, RULES);
    const args = ['diff', ...files, '--format', 'json', '--fail-on', 'none'];
    const { stdout, stderr, output } = await runRedocly(args, [folder], rules);
    if (!stdout.startsWith('{'))
      throw new Error(`redocly cannot compare the contracts:\n${output.replaceAll(/^ +at .*\n?/gm, '')}`);
    if (stderr.includes(WARNING)) throw new Error(`redocly has not compared all of the contracts:\n${stderr.trim()}`);
    const exact = [...doubles].reduce((text, [integer, double]) => text.replaceAll(`${double}`, `${integer}`), stdout);
    return (JSON.parse(exact) as Report).changes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The path of a parameter where its operation refers to it. */
const IS_PARAMETER = new RegExp(`^#/${PARAMETERS}(?:/[^/]*)?$`);

/** A double for each large integer, in their order: two that no double tells apart get neighbours, so that each change is seen. */
function doublesFor(documents: readonly unknown[]): ReadonlyMap<bigint, number> {
  const found = new Set(documents.flatMap(integersIn));
  const doubles = new Map<bigint, number>();
  let last = -Number.MAX_VALUE;
  for (const integer of [...found].sort((a, b) => (a < b ? -1 : 1))) {
    last = Math.max(Number(integer), last + Math.abs(last) * Number.EPSILON);
    doubles.set(integer, last);
  }
  return doubles;
}

function integersIn(value: unknown): bigint[] {
  if (typeof value === 'bigint') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(integersIn) : [];
}

/** `#/paths/~1notes/post/responses/409` as `POST /notes responses/409`. */
function subject(pointer: string): string {
  const [first, path, field, ...below] = pathOfPointer(pointer);
  const [method, ...rest] = field === OTHER_METHODS && below.length > 0 ? below : [field, ...below];
  if (first !== 'paths' || method === undefined)
    return pointerOf(writtenSteps(pathOfPointer(pointer).map(String))).slice(1);
  return [`${method.toUpperCase()} ${String(path)}`, writtenSteps(rest.map(String)).join('/')]
    .filter(Boolean)
    .join(' ');
}

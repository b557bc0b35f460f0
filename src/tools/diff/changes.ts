/** The changes between two contracts, as redocly finds them, and their impact on clients. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, ContractProblems, MAPS, pathOf, problemLines, serverPath } from '../../engine/reading';
import { judgeDocument } from '../../engine/tooling';
import { lintRules } from '../project/own-package';
import { runRedocly } from '../project/run-command';
import { comparable } from './comparable';
import { prover } from './proof';
import type { Impact } from './verdict';

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

interface Found {
  path: string;
  kind: string;
  impact: Impact;
  property?: string;
  verdicts: { ruleId: string; message: string }[];
  base?: { pointer: string };
  revision?: { pointer: string; value: unknown };
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

async function compare(base: Contract, revised: Contract): Promise<Change[]> {
  const { changes } = await diffOf(base, revised);
  const prove = prover(base, revised);
  const isMoved = serverPath(base.document) !== serverPath(revised.document);
  const impactOn = (found: Found): Impact =>
    isMoved && found.path.startsWith('#/servers') ? 'major' : impactOf(found);
  return changes
    .filter(({ path, property }) => !(path === '#/info' && property === 'version'))
    .map((found) => ({
      impact: impactOn(found),
      proof: impactOn(found) === 'major' ? prove(pathOf(found.path)) : undefined,
      text: `${subject(found.path)}: ${found.verdicts.map(({ message }) => message).join(' ') || `${found.property ?? ''} ${found.kind}`.trim()}`,
      place: found.revision
        ? revised.place(pathOf(found.revision.pointer))
        : base.place(pathOf(found.base?.pointer ?? '#')),
    }));
}

/** Redocly's report on the contracts as they are served, so that another spelling of the same contract is no change. */
async function diffOf(...contracts: Contract[]): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const documents = contracts.map(({ document }) => comparable(document));
    const doubles = doublesFor(documents);
    const files = documents.map((document, index) => {
      const file = join(folder, `${index}.json`);
      writeFileSync(
        file,
        JSON.stringify(document, (_key, value: unknown) => (typeof value === 'bigint' ? doubles.get(value) : value)),
      );
      return file;
    });
    const args = ['diff', ...files, '--format', 'json', '--fail-on', 'none'];
    const { stdout, output } = await runRedocly(args, [folder], lintRules());
    if (!stdout.startsWith('{'))
      throw new Error(`redocly cannot compare the contracts:\n${output.replaceAll(/^ +at .*\n?/gm, '')}`);
    const exact = [...doubles].reduce((text, [integer, double]) => text.replaceAll(`${double}`, `${integer}`), stdout);
    return JSON.parse(exact) as Report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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

function impactOf(found: Found): Impact {
  if (isOfOtherMethods(found)) return found.kind === 'added' ? 'minor' : 'major';
  if (BREAKS.some((breaks) => breaks(found))) return 'major';
  return isNewErrorCode(found) ? 'minor' : found.impact;
}

/** True for operations that come or go among those of methods of the author's own, of which redocly has no rule. */
function isOfOtherMethods({ path, kind }: Found): boolean {
  const [paths, , field, ...rest] = pathOf(path);
  return paths === 'paths' && field === OTHER_METHODS && rest.length < 2 && kind !== 'modified';
}

const OTHER_METHODS = 'additionalOperations';

/** True if a credential is no longer required, which redocly reports as an addition, or without a verdict. */
function isOpened({ path, kind, revision }: Found): boolean {
  if (path.endsWith('/security')) return true;
  return /\/security\/\d+$/.test(path) && (kind !== 'added' || JSON.stringify(revision?.value) === '{}');
}

/** True if an answer may lack a header that it always had, or writes its value in another way. */
function isOtherHeader({ path, property, revision }: Found): boolean {
  const isHeader = pathOf(path).at(-2) === 'headers';
  return isHeader && (property === 'explode' || (property === 'required' && revision?.value !== true));
}

/** True for a body that requests now need, or may need if it is in `components`. */
function isBodyRequired({ path, kind, revision }: Found): boolean {
  const { required, $ref } = (revision?.value ?? {}) as { required?: unknown; $ref?: unknown };
  return kind === 'added' && path.endsWith('/requestBody') && (required === true || $ref !== undefined);
}

/** True if a request without the parameter now means something else. */
function isOtherDefault({ path, property }: Found): boolean {
  return property === 'default' && pathOf(path).includes('parameters');
}

/** Keywords that redocly has no rule for. */
const UNJUDGED: ReadonlySet<unknown> = new Set([
  ...['not', 'if', 'dependentRequired', 'minContains', 'maxContains', 'patternProperties', 'discriminator'],
  ...['encoding', 'prefixEncoding', 'itemEncoding', 'readOnly', 'writeOnly', 'xml'],
]);
/** Keywords that say nothing of what is valid. */
const HARMLESS: ReadonlySet<unknown> = new Set([
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  '$comment',
]);
/** Keywords of which the members have names of the author's own. */
const NAMING: ReadonlySet<unknown> = new Set([...MAPS, 'dependentRequired', 'paths']);

/** True for a change below a keyword without a rule, which may break clients. A discriminator that is new changes nothing that is valid. */
function isUnjudged({ path, kind, property, verdicts }: Found): boolean {
  const steps = [...pathOf(path), ...(property === undefined ? [] : [property])];
  const isHarmless = HARMLESS.has(steps.at(-1)) && !NAMING.has(steps.at(-2));
  if (verdicts.length > 0 || isHarmless || (kind === 'added' && steps.at(-1) === 'discriminator')) return false;
  return steps.some((step, index) => UNJUDGED.has(step) && !NAMING.has(steps[index - 1]));
}

/** The changes that break clients, though redocly calls them additions, or has no verdict. */
const BREAKS = [isOpened, isOtherHeader, isBodyRequired, isOtherDefault, isUnjudged];

/** True for another value in the codes of errors, whose list is open: in other answers it would break clients. */
function isNewErrorCode({ path, verdicts }: Found): boolean {
  const [paths, , , responses, status] = pathOf(path);
  const isError = paths === 'paths' && responses === 'responses' && /^(?:[45]|default)/.test(String(status));
  return isError && verdicts.length > 0 && verdicts.every(({ ruleId }) => ruleId === 'enum-values-added');
}

/** `#/paths/~1notes/post/responses/409` as `POST /notes responses/409`. */
function subject(pointer: string): string {
  const [first, path, field, ...below] = pathOf(pointer);
  const [method, ...rest] = field === OTHER_METHODS && below.length > 0 ? below : [field, ...below];
  if (first !== 'paths' || method === undefined) return pointer.replace(/^#\//, '');
  return [`${String(method).toUpperCase()} ${String(path)}`, rest.join('/')].filter(Boolean).join(' ');
}

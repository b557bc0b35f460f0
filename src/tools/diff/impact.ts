/** The impact of a change on clients: redocly's verdict, and the breaks that it takes for additions, or has no rule for. */
import { type Contract, lookUp, MAPS, pathOf } from '../../engine/reading';
import { usesOf } from './uses';
import type { Impact } from './verdict';

/** A change in redocly's report. */
export interface Found {
  path: string;
  kind: string;
  impact: Impact;
  property?: string;
  verdicts: { ruleId: string; message: string }[];
  base?: { pointer: string; value?: unknown };
  revision?: { pointer: string; value?: unknown };
}

/** Judges changes by the uses of what they are in: redocly names one place of a schema that several share. */
export function judge(base: Contract, revised: Contract): (found: Found) => Impact {
  const [before, now] = [usesOf(base), usesOf(revised)];
  const isWithin = (parts: ReadonlySet<unknown>, { document }: Contract, pointer: string | undefined): boolean => {
    const path = pathOf(pointer ?? '#');
    return parts.has(lookUp(document, path)) || parts.has(lookUp(document, path.slice(0, -1)));
  };
  const isIn = (use: keyof typeof now, found: Found): boolean =>
    isWithin(now[use], revised, found.revision?.pointer) || isWithin(before[use], base, found.base?.pointer);
  return (found) => {
    if (isOfOtherMethods(found)) return found.kind === 'added' ? 'minor' : 'major';
    if (BREAKS.some((breaks) => breaks(found))) return 'major';
    if (found.property === 'default' && isIn('inRequests', found)) return 'major';
    return isNewErrorCode(found) && !isIn('inAnswers', found) ? 'minor' : found.impact;
  };
}

/** True for operations that come or go among those of methods of the author's own, of which redocly has no rule. */
function isOfOtherMethods({ path, kind }: Found): boolean {
  const [paths, , field, ...rest] = pathOf(path);
  return paths === 'paths' && field === OTHER_METHODS && rest.length < 2 && kind !== 'modified';
}

export const OTHER_METHODS = 'additionalOperations';

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

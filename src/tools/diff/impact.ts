/** The impact of a change on clients: redocly's verdict, and the breaks that it takes for additions, or has no rule for. */
import {
  applicableSchemas,
  canRead,
  type Contract,
  type Document,
  isFile,
  isForm,
  isInt64,
  isSchema,
  lookUp,
  MAPS,
  type Path,
  pathOfPointer,
  placedSchemas,
  reachableSchemas,
  type Schema,
  typesOf,
} from '../../engine/reading';
import { isExtension } from './answers';
import { PARAMETERS } from './comparable';
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
    const path = pathOfPointer(pointer ?? '#');
    return parts.has(lookUp(document, path)) || parts.has(lookUp(document, path.slice(0, -1)));
  };
  const isAround = (parts: ReadonlySet<unknown>, { document }: Contract, pointer: string | undefined): boolean =>
    parts.has(lookUp(document, pathOfPointer(pointer ?? '#').slice(0, -1)));
  const closed = closedIn(base.document, (rest) => rest !== undefined && rest !== true);
  const refusing = closedIn(revised.document, (rest) => rest === false);
  const typed = closedIn(revised.document, isSchema);
  const bytes = bytesIn(base);
  const [turnedBefore, turned] = [turnedIn(base.document), turnedIn(revised.document)];
  const isIn = (use: keyof typeof now, found: Found): boolean =>
    isWithin(now[use], revised, found.revision?.pointer) || isWithin(before[use], base, found.base?.pointer);
  return (found) => {
    // OpenAPI 3.1, Security Scheme Object: a hint for documentation.
    if (found.property === 'bearerFormat') return 'patch';
    if (isOfOtherMethods(found)) return found.kind === 'added' ? 'minor' : 'major';
    if (isNewName(found)) return isIn('inAnswers', found) ? 'major' : 'minor';
    if (isOfXml(found) && !isIn('inOthers', found)) return 'patch';
    if (isExtension(found)) return 'patch';
    // It is about requests: answers have the property either way.
    const isAnswered = isIn('inAnswers', found) || isIn('inErrors', found);
    const isSent = isIn('inRequests', found) || isIn('inSendings', found);
    if (found.property === 'readOnly' && isAnswered && !isSent) return 'patch';
    if (BREAKS.some((breaks) => breaks(found))) return 'major';
    const isTurned = isNot(found)
      ? isAround(turned, revised, found.revision?.pointer) || isAround(turnedBefore, base, found.base?.pointer)
      : isWithin(turned, revised, found.revision?.pointer) || isWithin(turnedBefore, base, found.base?.pointer);
    if (isTurned && !isHarmless(found)) return 'major';
    if (found.property === 'default' && isIn('inRequests', found)) return 'major';
    if (isContentSchema(found) && isIn(found.kind === 'added' ? 'inRequests' : 'inAnswers', found)) return 'major';
    if (isRounded(...schemasOn(base, revised, found), found) && isIn('inRequests', found)) return 'major';
    if (isNoFile(...schemasOn(base, revised, found), found) && isWithin(bytes, base, found.base?.pointer))
      return 'major';
    if (isRemovedProperty(found) && isIn('inAnswers', found)) return 'major';
    if (isUndescribed(found, closed, base.document) && isIn('inRequests', found)) return 'major';
    if (isDescribed(found, typed, revised.document)) return 'major';
    if (isOpen(found, refusing, revised.document) && isIn('inAnswers', found)) return 'major';
    return isNewErrorCode(found) && !isIn('inAnswers', found) ? 'minor' : found.impact;
  };
}

/** True for operations that come or go among those of methods of the author's own, of which redocly has no rule. */
function isOfOtherMethods({ path, kind }: Found): boolean {
  const [paths, , field, ...rest] = pathOfPointer(path);
  return paths === 'paths' && field === OTHER_METHODS && rest.length < 2 && kind !== 'modified';
}

export const OTHER_METHODS = 'additionalOperations';

/** True if a credential is no longer required, which redocly reports as an addition, or without a verdict. */
function isOpened({ path, kind, revision }: Found): boolean {
  const [paths, , ...steps] = pathOfPointer(path);
  const [field, ...rest] = steps.slice(steps[0] === OTHER_METHODS ? 2 : 1);
  if (paths !== 'paths' || field !== 'security' || rest.length > 1) return false;
  // Redocly judges the scopes of a credential.
  if (kind === 'modified') return !Array.isArray(revision?.value);
  return kind !== 'added' || JSON.stringify(revision?.value) === '{}';
}

/** True if an answer may lack a header that it always had, or needs one if clients are to send it, or writes its value in another way. */
function isOtherHeader({ path, kind, property, revision }: Found): boolean {
  const steps = pathOfPointer(path);
  if (property === 'explode') return steps.at(-2) === 'headers';
  const isSent = isSentByServer(steps);
  if (property === 'required') return steps.at(-2) === 'headers' && (revision?.value === true) === isSent;
  if (kind !== 'added' || !isSent) return false;
  const added = steps.at(-1) === 'headers' ? Object.values(revision?.value ?? {}) : [revision?.value];
  return steps.slice(-2).includes('headers') && added.some((each) => lookUp(each, ['required']) === true);
}

/** True for a body that requests now need. */
function isBodyRequired({ path, kind, revision }: Found): boolean {
  return kind === 'added' && path.endsWith('/requestBody') && lookUp(revision?.value, ['required']) === true;
}

/** True if requests now have a schema, answers have none any more, or a parameter or header has its schema elsewhere. */
function isOtherContent({ path, kind, base, revision }: Found): boolean {
  const steps = pathOfPointer(path);
  const [holder, , last] = steps.slice(-3);
  if (!HOLDERS.has(holder) || steps.slice(0, -1).some((step) => SCHEMA.has(step))) return false;
  if (last === 'content') return holder !== last && kind === 'added';
  const isOfRequest = steps.includes('requestBody') || steps.includes('parameters');
  const isRead = isOfRequest === isSentByServer(steps);
  const [breaking, value] = isRead ? ['removed', base?.value] : ['added', revision?.value];
  return SCHEMA.has(last) && kind === breaking && JSON.stringify(value) !== '{}';
}

/** True within requests of the server to clients. */
function isSentByServer(steps: Path): boolean {
  return steps[0] === 'webhooks' || (steps[0] === 'paths' && steps.slice(3, 5).includes('callbacks'));
}

const HOLDERS: ReadonlySet<unknown> = new Set(['content', 'parameters', 'headers']);
const SCHEMA: ReadonlySet<unknown> = new Set(['schema', 'itemSchema']);

/** True for other servers of an operation or a path, or another value of a server's variable. */
function isOtherServer({ path, kind, property, base, revision }: Found): boolean {
  const steps = pathOfPointer(path);
  if (steps[0] === 'paths' && steps.at(-1) === 'servers') return true;
  if (steps.at(-4) !== 'servers' || steps.at(-2) !== 'variables' || kind !== 'modified') return false;
  if (property !== 'enum' || !Array.isArray(base?.value)) return property === 'default' || property === 'enum';
  const allowed: unknown = revision?.value;
  return Array.isArray(allowed) && base.value.some((each) => !allowed.includes(each));
}

/** True if tokens come from another address, or in another way. */
function isOtherFlow({ path, kind, property, base }: Found): boolean {
  const [components, schemes, , flows] = pathOfPointer(path);
  const isFlow = components === 'components' && schemes === 'securitySchemes' && flows === 'flows';
  return (
    isFlow &&
    (kind === 'removed' || (kind === 'modified' && property?.endsWith('Url') === true && base?.value !== undefined))
  );
}

/**
 * True if a callback is sent to another address, or a webhook has another name, or if one of them may leave out what it sends, has another
 * name for it, may send another media type, or needs an answer with a body.
 */
function isOtherSending({ path, kind, property, revision }: Found): boolean {
  const steps = pathOfPointer(path);
  if (!isSentByServer(steps)) return false;
  if (property === 'key' && (steps.at(-3) === 'callbacks' || steps.length === 2)) return true;
  if (kind === 'added' && steps.at(-1) === 'content') return steps.at(-3) === 'responses';
  if (kind === 'added') return steps.at(-2) === 'content' && steps.at(-3) === 'requestBody';
  if (steps.at(-2) === 'parameters' && (property === 'name' || property === 'in')) return true;
  if (kind === 'removed' && steps.at(-1) === 'parameters') return true;
  const isSent = steps.at(-1) === 'requestBody' || steps.at(-2) === 'parameters';
  return isSent && (kind === 'removed' || (property === 'required' && revision?.value !== true));
}

/** Keywords that redocly has no rule for. */
const UNJUDGED: ReadonlySet<unknown> = new Set([
  ...['dependentRequired', 'minContains', 'maxContains', 'patternProperties', 'discriminator'],
  ...['encoding', 'prefixEncoding', 'itemEncoding', 'readOnly', 'writeOnly', 'xml'],
  ...['contentEncoding', 'prefixItems'],
]);
/** Keywords that say nothing of what is valid. */
export const HARMLESS: ReadonlySet<unknown> = new Set([
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  '$comment',
]);
/** Keywords of which the members have names of the author's own. */
const NAMING: ReadonlySet<unknown> = new Set([...MAPS, 'dependentRequired', 'paths']);

/** The place of a change, with its keyword. */
function stepsOf({ path, property }: Found): Path {
  return [...pathOfPointer(path), ...(property === undefined ? [] : [property])];
}

/** True for a change of what says nothing of what is valid. */
function isHarmless(found: Found): boolean {
  const steps = stepsOf(found);
  return HARMLESS.has(steps.at(-1)) && !NAMING.has(steps.at(-2));
}

/** The schemas of a contract, those of parameters included. */
function schemasOf(document: Document): Schema[] {
  const parameters: unknown = Reflect.get(document, PARAMETERS);
  return [document, { components: { parameters } }].flatMap((each) =>
    [...placedSchemas(each)].map(([schema]) => schema),
  );
}

/** The schemas that are conditions: what takes more within them may be refused for it, wherever else they are used. */
function turnedIn(document: Document): ReadonlySet<unknown> {
  const conditions = schemasOf(document).flatMap((schema) => [
    ...[schema.not, schema.if],
    ...(schema.maxContains === undefined ? [] : [schema.contains]),
  ]);
  return new Set(conditions.flatMap((each) => [...reachableSchemas(document, each)]));
}

/** True for a change below a keyword without a rule, which may break clients. A discriminator that is new changes nothing that is valid. */
function isUnjudged(found: Found): boolean {
  const { kind, verdicts } = found;
  const steps = stepsOf(found);
  if (verdicts.length > 0 || isHarmless(found) || (kind === 'added' && steps.at(-1) === 'discriminator')) return false;
  return steps.some((step, index) => UNJUDGED.has(step) && !NAMING.has(steps[index - 1]));
}

/** True for a `not` that came or went, which says less or more of the schema around it. */
function isNot({ path, kind }: Found): boolean {
  const [holder, last] = pathOfPointer(path).slice(-2);
  return kind !== 'modified' && last === 'not' && !NAMING.has(holder);
}

/** True for a change of how a schema is written as XML. */
function isOfXml(found: Found): boolean {
  const [holder, parent, last] = stepsOf(found).slice(-3);
  return (last === 'xml' && !NAMING.has(parent)) || (parent === 'xml' && !NAMING.has(holder));
}

/** The changes that break clients, though redocly calls them additions, or has no verdict. */
const BREAKS = [
  isOpened,
  isOtherHeader,
  isBodyRequired,
  isOtherContent,
  isOtherServer,
  isOtherFlow,
  isOtherSending,
  isUnjudged,
];

/** True for one more value that names a branch of a discriminator, or a schema below: in answers it is another value of the property. */
function isNewName({ path, kind, base, revision }: Found): boolean {
  const isNew = kind === 'added' || (base?.value === undefined && revision?.value !== undefined); // of a schema without branches
  return isNew && path.endsWith('/discriminator/mapping');
}

/** True for one more branch of a `oneOf`: a value that fitted one branch alone may now fit two, which a proof shows. */
export const isNewBranch = ({ path, kind }: Found): boolean =>
  kind === 'added' && pathOfPointer(path).at(-2) === 'oneOf';

/** True for a schema of the content of a text that came or went, of which redocly has no rule. */
function isContentSchema({ path, kind, base, revision }: Found): boolean {
  const [holder, last] = pathOfPointer(path).slice(-2);
  if (last !== 'contentSchema' || NAMING.has(holder) || kind === 'modified') return false;
  return JSON.stringify((revision ?? base)?.value) !== '{}';
}

/** The schemas of both contracts in which a keyword has changed; that of a keyword which is gone or new is at the pointer itself. */
function schemasOn(before: Contract, now: Contract, { base, revision }: Found): [earlier: Schema, later: Schema] {
  const schemaIn = ({ document }: Contract, { pointer, value }: NonNullable<Found['base']>): Schema => {
    const path = pathOfPointer(pointer);
    const schema = lookUp(document, value === undefined ? path : path.slice(0, -1));
    return isSchema(schema) ? schema : {};
  };
  return [schemaIn(before, base ?? { pointer: '#' }), schemaIn(now, revision ?? { pointer: '#' })];
}

/** True if integers had all 64 bits, and have those that a double holds now: larger ones are refused, unless both bounds refuse them anyway. */
function isRounded(earlier: Schema, later: Schema, { property = '' }: Found): boolean {
  if (!RANGE.has(property) || !isInt64([earlier]) || isInt64([later])) return false;
  const types = typesOf([later]);
  const { minimum, exclusiveMinimum = minimum, maximum, exclusiveMaximum = maximum } = later;
  const isBounded = exclusiveMinimum !== undefined && exclusiveMaximum !== undefined;
  return types.has('integer') && !types.has('number') && !isBounded;
}

/** Keywords that decide on the range of integers. */
const RANGE: ReadonlySet<string> = new Set(['format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);

/** True if bytes of any kind were taken, and text is now. */
function isNoFile(earlier: Schema, later: Schema, { property }: Found): boolean {
  return (property === 'format' || property === 'contentMediaType') && isFile(earlier) && !isFile(later);
}

/** The schemas of what is read as bytes if it is a file: fields of forms, their items, and bodies that are not read. */
function bytesIn({ document, operations }: Contract): ReadonlySet<unknown> {
  const applying = (schemas: readonly unknown[]): Schema[] =>
    schemas.flatMap((schema) => [...applicableSchemas(document, schema)]);
  const bodies = operations.flatMap(({ requestBody }) => Object.entries(requestBody?.content ?? {}));
  const found = bodies.flatMap(([mediaType, { schema }]) => {
    const whole = applying([schema]);
    if (!isForm(mediaType)) return canRead(mediaType) ? [] : whole;
    const fields = applying(
      whole.flatMap(({ properties, additionalProperties }) => [
        ...Object.values(properties ?? {}),
        additionalProperties,
      ]),
    );
    return [...fields, ...applying(fields.map(({ items }) => items))];
  });
  return new Set(found);
}

/** True for a property that is gone, also where additional ones are held to a schema. */
function isRemovedProperty({ path, kind, base }: Found): boolean {
  return (
    kind === 'removed' && pathOfPointer(path).at(-2) === 'properties' && lookUp(base?.value, ['writeOnly']) !== true
  );
}

/** The schemas that describe members of a value whose others are held to a schema, by `unevaluatedProperties` or `unevaluatedItems`. */
function closedIn(document: Document, isClosed: (rest: unknown) => boolean): ReadonlySet<unknown> {
  const holders = schemasOf(document).filter(
    ({ unevaluatedItems, unevaluatedProperties }) => isClosed(unevaluatedItems) || isClosed(unevaluatedProperties),
  );
  return new Set(holders.flatMap((holder) => [...applicableSchemas(document, holder)]));
}

/** True if members that such a schema described are held to the `unevaluated…` keyword now. */
function isUndescribed(
  { kind, property, base, revision }: Found,
  closed: ReadonlySet<unknown>,
  document: Document,
): boolean {
  const isGone = kind === 'removed' || (property === 'additionalProperties' && revision?.value === undefined);
  const path = pathOfPointer(base?.pointer ?? '#');
  return isGone && [1, 2].some((steps) => closed.has(lookUp(document, path.slice(0, -steps))));
}

/** True if a property is described that such a schema held to the type of all others. */
function isDescribed({ kind, revision }: Found, typed: ReadonlySet<unknown>, document: Document): boolean {
  const path = pathOfPointer(revision?.pointer ?? '#');
  return kind === 'added' && path.at(-2) === 'properties' && typed.has(lookUp(document, path.slice(0, -2)));
}

/** True if a value whose other properties were refused may have them. */
function isOpen({ base, revision }: Found, closed: ReadonlySet<unknown>, document: Document): boolean {
  const path = pathOfPointer(revision?.pointer ?? '#');
  const isNew = path.at(-1) === 'additionalProperties' && base?.value === undefined && revision?.value !== false;
  return isNew && closed.has(lookUp(document, path.slice(0, -1)));
}

/** True for another value in the codes of errors, whose list is open: in other answers it would break clients. */
function isNewErrorCode({ path, verdicts }: Found): boolean {
  const [paths, , , responses, status] = pathOfPointer(path);
  const isError = paths === 'paths' && responses === 'responses' && /^(?:[45]|default)/.test(String(status));
  return isError && verdicts.length > 0 && verdicts.every(({ ruleId }) => ruleId === 'enum-values-added');
}

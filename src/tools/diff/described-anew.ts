/** Members that came or went beside a general description of such members, by which their values were, or are now, described. */
import { stringifyJson } from '../../engine';
import {
  applicableSchemas,
  compilePattern,
  type Document,
  isSchema,
  isWithin,
  lookUp,
  MAPS,
  type Path,
  pathOf,
  placedSchemas,
} from '../../engine/reading';
import { type Found, HARMLESS } from './found';

/**
 * A function that tells whether what clients send or read there has another description now: a property beside `additionalProperties` with a
 * schema, a media type of a range, or a status of a range of statuses.
 */
export function describedAnew(base: Document, revised: Document): (found: Found) => boolean {
  const [before, now] = [base, revised].map((document) => ({ document, unevaluated: unevaluatedIn(document) }));
  return ({ kind, base: from, revision: to }) => {
    const [own, other] = kind === 'added' ? [now, before] : [before, now];
    const path = pathOf((kind === 'added' ? to : from)?.pointer ?? '#');
    if (kind === 'modified' || !own || !other || lookUp(other.document, path.slice(0, -1)) === undefined) return false;
    const described = essenceOf(lookUp(own.document, path));
    return generalFor(path, other).some((general) => essenceOf(general) !== described);
  };
}

interface Side {
  document: Document;
  unevaluated: ReadonlyMap<unknown, unknown[]>;
}

/** The general descriptions of a member that has none of its own. */
function generalFor(path: Path, { document, unevaluated }: Side): unknown[] {
  const [name, kind] = [String(path.at(-1)), path.at(-2)];
  const members = Object.entries(lookUp(document, path.slice(0, -1)) ?? {}) as [string, unknown][];
  const ofKeys = (isGeneral: (key: string) => boolean): unknown[] =>
    members.filter(([key]) => key !== name && isGeneral(key)).map(([, general]) => general);
  if (kind === 'content') return ofKeys((key) => key.includes('*') && isWithin(name, key)).slice(0, 1);
  if (kind === 'responses') return ofKeys((key) => /^[123]/.test(name) && key === `${name[0]}XX`);
  const schema = lookUp(document, path.slice(0, -2));
  if (kind !== 'properties' || !isSchema(schema)) return [];
  const { additionalProperties, patternProperties = {} } = schema;
  const matching = Object.entries(patternProperties).filter(([pattern]) => compilePattern(pattern).test(name));
  const others = matching.length > 0 ? matching.map(([, general]) => general) : [additionalProperties];
  return [...others, ...(unevaluated.get(schema) ?? [])].filter(
    (general) => isSchema(general) && essenceOf(general) !== '{}',
  );
}

/** The schemas of `unevaluatedProperties`, by the schemas that describe the same value. */
function unevaluatedIn(document: Document): ReadonlyMap<unknown, unknown[]> {
  const found = new Map<unknown, unknown[]>();
  for (const [holder] of placedSchemas(document)) {
    if (!isSchema(holder.unevaluatedProperties)) continue;
    for (const schema of applicableSchemas(document, holder))
      found.set(schema, [...(found.get(schema) ?? []), holder.unevaluatedProperties]);
  }
  return found;
}

/** A description as text, without what says nothing of values. */
function essenceOf(part: unknown): string {
  return stringifyJson(withoutHarmless(part));
}

function withoutHarmless(part: unknown, isMap = false): unknown {
  if (Array.isArray(part)) return part.map((each: unknown) => withoutHarmless(each));
  if (!isSchema(part)) return part;
  const kept = Object.entries(part).filter(([key]) => isMap || !HARMLESS.has(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutHarmless(member, !isMap && MAPS.has(key))]));
}

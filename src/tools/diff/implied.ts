/**
 * What one contract implies by a more general part is written out where the other has a part of its own: a status for its range, a media
 * type for its range, a property for the additional ones. Redocly takes the specific part for an addition, and does not compare it. An
 * `allOf` is written as the one schema that the other contract may have. The names of branches and of XML's root elements, which may be
 * those of schemas, are compared here.
 */
import {
  conjoinedSchemas,
  type Document,
  isSchema,
  lookUp,
  MAPS,
  mostSpecific,
  type Path,
  pathOf,
  pointerOf,
  type Schema,
} from '../../engine/reading';
import { expressionOf } from '../../engine/tooling';
import { Joiner, writeAsOne } from './all-of';
import { changedNames } from './branches';
import { Meanings, samePairs, writeAsChoice } from './pairs';
import type { Comparable } from './comparable';
import type { Found } from './impact';
import { templateOf } from './plain';
import { otherRoots } from './xml-roots';
import { isError } from './answers';

/** A part of a contract, with references followed, and its path. */
interface Placed {
  part: unknown;
  path: Path;
}

/** Parts of both contracts, and the path at which changes are told. */
interface Pair {
  before: Placed;
  now: Placed;
  at: Path;
  isMap: boolean;
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The part that stands in for a member which the map of an object lacks; undefined if none does. */
type StandIn = (holder: Schema, members: Schema, name: string, member: unknown) => unknown;

/** The maps whose members have stand-ins; those of responses and media types in the earlier contract alone: one that is gone is a break. */
const STAND_INS: ReadonlyMap<string, StandIn> = new Map<string, StandIn>([
  ['responses', (_holder, members, name) => ofStatus(members, name)],
  ['content', (_holder, members, name) => members[mostSpecific(name, Object.keys(members)) ?? '']],
  [
    'properties',
    (holder, _members, name, member) =>
      ofProperty(holder, name) ?? (refusesAll(member) || isRequired(holder, name) ? {} : undefined),
  ],
  ['dependentSchemas', () => ({})],
]);
const FOR_BOTH: ReadonlySet<string> = new Set(['properties', 'dependentSchemas']);

/**
 * Writes out what is implied, in place, and what references lead to, unless `writesReferences` is false; returns what redocly then takes for no
 * change: members that came or went.
 */
export function writeOutImplied(base: Comparable, revised: Comparable, writesReferences = true): Found[] {
  const changes: Found[] = [];
  const written = new WeakSet();
  const compared: unknown[] = [];
  const [ofBase, ofRevised] = [new Joiner(base, writesReferences), new Joiner(revised, writesReferences)];
  let isComplete = false;
  let meanings = new Meanings();
  let lists: [earlier: unknown[], later: unknown[]][] = [];

  /** Writes into `target` what stands in for the members that only `source` has; returns their names, without those written out before. */
  const writeOut = (target: Schema, source: Schema, key: string, standIn: StandIn): string[] => {
    const [own = {}, members] = [target[key], source[key]];
    if (!isSchema(own) || !isSchema(members)) return [];
    const missing = Object.entries(members).flatMap(([name, member]) => {
      const found = Object.hasOwn(own, name) ? undefined : standIn(target, own, name, member);
      return isSchema(found) ? [{ name, member, copy: { ...found } }] : [];
    });
    if (missing.length === 0) return [];
    isComplete = false;
    for (const { copy } of missing) written.add(copy);
    // A spread, because a name may be `__proto__`.
    target[key] = { ...own, ...Object.fromEntries(missing.map(({ name, copy }) => [name, copy])) };
    return missing.flatMap(({ name, member }) => (written.has(member as object) ? [] : [name]));
  };

  const join = (before: Placed, now: Placed): void => {
    if (!isSchema(before.part) || !isSchema(now.part)) return;
    if (writeAsOne([ofBase, before.part, before.path], [ofRevised, now.part, now.path])) isComplete = false;
  };

  /** Writes one of two schemas as a choice, where the other one is; what both refer to by one name is written itself. */
  const choose = (before: Placed, now: Placed, from: Placed, to: Placed): void => {
    const isOneName = lookUp(before.part, ['$ref']) === lookUp(now.part, ['$ref']);
    const [earlier, later] = isOneName ? [from.part, to.part] : [before.part, now.part];
    if (!isSchema(earlier) || !isSchema(later) || !isSchema(from.part) || !isSchema(to.part)) return;
    const isWritten =
      writeAsChoice(meanings, [base.document, earlier], [revised.document, to.part]) ||
      writeAsChoice(meanings, [revised.document, later], [base.document, from.part]);
    if (isWritten) isComplete = false;
  };

  /** Notes the branches that say the same in both schemas, unless their names are sent. */
  const pair = (earlier: Schema, later: Schema): void => {
    if (earlier.discriminator !== undefined || later.discriminator !== undefined) return;
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const [before, now]: (unknown[] | undefined)[] = [earlier[keyword], later[keyword]];
      if (before && now) lists.push([before, now]);
    }
  };

  /** Compares two parts; returns those within them. */
  const compare = ({ before, now, at, isMap }: Pair, seen: Map<unknown, Set<unknown>>): Pair[] => {
    if (!isMap) join(before, now);
    const [from, to] = [followed(base, before), followed(revised, now)];
    if (!isMap) choose(before, now, from, to);
    const [earlier, later] = [from.part, to.part];
    if (!isPart(earlier) || !isPart(later) || seen.get(earlier)?.has(later)) return [];
    seen.set(earlier, (seen.get(earlier) ?? new Set()).add(later));
    if (!isMap && isSchema(earlier) && isSchema(later)) {
      leaveOutRestated([base.document, earlier], [revised.document, later]);
      join(from, to);
      pair(earlier, later);
      if (isPart(earlier.content) && isPart(later.content)) spellAlike(earlier.content, later.content);
      const changed = (steps: Path, kind: string, property: string): Found => {
        const pointerIn = (path: Path): string => `#${pointerOf([...path, ...steps])}`;
        const [inBase, inRevised] = [{ pointer: pointerIn(from.path) }, { pointer: pointerIn(to.path) }];
        return {
          path: pointerIn(at),
          kind,
          property,
          impact: 'major',
          verdicts: [],
          base: inBase,
          revision: inRevised,
        };
      };
      const names = changedNames([base.document, earlier], [revised.document, later]);
      if (names) compared.push(earlier.discriminator, later.discriminator);
      for (const [kind, value] of names ?? []) changes.push(changed(['discriminator', 'mapping'], kind, value));
      for (const mediaType of otherRoots(base.document, earlier, revised.document, later, at))
        changes.push(changed(['content', mediaType, 'schema', 'xml'], 'modified', 'name'));
      for (const [key, standIn] of STAND_INS) {
        const changeOf = (kind: 'added' | 'removed', name: string): Found => {
          const { part, path } = kind === 'added' ? to : from;
          const place = { pointer: `#${pointerOf([...path, key, name])}`, value: lookUp(part, [key, name]) };
          const change = { path: `#${pointerOf([...at, key, name])}`, kind, verdicts: [] };
          return kind === 'added'
            ? { ...change, impact: 'minor', revision: place }
            : { ...change, impact: 'patch', base: place };
        };
        changes.push(...writeOut(earlier, later, key, standIn).map((name) => changeOf('added', name)));
        if (FOR_BOTH.has(key))
          changes.push(...writeOut(later, earlier, key, standIn).map((name) => changeOf('removed', name)));
      }
    }
    const isPath = to.path.length === 1 && to.path[0] === 'paths';
    return Object.entries(earlier as Record<string, unknown>).flatMap(([key, member]) => {
      if (!isPart(member)) return [];
      const renamed = isPath ? Object.keys(later).find((each) => templateOf(each) === templateOf(key)) : undefined;
      const step = Array.isArray(later) ? counterpart(later, member, Number(key)) : (renamed ?? key);
      return {
        before: { part: member, path: [...from.path, key] },
        now: { part: lookUp(later, [step]), path: [...to.path, step] },
        at: [...at, step],
        isMap: !isMap && MAPS.has(key),
      };
    });
  };

  // A part that stands in for several is complete after another round.
  while (!isComplete) {
    isComplete = true;
    [meanings, lists] = [new Meanings(), []];
    const seen = new Map<unknown, Set<unknown>>();
    const rest: Pair[] = (['webhooks', 'paths'] as const).map((key) => ({
      before: { part: base.document[key], path: [key] },
      now: { part: revised.document[key], path: [key] },
      at: [key],
      isMap: true,
    }));
    // In a list of its own: circles of schemas are deeper than the stack.
    for (let next = rest.pop(); next; next = rest.pop())
      for (const each of compare(next, seen).reverse()) rest.push(each);
  }
  for (const [earlier, later] of lists)
    for (const [index, other] of samePairs(meanings, [base.document, earlier], [revised.document, later]))
      nameBranch([base.document, earlier, index], [revised.document, later, other]);
  for (const discriminator of compared) if (isSchema(discriminator)) delete discriminator.mapping;
  return changes;
}

/** Has two branches be one of the components, by a name that both contracts have: by that, redocly pairs them. */
function nameBranch(...both: readonly [document: Document, list: unknown[], index: number][]): void {
  const maps = both.map(([{ components }]) => components?.schemas ?? {});
  let number = 0;
  while (maps.some((schemas) => Object.hasOwn(schemas, `branch-${number}`))) number++;
  for (const [document, list, index] of both) {
    const schemas = ((document.components ??= {}).schemas ??= {});
    Reflect.set(schemas, `branch-${number}`, list[index]);
    list[index] = { $ref: `#/components/schemas/branch-${number}` };
  }
}

/** Leaves out the names that the `allOf` of both schemas requires: to require them once more is no change. In place. */
function leaveOutRestated(...both: readonly [document: Document, schema: Schema][]): void {
  const [inBase, inRevised] = both.map(([document, schema]) => {
    const beside = [...conjoinedSchemas(document, schema)].filter((each) => each !== schema);
    return new Set<unknown>(beside.flatMap(({ required }) => (Array.isArray(required) ? required : [])));
  });
  for (const [, schema] of both) {
    if (!Array.isArray(schema.required) || (!schema.allOf && !schema.$ref)) continue;
    const own = schema.required.filter((name) => !(inBase?.has(name) && inRevised?.has(name)));
    if (own.length > 0) schema.required = own;
    else delete schema.required;
  }
}

/** Gives media types the names of those in an earlier contract that differ by capital letters alone, in place. */
function spellAlike(earlier: object, later: object): void {
  for (const [name, member] of Object.entries(later) as [string, unknown][]) {
    const same = Object.keys(earlier).find((each) => each.toLowerCase() === name.toLowerCase());
    if (same === undefined || Object.hasOwn(earlier, name) || Object.hasOwn(later, same)) continue;
    Reflect.deleteProperty(later, name);
    Reflect.set(later, same, member);
  }
}

/** The target of a reference, and its path. */
function followed({ document }: Comparable, placed: Placed): Placed {
  let found = placed;
  for (const seen = new Set(); isSchema(found.part) && typeof found.part.$ref === 'string';) {
    if (seen.has(found.part)) return { part: undefined, path: [] };
    seen.add(found.part);
    const path = pathOf(found.part.$ref);
    found = { part: lookUp(document, path), path };
  }
  return found;
}

/** The index of the same reference in another list, or else the same index. */
function counterpart(list: readonly unknown[], member: unknown, index: number): number {
  const $ref = lookUp(member, ['$ref']);
  const found = $ref === undefined ? -1 : list.findIndex((each) => lookUp(each, ['$ref']) === $ref);
  return found < 0 ? index : found;
}

/** The response of a status's range, or the default one; one for success says nothing of errors, nor the reverse. */
function ofStatus(responses: Schema, status: string): unknown {
  const range = responses[`${status.slice(0, 1)}XX`];
  if (range !== undefined) return range;
  return isError(status, responses) === isError('default', responses) ? responses.default : undefined;
}

/** True for `{ not: {} }`, as `false` is written here: no property is added by it. */
function refusesAll(schema: unknown): boolean {
  const not = lookUp(schema, ['not']);
  return isSchema(not) && Object.keys(not).length === 0;
}

/** True for a property that everybody sends, though nothing need be said of it. */
function isRequired({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** The schema to which a schema holds a property that it does not name; undefined if it takes any, or refuses it. */
function ofProperty(
  { patternProperties = {}, additionalProperties, unevaluatedProperties }: Schema,
  name: string,
): unknown {
  const matching = Object.entries(patternProperties).flatMap(([pattern, schema]) =>
    expressionOf(pattern).test(name) ? [schema] : [],
  );
  const [first, ...more] = matching;
  const found = more.length > 0 ? { allOf: matching } : (first ?? additionalProperties ?? unevaluatedProperties);
  return isSchema(found) && Object.keys(found).length > 0 ? found : undefined;
}

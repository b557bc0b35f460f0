/** Rules for references: each leads to a part of its kind. */
import { messageOf } from '../errors/api-error';
import { nearest } from '../errors/misspelt';
import { type Document, lookUp, type Path, pathOfPointer, pointerOf, resolve } from '../contract/document';
import type { Problem } from '../contract/problems';
import { isSchema, partsOf } from '../contract/traverse';

/** References that lead nowhere, each with the one that may be meant. */
export function* referenceProblems(document: Document): Generator<Problem> {
  for (const { part, path, isMap } of partsOf(document)) {
    if (isMap || !('$ref' in part)) continue;
    try {
      resolve(document, { $ref: part.$ref as string }); // throws if it is no text
      const refusal = refusalOfKind(path, String(part.$ref));
      if (refusal !== undefined) yield [[...path, '$ref'], refusal];
    } catch (error) {
      yield [[...path, '$ref'], messageOf(error) + referenceHint(document, part.$ref)];
    }
  }
}

/** Why the component that a reference leads to cannot stand in its place; undefined if it can. */
function refusalOfKind(path: Path, reference: string): string | undefined {
  const wanted = kindAt(path);
  const [, kind] = /^#\/components\/(\w+)\//.exec(reference) ?? [];
  if (wanted === undefined || kind === undefined || kind === wanted || !KINDS.test(kind)) return undefined;
  if (kind === 'schemas') return `${reference} is a schema: expected it below ${PLACES_OF_SCHEMAS[wanted]}`;
  // A parameter has all that a header needs.
  if (wanted === 'headers') return undefined;
  return `${reference} is of another kind: expected a reference to one of #/components/${wanted}`;
}

/** The fields below which request bodies, responses, parameters and headers have their schema. */
const IN_CONTENT = 'content, a media type such as application/json, and schema';
const PLACES_OF_SCHEMAS = {
  requestBodies: IN_CONTENT,
  responses: IN_CONTENT,
  parameters: 'schema',
  headers: 'schema',
} as const;

/** The kind of the component that a place holds, as `components` names it; undefined for one that may be any. */
function kindAt(path: Path): keyof typeof PLACES_OF_SCHEMAS | undefined {
  if (path.includes('schema') || path.includes('schemas')) return undefined;
  const [holder, last] = path.slice(-2);
  if (last === 'requestBody' || holder === 'requestBodies') return 'requestBodies';
  return holder === 'responses' || holder === 'parameters' || holder === 'headers' ? holder : undefined;
}

/** The reference to a component that one may mean, which leads nowhere. */
function referenceHint(document: Document, reference: unknown): string {
  if (reference === null) return ': it has to be quoted, because # begins a comment';
  if (typeof reference !== 'string') return '';
  if (reference.startsWith('#/') && lookUp(document, pathOfPointer(reference.slice(1))) !== undefined) return '';
  const kinds = Object.entries(document.components ?? {}).filter(([kind, each]) => KINDS.test(kind) && isSchema(each));
  const all = kinds.flatMap(([kind, each]) => Object.keys(each).map((name) => ({ kind, name })));
  const last = reference.slice(reference.lastIndexOf('/') + 1);
  const meant =
    all.find(({ name }) => name === last)?.name ??
    nearest(
      last,
      all.map(({ name }) => name),
    );
  const found = all.find(({ name }) => name === meant);
  if (found) return `: expected #${pointerOf(['components', found.kind, found.name])}`;
  const [, kind] = /^#\/components\/(\w+)\//.exec(reference) ?? [];
  return kind !== undefined && !kinds.some(([each]) => each === kind) ? `: components has no ${kind}` : '';
}

const KINDS =
  /^(?:schemas|responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks|pathItems|mediaTypes)$/;

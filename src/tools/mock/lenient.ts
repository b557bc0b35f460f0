/** A contract without what cannot be served of it: the operations that are at fault, and those that refer to what is. */
import {
  ContractProblems,
  type Document,
  isSchema,
  METHODS,
  partsOf,
  type Path,
  type PathItem,
  resolve,
  type ServedDocument,
} from '../../engine/reading';

export interface Leniency {
  document: ServedDocument;
  /** What is wrong, a line each. */
  problems: string[];
  /** The operations that are left out: `GET /notes`. */
  left: string[];
}

/** Leaves out of a document what `check` refuses, until it accepts it; throws what it throws if nothing else can be left out. */
export function leaveOutFaults(served: ServedDocument, check: (document: ServedDocument) => unknown): Leniency {
  const problems: string[] = [];
  const left: string[] = [];
  for (let document = served; ; document = { ...served, value: { ...(document.value as object) } }) {
    try {
      check(document);
      return { document, problems, left };
    } catch (error) {
      if (!(error instanceof ContractProblems) || !isSchema(document.value)) throw error;
      const removed = remove(document.value as unknown as Document, error.paths);
      if (removed === undefined) throw error;
      problems.push(...error.problems);
      left.push(...removed);
    }
  }
}

/** Removes what stands at these places, and what then refers to nothing; returns the operations, or undefined if nothing was removed. */
function remove(document: Document, paths: readonly Path[]): string[] | undefined {
  const left: string[] = [];
  let hasRemoved = false;
  let next = paths;
  while (next.length > 0) {
    let isChanged = false;
    for (const path of next) {
      const removed = removeAt(document, path);
      isChanged ||= removed !== undefined;
      left.push(...(removed ?? []));
    }
    if (!isChanged) break;
    hasRemoved = true;
    next = danglingReferences(document);
  }
  return hasRemoved ? left : undefined;
}

/** The operations that go with what stands there; undefined if that cannot be removed. */
function removeAt(document: Document, path: Path): string[] | undefined {
  const [part, name = '', method = ''] = path.map(String);
  if (part === 'security') {
    const inherit = operationsIn(document).filter(({ operation }) => operation.security === undefined);
    for (const { item, key } of inherit) Reflect.deleteProperty(item, key);
    delete document.security;
    return inherit.map(({ text }) => text);
  }
  if (part === 'components') {
    if (removeKey(document, ['components', name], method)) return [];
    // Names that are none have no path of their own.
    const all = document.components?.[name as 'schemas'];
    const unfit = Object.keys(all ?? {}).filter((each) => !/^[\w.-]+$/.test(each));
    for (const each of unfit) removeKey(document, ['components', name], each);
    return unfit.length > 0 ? [] : undefined;
  }
  if (part !== 'paths') return undefined;
  const gone = operationsIn(document).filter(
    (each) => each.path === name && (!isMethod(method) || each.key === method),
  );
  if (!(isMethod(method) ? removeKey(document, ['paths', name], method) : removeKey(document, ['paths'], name)))
    return undefined;
  return gone.map(({ text }) => text);
}

function removeKey(document: Document, holder: Path, key: string): boolean {
  let value: unknown = document;
  for (const step of holder) value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) && Reflect.deleteProperty(value, key);
}

function operationsIn(document: Document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((key) => {
      const operation = (item as PathItem | null)?.[key];
      return operation ? [{ path, item, key, operation, text: `${key.toUpperCase()} ${path}` }] : [];
    }),
  );
}

function isMethod(key: string): boolean {
  return METHODS.some((each) => each === key);
}

function danglingReferences(document: Document): Path[] {
  return [...partsOf(document)].flatMap(({ part, path, isMap }) => {
    if (isMap || !('$ref' in part) || typeof part.$ref !== 'string') return [];
    try {
      resolve(document, { $ref: part.$ref });
      return [];
    } catch {
      return [path];
    }
  });
}

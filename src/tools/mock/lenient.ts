/** Leaves out the parts of a contract that cannot be served: operations with faults, and those that refer to faulty parts. */
import {
  ContractProblems,
  type Document,
  isSchema,
  lookUp,
  normalize,
  operationsIn,
  partsOf,
  type Path,
  readDocument,
  readYaml,
  resolve,
  type ServedDocument,
} from '../../engine/reading';

/**
 * Reads a contract of one file or several. Throws ContractProblems if the files cannot be read, or be put together; with `isLenient` it is
 * then the file alone, in which references to others lead nowhere.
 */
export function readContract(file: string, isLenient: boolean, allowed: readonly string[] = []): ServedDocument {
  try {
    return readDocument(file, allowed);
  } catch (error) {
    if (!isLenient) throw error;
    const own = readYaml(file);
    return { ...own, warnings: normalize(own.value) };
  }
}

interface Leniency {
  document: ServedDocument;
  /** The problems, a line each. */
  problems: string[];
  /** The operations that are left out: `GET /notes`. */
  left: string[];
}

/** Leaves parts out of a document until `check` accepts it; throws the error of `check` if nothing else can be left out. */
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

/** Removes the parts at these paths, and references that then lead nowhere; returns the removed operations, or undefined if nothing was removed. */
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

/** Removes the part at a path; returns the operations that are removed with it, or undefined if it cannot be removed. */
function removeAt(document: Document, path: Path): string[] | undefined {
  const [part, name = '', method = ''] = path.map(String);
  if (part === 'security') {
    const inherit = operationsOf(document).filter(({ operation }) => operation.security === undefined);
    for (const each of inherit) removeKey(document, ['paths', each.path, ...each.steps]);
    delete document.security;
    return inherit.map(({ text }) => text);
  }
  if (part === 'components') {
    if (removeKey(document, ['components', name, method])) return [];
    // Invalid names have no path of their own in problems: all of them are removed.
    const all = document.components?.[name as 'schemas'];
    const unfit = Object.keys(all ?? {}).filter((each) => !/^[\w.-]+$/.test(each));
    for (const each of unfit) removeKey(document, ['components', name, each]);
    return unfit.length > 0 ? [] : undefined;
  }
  if (part !== 'paths') return undefined;
  const ofPath = operationsOf(document).filter((each) => each.path === name);
  const one = ofPath.find(({ steps }) => steps.every((step, index) => path[index + 2] === step));
  if (one) return removeKey(document, ['paths', name, ...one.steps]) ? [one.text] : undefined;
  const isRemoved = method === 'additionalOperations' || lookUp(document, path.slice(0, 3)) === undefined;
  return !isRemoved && removeKey(document, ['paths', name]) ? ofPath.map(({ text }) => text) : undefined;
}

function removeKey(document: Document, path: Path): boolean {
  const holder = lookUp(document, path.slice(0, -1));
  const key = path.at(-1) ?? '';
  return (
    typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key) && Reflect.deleteProperty(holder, key)
  );
}

function operationsOf(document: Document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    operationsIn(isSchema(item) ? item : {}).map((placed) => ({ ...placed, path, text: `${placed.method} ${path}` })),
  );
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

/** A contract as a mock reads it: of one file or several, wherever they are. */
import {
  Folders,
  normalize,
  partsOf,
  placeInSources,
  readDocument,
  readYaml,
  type ServedDocument,
} from '../../engine/reading';

/**
 * Throws ContractProblems if the files cannot be read, or be put together; a lenient one is then the file as it is, in which references to
 * others lead nowhere.
 */
export function readContract(file: string, lenient: boolean, allowed: readonly string[] = []): ServedDocument {
  const own = readYaml(file);
  try {
    if (needsOtherFiles(own.value)) {
      const { document, place } = readDocument(file, allowed);
      const folders = new Folders(file, allowed);
      return { value: document, place: (path) => placeInSources(file, path, folders) ?? place(path), warnings: [] };
    }
  } catch (error) {
    if (!lenient) throw error;
  }
  return { ...own, warnings: normalize(own.value) };
}

/** Whether what is served refers to other files, and not what only describes it. */
function needsOtherFiles(document: unknown): boolean {
  return [...partsOf(document)].some(
    ({ part, isMap }) => !isMap && '$ref' in part && typeof part.$ref === 'string' && !part.$ref.startsWith('#'),
  );
}

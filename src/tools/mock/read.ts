/** A contract as a mock reads it: of one file or several, in its folder and the allowed ones. */
import { normalize, readDocument, readYaml, type ServedDocument } from '../../engine/reading';

/**
 * Throws ContractProblems if the files cannot be read, or be put together; a lenient one is then the file as it is, in which references to
 * others lead nowhere.
 */
export function readContract(file: string, lenient: boolean, allowed: readonly string[] = []): ServedDocument {
  try {
    return readDocument(file, allowed);
  } catch (error) {
    if (!lenient) throw error;
    const own = readYaml(file);
    return { ...own, warnings: normalize(own.value) };
  }
}

/** The files that a contract may be read from: YAML, JSON and Markdown in its own folder, and in those that a command line names. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';

/** The maximum size of a file of a contract. */
export const CONTRACT_BYTES_MAX = 32 * 1024 * 1024;
const DOCUMENT = /\.(?:json|ya?ml)$/i;
const TEXT = /\.(?:md|markdown)$/i;

/** True if a file is Markdown, which is not parsed. */
export function isText(file: string): boolean {
  return TEXT.test(file);
}

export class Folders {
  readonly folders: readonly string[];

  /** Throws an Error for a folder that cannot be read. */
  constructor(contract: string, allowed: readonly string[] = []) {
    this.folders = [dirname(contract), ...allowed].map(realFolder);
  }

  /**
   * The reason why a file may not be read, symbolic links followed; undefined if it may be read, or does not exist.
   * `mayBeText` allows Markdown.
   */
  refusal(file: string, mayBeText: boolean): string | undefined {
    let real: string;
    try {
      real = realpathSync(file);
    } catch {
      return undefined;
    }
    if (!this.folders.some((folder) => isWithin(folder, real)))
      return 'leads out of the folder of the contract: --allow-folder FOLDER allows another one';
    if (!DOCUMENT.test(real) && !(mayBeText && TEXT.test(real)))
      return `leads to a file of another kind: expected .yaml, .yml or .json${mayBeText ? ', or .md' : ''}`;
    const stat = statSync(real);
    if (!stat.isFile()) return 'leads to what is not a file';
    return stat.size > CONTRACT_BYTES_MAX
      ? `leads to a file of ${stat.size} bytes: expected at most ${CONTRACT_BYTES_MAX}`
      : undefined;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new Error(`expected a folder of files of a contract, got ${folder}, which cannot be read`, { cause });
  }
}

function isWithin(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && !/^\.\.(?:[/\\]|$)/.test(path) && !isAbsolute(path);
}

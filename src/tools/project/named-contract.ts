/** A contract named on a command line: a file, or a URL, whose document is written to a file in a temporary folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { messageOf } from '../../engine';
import { CONTRACT_BYTES_MAX, ContractProblems, partsOf, problemLines, readYaml } from '../../engine/reading';

export interface NamedContract {
  /** The path of the file. */
  file: string;
  /** Removes the temporary files. */
  remove: () => void;
}

/** The time limit for a URL's answer, with its whole document. */
const FETCH_MS = 30_000;

/** True if the name is a URL, of whatever scheme. */
export function isUrl(name: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(name);
}

/**
 * Resolves to the file, or to one with the document of the URL. Rejects unless the URL is http or https, answers with
 * 200 and without a redirect in 30 s and 32 MiB, and has a document that refers only to itself.
 */
export async function namedContract(name: string): Promise<NamedContract> {
  if (!isUrl(name)) return { file: name, remove: () => undefined };
  const document = await fetchDocument(name);
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, fileName(new URL(name)));
    writeFileSync(file, document);
    refuseReferences(file);
    return { file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function fetchDocument(name: string): Promise<Buffer> {
  const url = URL.canParse(name) ? new URL(name) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error(`expected a URL of http or https, without a user, got ${url?.protocol ?? name}`);
  try {
    const { status, body } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_MS) });
    if (status !== 200 || !body) throw new Error(`expected 200, got ${status}; redirects are not followed`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > CONTRACT_BYTES_MAX) throw new Error(`expected at most ${CONTRACT_BYTES_MAX} bytes, got more`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    const why = error instanceof TypeError ? messageOf(error.cause ?? error) : messageOf(error);
    throw new Error(`the contract at ${name} cannot be read: ${why}`, { cause: error });
  }
}

/** The name of the document in messages. */
function fileName({ pathname }: URL): string {
  const name = basename(pathname);
  return /^[\w.-]+\.(?:json|ya?ml)$/i.test(name) ? name : 'openapi.yaml';
}

/**
 * Throws ContractProblems for references to files and other hosts: a document from a URL must not choose what is read
 * here.
 */
function refuseReferences(file: string): void {
  const { value, place } = readYaml(file);
  const others = partsOf(value).flatMap(({ part, path, isMap }): [(string | number)[], string][] => {
    const reference: unknown = '$ref' in part && !isMap ? part.$ref : undefined;
    if (typeof reference !== 'string' || reference.startsWith('#')) return [];
    return [[[...path, '$ref'], `${reference} leads out of the document, which is not followed for one from a URL`]];
  });
  if (others.length > 0) throw new ContractProblems(problemLines(others, place));
}

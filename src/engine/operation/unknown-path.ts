/**
 * Adds a hint to the 404 of an unknown path: a path of the contract that is near, the address of the documentation, or a
 * list of paths. The work depends on the length of the path asked for, not on the number of paths.
 */
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { createRouter } from './router';

/** The maximum number of paths in a message. */
const COUNT_MAX = 5;
/** The maximum length of a path for which a near one is searched. */
const LENGTH_MAX = 100;

/**
 * Creates a function that adds the hint to the 404 of an unknown path and returns any other error unchanged. `paths` begin
 * with `basePath`; `page` returns the address of the documentation, if there is one.
 */
export function explainUnknownPath(
  paths: readonly string[],
  basePath: string,
  page: (() => string) | undefined,
): (error: unknown, path: string) => unknown {
  const all = [...new Set(paths)];
  // The paths stand in for methods, so that `methodsOf` returns paths.
  const alike = createRouter(
    all.map((path) => ({ method: path, path: plain(path) })),
    '',
  );
  const words = wordsByMisspelling(all);
  const some = all.slice(0, COUNT_MAX).join(', ') + (all.length > COUNT_MAX ? ', ...' : '');

  function nearest(path: string): string | undefined {
    for (const mended of mendings(path, plain(basePath), words)) {
      const [near] = alike.methodsOf(mended);
      if (near !== undefined) return near;
    }
    return undefined;
  }

  return (error, path) => {
    if (!(error instanceof ApiError && error.code === ErrorCode.NoSuchPath)) return error;
    const asked = plain(path);
    const [meant] = alike.methodsOf(asked);
    const near = nearest(asked) ?? (page ? undefined : some);
    const known = `${near === undefined ? '' : `: ${near}`}${page ? `, see ${page()}` : ''}`;
    const hint = meant === undefined ? known : `: ${meant}, with its letter case and slashes`;
    return new ApiError(ErrorCode.NoSuchPath, `${error.message}${hint}`, { cause: error });
  };
}

/** One text for all paths that differ in letter case and slashes only. */
function plain(path: string): string {
  return path.toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '');
}

/** The path behind the base, with a step spelt as in the contract, without a step or its first two, or with one more. */
function* mendings(path: string, base: string, words: ReadonlyMap<string, string>): Generator<string> {
  if (path.length > LENGTH_MAX) return;
  const [, ...steps] = path.split('/');
  yield base + path;
  for (const [index, step] of steps.entries())
    for (const shorter of shortened(step)) {
      const word = words.get(shorter);
      if (word !== undefined) yield `/${steps.with(index, word).join('/')}`;
    }
  for (const index of steps.keys()) yield `/${steps.toSpliced(index, 1).join('/')}`;
  yield `/${steps.slice(2).join('/')}`;
  yield `${path}/-`;
}

/** The concrete steps of paths, by each text that one and its misspelling have in common. */
function wordsByMisspelling(paths: readonly string[]): Map<string, string> {
  const words = new Set(
    paths.flatMap((path) => plain(path).split('/')).filter((step) => step.length <= LENGTH_MAX && !step.includes('{')),
  );
  return new Map([...words].flatMap((word) => shortened(word).map((shorter): [string, string] => [shorter, word])));
}

/** The text, and the text without each of its characters: two texts share one if one character differs, or two are swapped. */
function shortened(text: string): string[] {
  if (text.length < 2) return [];
  return [text, ...Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))];
}

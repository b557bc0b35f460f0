/**
 * Adds a hint to the 404 of an unknown path: a path that differs in letter case or slashes only, the address of the
 * documentation, or a list of paths.
 */
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { createRouter } from './router';

/** The maximum number of paths in a message. */
const COUNT_MAX = 5;

/**
 * Creates a function that adds the hint to the 404 of an unknown path and returns any other error unchanged. `page`
 * returns the address of the documentation, if there is one.
 */
export function explainUnknownPath(
  paths: readonly string[],
  page: (() => string) | undefined,
): (error: unknown, path: string) => unknown {
  const all = [...new Set(paths)];
  // The paths stand in for methods, so that `methodsOf` returns paths.
  const alike = createRouter(
    all.map((path) => ({ method: path, path: plain(path) })),
    '',
  );
  const some = all.slice(0, COUNT_MAX).join(', ') + (all.length > COUNT_MAX ? ', ...' : '');
  return (error, path) => {
    if (!(error instanceof ApiError && error.code === ErrorCode.NoSuchPath)) return error;
    const [meant] = alike.methodsOf(plain(path));
    const known = page ? `, see ${page()}` : `: ${some}`;
    const hint = meant === undefined ? known : `: ${meant}, with its letter case and slashes`;
    return new ApiError(ErrorCode.NoSuchPath, `${error.message}${hint}`, { cause: error });
  };
}

/** One text for all paths that differ in letter case and slashes only. */
function plain(path: string): string {
  return path.toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '');
}

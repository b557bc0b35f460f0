/** Makes the answer to an unknown path helpful: it says what is nearly the same, where the paths are described, or names them. */
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { createRouter } from './router';

/** As many as fit into a sentence. */
const COUNT_MAX = 5;

/**
 * A function that adds to the 404 of an unknown path what helps; any other error stays as it is. `page` is the address of the
 * documentation, if there is one.
 */
export function explainUnknownPath(
  paths: readonly string[],
  page: (() => string) | undefined,
): (error: unknown, path: string) => unknown {
  const all = [...new Set(paths)];
  // What it finds is the paths themselves, in place of methods.
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

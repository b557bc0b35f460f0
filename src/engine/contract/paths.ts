/** Paths of a contract: the names of their parameters, and how clients send them, percent-encoded. */

/** Characters that must be encoded in a path (RFC 3986 section 3.3), and encoded ones. */
const UNUSUAL = /[^\w\-.~!$&'()*+,;=:@/]/;
const ALL_UNUSUAL = /%[\da-f]{2}|[^\w\-.~!$&'()*+,;=:@/]/giu;

/** The normal form of a path (RFC 3986 section 6.2.2): contracts have `/a b`, and their clients send `/a%20b`. */
export function canonical(path: string): string {
  if (!UNUSUAL.test(path)) return path;
  return path.toWellFormed().replaceAll(ALL_UNUSUAL, (found) => {
    if (found.length !== 3 || !found.startsWith('%')) return encodeURIComponent(found);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : found.toUpperCase();
  });
}

/** A path of the contract as clients send it, with `{parameters}` as they are. */
export function pathAsSent(path: string): string {
  return path
    .split(/(\{[^{}]*\})/)
    .map((each) => (each.startsWith('{') ? each : canonical(each)))
    .join('');
}

/** The names of a path's parameters, in its order. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

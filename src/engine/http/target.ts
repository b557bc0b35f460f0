/** Request targets: brings all forms that HTTP allows to origin form, in which paths are matched. */
import { isAuthority } from './authority';
import { malformed } from './errors';

/** A target in origin form (`/notes?x`); throws an ApiError of 400 if it is malformed. */
export function originTarget(target: string): string {
  const origin = target.startsWith('/') ? target : fromAbsoluteForm(target);
  return origin.includes('%') ? decodeUnreserved(origin) : origin;
}

/** `http://host/notes` as `/notes`; a server accepts both (RFC 9112 section 3.2.2). */
function fromAbsoluteForm(target: string): string {
  const { authority, rest } = /^https?:\/\/(?<authority>[^/?#]+)(?<rest>(?:[/?#].*)?)$/i.exec(target)?.groups ?? {};
  if (authority === undefined || rest === undefined) return target;
  if (!isAuthority(authority)) throw malformed('a target with a valid host');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Percent-encoded letters, digits, `-`, `.`, `_` and `~`. */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/**
 * `/%6eotes` as `/notes`: unreserved characters mean the same, encoded or not (RFC 9110 section 4.2.3). All others, such as `%2F`, stay
 * encoded. The query is decoded where its parameters are read.
 */
function decodeUnreserved(target: string): string {
  try {
    decodeURIComponent(target);
  } catch {
    throw malformed('percent-encoded UTF-8 in the path and query');
  }
  const path = pathOf(target);
  return path.replace(UNRESERVED, decodeURIComponent) + target.slice(path.length);
}

/** The query of a target, without the question mark; empty if there is none. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query + 1);
}

/** The target without its query. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

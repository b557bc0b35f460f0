/** Lines of curl for a POSIX shell. */
import { ONE_OFF } from './auth/tokens';
import { type Document, schemeKind, type SecurityRequirement } from './contract/document';
import { isJson } from './contract/media-type';
import { stringifyJson } from './json/json';

/** A line that sends a request; the URL has what no URL has percent-encoded already, and the options are written as they are. */
export function curlLine(method: string, url: string, options: readonly string[]): string {
  const words = ['curl -i', method === 'GET' ? '' : `-X ${shellWord(method)}`, shellWord(url), ...options];
  return words.filter((word) => word !== '').join(' ');
}

/** The options that send a value as a body. */
export function bodyOptions(mediaType: string, value: unknown): string[] {
  const text = typeof value === 'string' && !isJson(mediaType) ? value : stringifyJson(value);
  const option = text.startsWith('@') ? '--data-raw' : '-d'; // which would send the file of that name
  return [`-H ${quoted(`Content-Type: ${mediaType}`)}`, `${option} ${quoted(text)}`];
}

/** The option with which curl satisfies a security requirement; undefined if there is none. */
export function credentialOption(
  document: Document,
  requirement: SecurityRequirement,
  token?: string,
): string | undefined {
  const [scheme, ...others] = Object.keys(requirement).map((name) => document.components?.securitySchemes?.[name]);
  if (scheme === undefined) return '';
  if (others.length > 0) return undefined;
  switch (schemeKind(scheme)) {
    case 'http bearer':
      return `-H "Authorization: Bearer ${token ?? '$TOKEN'}"`;
    case 'http basic':
      return `-u "${token === undefined ? '$USERNAME:$PASSWORD' : `${ONE_OFF}:${token}`}"`;
    case 'apiKey in header':
      // Other characters of a name, such as $ and `, a shell expands in these quotes.
      return /^[\w-]+$/.test(scheme.name ?? '') ? `-H "${scheme.name}: ${token ?? '$API_KEY'}"` : undefined;
    default:
      return undefined;
  }
}

/** A text as one word of a shell, in quotes only if it needs them. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : quoted(text);
}

/** A text in quotes, in which a shell expands nothing. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

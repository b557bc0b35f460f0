/** Requests for what the contract does not have: other methods of its paths, and other spellings of them. */
import type { Arbitrary } from 'fast-check';
import type { Answer } from '../client';
import type { Contract } from '../contract';
import { refused } from './expectations';
import { fitting } from '../../samples/arbitraries';
import type { Case, GeneratedRequest } from './requests';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

/** Every other method of a path: 405, and `Allow` names exactly the declared ones. */
export function otherMethods(declared: readonly string[], requests: Arbitrary<GeneratedRequest>): Case[] {
  const all = [...declared].sort().join(', ');
  const isMet = ({ status, headers: { allow = '' } }: Answer): boolean =>
    status === 405 && [...new Set(allow.split(/\s*,\s*/))].sort().join(', ') === all;
  return METHODS.filter((method) => !declared.includes(method)).map((method) => ({
    expected: { request: method, wanted: `405 with Allow: ${all}`, isMet },
    requests: requests.map((generated) => withoutRest(generated, method, (path) => path)),
  }));
}

const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'a trailing slash': (path) => `${path}/`,
  'a doubled slash': (path) => path.replace('/', '//'),
  'a segment too many': (path) => `${path}/undeclared`,
  'other letter case': (path) => path.replace(/^\/[^/]+/, (segment) => segment.toUpperCase()),
};

/** The path spelt otherwise, as far as that is no path of the contract: 404. */
export function otherPaths({ methods }: Contract, requests: Arbitrary<GeneratedRequest>, method: string): Case[] {
  const templates = [...methods.keys()].map(patternOf);
  return Object.entries(SPELLINGS).flatMap(([what, spell]) => {
    const undeclared = fitting(
      requests.map((generated) => withoutRest(generated, method, spell)),
      ({ request }) => !templates.some((template) => template.test(request.target)),
    );
    return undeclared ? [{ expected: refused(`a path with ${what}`, 404), requests: undeclared }] : [];
  });
}

function patternOf(path: string): RegExp {
  const literal = path.split(/\{[^}]*\}/).map((each) => each.replaceAll(/[.*+?^$()[\]|\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('[^/]+')}$`);
}

/** Only the path of the request, without query, headers and body. */
function withoutRest(
  { request, parameters }: GeneratedRequest,
  method: string,
  spell: (path: string) => string,
): GeneratedRequest {
  const [path = ''] = request.target.split('?');
  return { request: { method, target: spell(path), headers: {}, body: undefined }, parameters, body: undefined };
}

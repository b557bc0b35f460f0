/** Requests for what the contract does not have: other methods of its paths, and other spellings of them. */
import type { Arbitrary } from 'fast-check';
import type { Answer } from './client';
import type { Contract } from './contract';
import { refused } from './expectations';
import type { Case, Meant } from './requests';
import { fitting } from './samples';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];

/** Every other method of a path: 405, and `Allow` names those that it has, and no other. */
export function otherMethods(declared: readonly string[], requests: Arbitrary<Meant>): Case[] {
  const all = [...declared].sort().join(', ');
  const isMet = ({ status, headers: { allow = '' } }: Answer): boolean =>
    status === 405 && [...new Set(allow.split(/\s*,\s*/))].sort().join(', ') === all;
  return METHODS.filter((method) => !declared.includes(method)).map((method) => ({
    expected: { asked: method, wanted: `405 with Allow: ${all}`, isMet },
    requests: requests.map((meant) => asking(meant, method, (path) => path)),
  }));
}

const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'a slash at its end': (path) => `${path}/`,
  'a slash doubled': (path) => path.replace('/', '//'),
  'a step too many': (path) => `${path}/undeclared`,
  'other letters': (path) => path.replace(/^\/[^/]+/, (step) => step.toUpperCase()),
};

/** The path spelt otherwise, as far as that is no path of the contract. */
export function otherPaths({ methods }: Contract, requests: Arbitrary<Meant>, method: string): Case[] {
  const templates = [...methods.keys()].map(patternOf);
  const isUndeclared = ({ request }: Meant): boolean => !templates.some((template) => template.test(request.target));
  return Object.entries(SPELLINGS).flatMap(([what, spell]) => {
    const spelt = fitting(
      requests.map((meant) => asking(meant, method, spell)),
      isUndeclared,
    );
    return spelt ? [{ expected: refused(`a path with ${what}`, 404), requests: spelt }] : [];
  });
}

function patternOf(path: string): RegExp {
  const literal = path.split(/\{[^}]*\}/).map((each) => each.replaceAll(/[.*+?^$()[\]|\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('[^/]+')}$`);
}

/** Nothing of the request but where it goes. */
function asking({ request, parameters }: Meant, method: string, spell: (path: string) => string): Meant {
  const [path = ''] = request.target.split('?');
  return { request: { method, target: spell(path), headers: {} }, parameters, body: undefined };
}

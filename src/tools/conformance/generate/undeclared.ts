/** Requests that the contract does not declare: other methods of its paths, and other spellings of the paths. */
import type { Arbitrary } from 'fast-check';
import { pathAsSent } from '../../../engine/reading';
import type { Answer } from '../client';
import type { Contract, Operation } from '../contract';
import { isForEveryone } from './credentials';
import { isSuccess, refused, refusedByHabit } from './expectations';
import { fitting } from '../../samples/arbitraries';
import type { Case, Cases, GeneratedRequest } from './requests';

/** Methods that a server need not know: it may answer them with 501 (RFC 9110 section 9.1). */
export const EXTENSION_METHODS: readonly string[] = ['PROPFIND', 'PURGE'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', ...EXTENSION_METHODS];

/** Methods that change nothing (RFC 9110 section 9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);
/** Methods that many frameworks answer by themselves. */
const FRAMEWORK_METHODS: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

/** Every other method of a path: 405, and `Allow` names exactly the declared ones. */
export function otherMethods(
  declared: readonly string[],
  requests: Arbitrary<GeneratedRequest>,
  mayBeSent: (method: string) => boolean,
): Case[] {
  // A server may answer a HEAD to what is declared as GET (RFC 9110 section 9.3.2).
  const implied = declared.includes('GET') ? ['HEAD'] : [];
  const all = [declared, [...declared, ...implied]].map((methods) => [...new Set(methods)].sort().join(', '));
  const isExact = ({ status, headers: { allow = '' } }: Answer): boolean =>
    status === 405 && all.includes([...new Set(allow.split(',').map((name) => name.trim()))].sort().join(', '));
  const others = METHODS.filter((method) => ![...declared, ...implied].includes(method) && mayBeSent(method));
  return others.map((method) => ({
    expected: {
      request: method,
      kind: 'another method',
      wanted: '405 with Allow of those that are declared',
      isRefusal: true,
      met: (answer) =>
        isExact(answer) ? 'yes' : isSuccess(answer.status) && !FRAMEWORK_METHODS.has(method) ? 'no' : 'nearly',
    },
    requests: requests.map((generated) => withoutRest(generated, method)),
  }));
}

const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'a trailing slash': (path) => `${path}/`,
  'a doubled slash': (path) => path.replace('/', '//'),
  'a segment too many': (path) => `${path}/undeclared`,
  'other letter case': (path) => path.replace(/^\/[^/]+/, (segment) => segment.toUpperCase()),
};

/** Other spellings of the path that the contract does not have: 404. */
export function otherPaths(contract: Contract, requests: Arbitrary<GeneratedRequest>, method: string): Case[] {
  const alone = requests.map((generated) => withoutRest(generated, method));
  return respelled(contract, alone).map(([what, each]) => ({
    expected: refusedByHabit(`a path with ${what}`, 404),
    requests: each,
  }));
}

/**
 * The same without the credential that the operation asks for: whether another spelling is taken for its path is left to the server, but not
 * whether it then answers as the operation does to everyone.
 */
export function otherPathsWithoutAccess(
  contract: Contract,
  { known }: Pick<Cases, 'known'>,
  { method, security }: Operation,
  isOfOperation: (answer: Answer) => boolean,
): Case[] {
  if (isForEveryone(security)) return [];
  return respelled(contract, known).map(([what, requests]) => ({
    expected: {
      ...refused(`a ${method} without a credential to a path with ${what}`, 401),
      met: (answer) => (answer.status < 300 && !isPage(answer) && isOfOperation(answer) ? 'no' : 'yes'),
    },
    requests,
  }));
}

/** True for HTML, which many servers send for every path that they do not know. */
function isPage({ headers }: Answer): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '');
}

/** Requests with each other spelling of their path that the contract does not have. */
function respelled(
  { methods }: Contract,
  requests: Arbitrary<GeneratedRequest>,
): [what: string, requests: Arbitrary<GeneratedRequest>][] {
  const templates = [...methods.keys()].map(patternOf);
  return Object.entries(SPELLINGS).flatMap(([what, spell]): [string, Arbitrary<GeneratedRequest>][] => {
    const spelled = requests.map(({ request, ...values }) => {
      const target = request.target.replace(/^[^?]*/, spell);
      return { ...values, request: { ...request, target } };
    });
    const undeclared = fitting(
      spelled,
      ({ request }) => !templates.some((template) => template.test(pathOf(request.target))),
    );
    return undeclared ? [[what, undeclared]] : [];
  });
}

/** Parameters beside each other are one: an expression would try all ways to share a text among them. */
function patternOf(path: string): RegExp {
  const literal = pathAsSent(path)
    .split(/(?:\{[^{}]*\})+/)
    .map((each) => each.replaceAll(/[.*+?^$()[\]|\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('[^/]+')}$`);
}

/** Only the path of the request, without query, headers and body. */
function withoutRest({ path, request, parameters }: GeneratedRequest, method: string): GeneratedRequest {
  const alone = { method, target: pathOf(request.target), headers: {}, body: undefined };
  return { path, request: alone, parameters, body: undefined };
}

function pathOf(target: string): string {
  return target.replace(/\?.*/s, '');
}

/** The credentials of an operation: accepted ones, and ones that must be refused. */
import fc, { type Arbitrary } from 'fast-check';
import { isHeaderName } from '../../../engine/reading';
import { fitting } from '../../samples/arbitraries';
import type { Request } from '../client';
import { isSameName, type Operation, type Scheme } from '../contract';
import type { Credentials } from '../verdict';
import { accepted, refused, refusedByHabit } from './expectations';
import type { Case, Cases, GeneratedRequest } from './requests';
import { percentEncoded } from '../../samples/serialize';
import { inOtherCase } from '../../samples/strings';

/** A credential at its place in a request. */
interface Carried {
  in: 'header' | 'query' | 'cookie';
  name: string;
  value: string;
}

/** The credentials that let a request in; none where it needs none. */
export type Access = readonly Carried[];

/**
 * The credentials for each alternative of an operation's security, none for everyone last; and why other alternatives are not tried.
 */
export function accessesTo(
  { security }: Operation,
  credentials: Credentials,
): { accesses: readonly Access[]; untried: readonly string[] } {
  const accesses: Access[] = [];
  const together = new Set<string>();
  const missing = new Set<string>();
  for (const schemes of security.filter(({ length }) => length > 0)) {
    const carried = schemes.flatMap((scheme) => carriedBy(scheme, credentials) ?? []);
    if (areInOnePlace(carried)) together.add(namesOf(schemes));
    else if (carried.length < schemes.length) missing.add(schemes.map(optionFor).join(' and '));
    else accesses.push(onceEach(carried));
  }
  if (isForEveryone(security)) accesses.push([]);
  const forWhich = accesses.length === 0 ? '' : ' for another alternative';
  return {
    accesses,
    untried: [
      ...[...together].map((names) => `one header cannot have two credentials: ${names}`),
      ...(missing.size === 0 ? [] : [`no credential${forWhich}: expected ${[...missing].join(', or ')}`]),
    ],
  };
}

export function namesOf(schemes: readonly Scheme[]): string {
  return schemes.map(({ name }) => name).join(' and ');
}

export function isForEveryone(security: Operation['security']): boolean {
  return security.length === 0 || security.some((schemes) => schemes.length === 0);
}

/** True if several credentials need the same place, so that no request can carry them all: but two schemes may take the same one. */
function areInOnePlace(carried: Access): boolean {
  return carried.some((each) =>
    carried.some((other) => each.in === other.in && each.name === other.name && each.value !== other.value),
  );
}

function onceEach(carried: Access): Access {
  return carried.filter((each, index) => carried.findIndex((other) => isSame(other, each)) === index);
}

function carriedBy({ name, kind, parameter }: Scheme, { token, user, keys = {} }: Credentials): Carried | undefined {
  const key = [name, parameter].flatMap((each) => (Object.hasOwn(keys, each) ? [keys[each]] : []))[0];
  const where = placeOf(kind);
  if (where) return key === undefined ? undefined : { in: where, name: parameter, value: key };
  if (kind === 'http bearer' && token !== undefined) return authorization(`Bearer ${token}`);
  if (kind === 'http basic' && user !== undefined) return authorization(`Basic ${base64(user)}`);
  return undefined;
}

function optionFor({ name, kind }: Scheme): string {
  if (kind.startsWith('apiKey')) return `--key ${name}=VALUE`;
  if (kind === 'http bearer') return `--token (${name})`;
  return kind === 'http basic' ? `--user (${name})` : `${name}, which is ${kind} and cannot be made`;
}

/** The same requests with credentials added. */
export function withAccess(cases: readonly Case[], access: Access): Case[] {
  return cases.map((each) => ({ ...each, requests: each.requests.map((generated) => carrying(generated, access)) }));
}

/** Valid requests with a credential that the operation does not require. */
export function withNeedlessToken(valid: Case): Case {
  const carried = [authorization('Bearer needless')];
  return {
    expected: accepted('a valid request with a token that is not asked for'),
    requests: valid.requests.map((generated) => carrying(generated, carried)),
  };
}

/** A HEAD to what is declared as GET, which a server may answer (RFC 9110 section 9.3.2), but to no one who may not GET it. */
export function headWithoutAccess({ known }: Pick<Cases, 'known'>, { method, security }: Operation): Case[] {
  if (method !== 'GET' || isForEveryone(security)) return [];
  return [
    {
      expected: {
        ...refused('a HEAD request without a credential', 401),
        met: ({ status }) => (status >= 400 ? 'yes' : 'no'),
      },
      requests: known.map((generated) => ({ ...generated, request: { ...generated.request, method: 'HEAD' } })),
    },
  ];
}

/**
 * Valid requests and invalid ones without accepted credentials, and with wrong ones for each alternative: authentication comes before
 * validation. Where everyone is let in, unknown credentials are refused by convention alone. `alternatives` are those of the whole contract.
 */
export function withoutAccess(
  { known, invalid }: Pick<Cases, 'known' | 'invalid'>,
  { security }: Operation,
  credentials: Credentials,
  alternatives: Operation['security'],
): Case[] {
  const refuse = isForEveryone(security) ? refusedByHabit : refused;
  const wrong = wrongAccesses(security, credentials, alternatives).map(([what, made, isByHabit]) => ({
    expected: (isByHabit ? refusedByHabit : refuse)(`a request with ${what}`, 401),
    requests: fc.tuple(known, made).map(([generated, access]) => carrying(generated, access)),
  }));
  if (isForEveryone(security)) return wrong;
  return [
    { expected: refused('a request without a credential', 401), requests: known },
    ...(invalid.length === 0
      ? []
      : [
          {
            expected: refused('an invalid request without a credential', 401),
            requests: fc.oneof(...invalid.map(({ requests }) => requests)),
          },
        ]),
    ...wrong,
  ];
}

/**
 * Of each alternative, its credentials with one that is wrong, or missing; without those that satisfy another alternative. And those of
 * other schemes.
 */
function wrongAccesses(security: Operation['security'], credentials: Credentials, all: Operation['security']): Wrong[] {
  const right = security.map((schemes) => schemes.map((scheme) => carriedBy(scheme, credentials)));
  const isRefused = (access: Access): boolean =>
    !right.some(
      (carried) => carried.length > 0 && carried.every((each) => access.some((other) => isSame(each, other))),
    );
  const own = new Set(security.flat().map(({ name }) => name));
  const areSeveral = own.size > 1;
  const others = isForEveryone(security) ? [] : all.filter((schemes) => schemes.some(({ name }) => !own.has(name)));
  const ofOthers = others.flatMap((schemes): Wrong[] => {
    const carried = schemes.flatMap((scheme) => carriedBy(scheme, credentials) ?? []);
    const isWrong = carried.length === schemes.length && !areInOnePlace(carried) && isRefused(carried);
    const what = schemes.length === 1 ? 'a credential of another scheme' : 'credentials of other schemes';
    return isWrong ? [[`${what}, ${namesOf(schemes)}`, fc.constant(onceEach(carried))]] : [];
  });
  const ofOwn = security.flatMap((schemes, alternative) =>
    schemes.flatMap((scheme, index) => {
      const carried = right[alternative] ?? [];
      // Two schemes may take one credential, so that the right one is nowhere beside a wrong one.
      const beside = carried.flatMap((each, at) => (at === index || !each || isSame(carried[index], each) ? [] : each));
      const missing: Wrong[] = schemes.length > 1 ? [['no credential', fc.constant([])]] : [];
      const wrong = isForEveryone(security) ? [] : wrongCredentials(scheme, carried[index]);
      return [...missing, ...unknownCredentials(scheme), ...wrong].flatMap(([what, made, isByHabit]): Wrong[] => {
        const refusedOnes = fitting(
          made.map((each) => [...onceEach(beside), ...each]),
          isRefused,
        );
        return refusedOnes ? [[areSeveral ? `${what} for ${scheme.name}` : what, refusedOnes, isByHabit]] : [];
      });
    }),
  );
  return [...ofOwn, ...ofOthers];
}

function isSame(a: Carried | undefined, b: Carried): boolean {
  return a?.in === b.in && isSameName(b.in, a.name, b.name) && a.value === b.value;
}

type Wrong = [what: string, carried: Arbitrary<Access>, isByHabit?: boolean | undefined];

/** Credentials for one scheme that no server knows, and those that one finds which looks for them in an object. */
function unknownCredentials({ kind, parameter }: Scheme): Wrong[] {
  const where = placeOf(kind);
  const carriedAs: Record<string, [what: string, as: (text: string) => Carried]> = {
    'http bearer': ['token', (token) => authorization(`Bearer ${token}`)],
    'http basic': ['user', (name) => authorization(`Basic ${base64(`${name}:${name}`)}`)],
    ...(where && { [kind]: ['key', (value: string) => ({ in: where, name: parameter, value })] }),
  };
  const [what, as] = carriedAs[kind] ?? [];
  if (!as) return [];
  return [
    [`an unknown ${what}`, unknown.map((text) => [as(text)])],
    [`a ${what} that every object has`, fc.constantFrom(...INHERITED).map((text) => [as(text)])],
  ];
}

const INHERITED = ['constructor', 'toString', '__proto__'];

/** Texts that are no credential of one scheme, or nearly the accepted one, if that is known. */
function wrongCredentials({ kind, parameter }: Scheme, known: Carried | undefined): Wrong[] {
  const inHeader = (...values: string[]): Arbitrary<Carried[]> =>
    fc.constantFrom(...values).map((value) => [authorization(value)]);
  const value = known?.value ?? '';
  const [, secret = ''] = value.split(' ');
  if (kind === 'http bearer')
    return [
      ['a scheme without a token', inHeader('Bearer')],
      ['another scheme', inHeader('Basic dXNlcjpwYXNz', 'Bearers unknown')],
      ...ifKnown(known, [
        ['its token in the query', fc.constant([{ in: 'query', name: 'access_token', value: secret }])],
        ['its token in a cookie', fc.constant([{ in: 'cookie', name: 'access_token', value: secret }])],
        ['a token without a scheme', inHeader(secret, 'nonsense')],
        ['an accepted token and more', inHeader(`${value}x`, `${value}=`, `${value} ${secret}`)],
        ['an accepted token in another letter case', inHeader(`Bearer ${inOtherCase(secret)}`), true],
        ['the beginning of an accepted token', beginningsOf(secret).map((part) => [authorization(`Bearer ${part}`)])],
      ]),
    ];
  if (kind === 'http basic') {
    const [user = '', ...password] = Buffer.from(secret, 'base64').toString().split(':');
    const inBase64 = (text: string): Carried[] => [authorization(`Basic ${base64(text)}`)];
    return [
      ['a scheme without a user', inHeader('Basic')],
      ['invalid Base64', inHeader('Basic %%%', 'Basic user:password')],
      ['a user without a password', unknown.map(inBase64)],
      // An empty half is no secret: the other one is a key, and servers may look no further.
      ...ifKnown(password.join('') === '' ? undefined : known, [
        ['a wrong password', unknown.map((word) => inBase64(`${user}:${word}`))],
      ]),
      ...ifKnown(user === '' ? undefined : known, [
        ['another user with an accepted password', unknown.map((name) => inBase64([name, ...password].join(':')))],
      ]),
    ];
  }
  const where = placeOf(kind);
  if (!where) return [];
  const at = (key: string): Carried[] => [{ in: where, name: parameter, value: key }];
  const isVisible = isHeaderName(parameter) && /^[!-~]*$/.test(value); // as headers and cookies are
  const others = PLACES.filter((each) => each !== where && (each === 'query' || isVisible));
  return [
    ['an empty key', fc.constant(at(''))],
    ...ifKnown(known, [
      ['an accepted key and more', fc.constant(at(`${value}x`))],
      ['an accepted key in another letter case', fc.constant(at(inOtherCase(value))), true],
      ['the beginning of an accepted key', beginningsOf(value).map(at)],
      ...others.map((each): Wrong => [`its key in a ${each}`, fc.constant([{ in: each, name: parameter, value }])]),
    ]),
  ];
}

const PLACES = ['header', 'query', 'cookie'] as const;

/** The place of an API key; undefined for another kind of scheme. */
function placeOf(kind: string): Carried['in'] | undefined {
  return PLACES.find((each) => kind === `apiKey in ${each}`);
}

function ifKnown(known: Carried | undefined, wrong: Wrong[]): Wrong[] {
  return known ? wrong : [];
}

const unknown = fc.stringMatching(/^[\w.~+-]{1,40}$/);

/** Prefixes of at most half of a secret, so that a report does not give it away. */
function beginningsOf(secret: string): Arbitrary<string> {
  return fc.integer({ min: 1, max: Math.max(1, secret.length >> 1) }).map((end) => secret.slice(0, end));
}

function carrying(generated: GeneratedRequest, carried: readonly Carried[]): GeneratedRequest {
  const { request, faultless } = generated;
  return {
    ...generated,
    request: withCarried(request, carried),
    faultless: faultless && withCarried(faultless, carried),
  };
}

function withCarried(request: Request, carried: readonly Carried[]): Request {
  const headers = { ...request.headers };
  let { target } = request;
  for (const { in: where, name, value } of carried) {
    if (where === 'header') headers[name] = value;
    else if (where === 'cookie') headers.Cookie = [headers.Cookie ?? [], `${name}=${value}`].flat().join('; ');
    else target += `${target.includes('?') ? '&' : '?'}${percentEncoded(name)}=${percentEncoded(value)}`;
  }
  return { ...request, headers, target };
}

function authorization(value: string): Carried {
  return { in: 'header', name: 'Authorization', value };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

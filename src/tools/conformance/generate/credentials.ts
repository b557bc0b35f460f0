/** The credentials of an operation: accepted ones, and ones that must be refused. */
import fc, { type Arbitrary } from 'fast-check';
import { isHeaderName } from '../../../engine/reading';
import type { Operation, Scheme } from '../contract';
import type { Credentials } from '../verdict';
import { accepted, refused } from './expectations';
import type { Case, Cases, GeneratedRequest } from './requests';
import { percentEncoded } from '../../samples/serialize';

/** A credential at its place in a request. */
interface Carried {
  in: 'header' | 'query' | 'cookie';
  name: string;
  value: string;
}

/** The credentials that a request has to carry. */
export interface Access {
  schemes: readonly Scheme[];
  carried: readonly Carried[];
}

/** The credentials for the first alternative that they satisfy, or the reason why they satisfy none. */
export function accessTo({ security }: Operation, credentials: Credentials): Access | { why: string } {
  for (const schemes of security) {
    const carried = schemes.map((scheme) => carriedBy(scheme, credentials));
    const known = carried.filter((each) => each !== undefined);
    if (known.length === schemes.length && schemes.length > 0 && !areInOnePlace(known))
      return { schemes, carried: known };
  }
  if (security.length === 0 || security.some((schemes) => schemes.length === 0)) return { schemes: [], carried: [] };
  const [together] = security.filter((schemes) => areInOnePlace(schemes.map((each) => carriedBy(each, credentials))));
  if (together)
    return { why: `one header cannot have two credentials: ${together.map(({ name }) => name).join(' and ')}` };
  const wanted = security.map((schemes) => schemes.map(optionFor).join(' and '));
  return { why: `no credential: expected ${[...new Set(wanted)].join(', or ')}` };
}

/** True if several credentials need the same place, so that no request can carry them all. */
function areInOnePlace(carried: readonly (Carried | undefined)[]): boolean {
  const places = carried.flatMap((each) => (each ? `${each.in} ${each.name}` : []));
  return new Set(places).size < places.length;
}

function carriedBy({ name, kind, parameter }: Scheme, { token, user, keys = {} }: Credentials): Carried | undefined {
  const key = [name, parameter].flatMap((each) => (Object.hasOwn(keys, each) ? [keys[each]] : []))[0];
  const [where] = (['header', 'query', 'cookie'] as const).filter((each) => kind === `apiKey in ${each}`);
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
export function withAccess(cases: readonly Case[], { carried }: Access): Case[] {
  return cases.map((each) => ({ ...each, requests: each.requests.map((generated) => carrying(generated, carried)) }));
}

/** Valid requests with a credential that the operation does not require. */
export function withNeedlessToken(valid: Case): Case {
  const carried = [authorization('Bearer needless')];
  return {
    expected: accepted('a valid request with a token that is not asked for'),
    requests: valid.requests.map((generated) => carrying(generated, carried)),
  };
}

/**
 * Valid and invalid requests without accepted credentials: authentication comes before validation. `access` is
 * undefined if no accepted credentials are known.
 */
export function withoutAccess({ valid, invalid }: Cases, { security }: Operation, access: Access | undefined): Case[] {
  const anyOf = (cases: readonly Case[]): Arbitrary<GeneratedRequest> =>
    fc.oneof(...cases.map(({ requests }) => requests));
  const any = anyOf(valid);
  const [schemes = []] = access ? [access.schemes] : security;
  const known = access?.carried ?? [];
  const wrong = schemes.flatMap((scheme, index) => {
    if (satisfy(security, schemes.toSpliced(index, 1))) return [];
    return wrongCredentials(scheme, known[index]).map(([what, made]) => ({
      expected: refused(`a request with ${what}`, 401),
      requests: fc
        .tuple(any, made)
        .map(([generated, each]) =>
          carrying(generated, [...known.slice(0, index), ...each, ...known.slice(index + 1)]),
        ),
    }));
  });
  return [
    { expected: refused('a request without a credential', 401), requests: any },
    ...(invalid.length === 0
      ? []
      : [{ expected: refused('an invalid request without a credential', 401), requests: anyOf(invalid) }]),
    ...wrong,
  ];
}

/** True if credentials for these schemes satisfy an alternative: schemes of one kind take the same credential. */
function satisfy(alternatives: Operation['security'], schemes: readonly Scheme[]): boolean {
  const places = new Set(schemes.map(placeOf));
  return alternatives.some((alternative) => alternative.every((each) => places.has(placeOf(each))));
}

function placeOf({ kind, parameter }: Scheme): string {
  return `${kind} ${parameter}`;
}

type Wrong = [what: string, carried: Arbitrary<Carried[]>];

/** Wrong credentials for one scheme; the accepted credential may not be known. */
function wrongCredentials({ kind, parameter }: Scheme, known: Carried | undefined): Wrong[] {
  const inHeader = (...values: string[]): Arbitrary<Carried[]> =>
    fc.constantFrom(...values).map((value) => [authorization(value)]);
  const value = known?.value ?? '';
  const [, secret = ''] = value.split(' ');
  if (kind === 'http bearer')
    return [
      ['a scheme without a token', inHeader('Bearer')],
      ['another scheme', inHeader('Basic dXNlcjpwYXNz', 'Bearers unknown')],
      ['an unknown token', unknown.map((token) => [authorization(`Bearer ${token}`)])],
      ...ifKnown(known, [
        ['its token in the query', fc.constant([{ in: 'query', name: 'access_token', value: secret }])],
        ['a token without a scheme', inHeader(secret, 'nonsense')],
        ['an accepted token and more', inHeader(`${value}x`, `${value}=`, `${value} ${secret}`)],
        ['the beginning of an accepted token', beginningsOf(secret).map((part) => [authorization(`Bearer ${part}`)])],
      ]),
    ];
  if (kind === 'http basic') {
    const [user = ''] = Buffer.from(secret, 'base64').toString().split(':');
    return [
      ['a scheme without a user', inHeader('Basic')],
      ['invalid Base64', inHeader('Basic %%%', 'Basic user:password')],
      ['an unknown user', unknown.map((name) => [authorization(`Basic ${base64(`${name}:${name}`)}`)])],
      ...ifKnown(known, [
        ['a wrong password', unknown.map((word) => [authorization(`Basic ${base64(`${user}:${word}`)}`)])],
      ]),
    ];
  }
  const [where] = (['header', 'query', 'cookie'] as const).filter((each) => kind === `apiKey in ${each}`);
  if (!where) return [];
  const at = (key: string): Carried[] => [{ in: where, name: parameter, value: key }];
  const elsewhere = where === 'query' ? 'header' : 'query';
  const displaced: Wrong = [`its key in a ${elsewhere}`, fc.constant([{ in: elsewhere, name: parameter, value }])];
  return [
    ['an unknown key', unknown.map(at)],
    ...ifKnown(known, [
      ['an accepted key and more', fc.constant(at(`${value}x`))],
      ['the beginning of an accepted key', beginningsOf(value).map(at)],
      ...(elsewhere === 'query' || isHeaderName(parameter) ? [displaced] : []),
    ]),
  ];
}

function ifKnown(known: Carried | undefined, wrong: Wrong[]): Wrong[] {
  return known ? wrong : [];
}

const unknown = fc.stringMatching(/^[\w.~+-]{1,40}$/);

/** Prefixes of at most half of a secret, so that a report does not give it away. */
function beginningsOf(secret: string): Arbitrary<string> {
  return fc.integer({ min: 0, max: secret.length >> 1 }).map((end) => secret.slice(0, end));
}

function carrying({ request, ...values }: GeneratedRequest, carried: readonly Carried[]): GeneratedRequest {
  const headers = { ...request.headers };
  let { target } = request;
  for (const { in: where, name, value } of carried) {
    if (where === 'header') headers[name] = value;
    else if (where === 'cookie') headers.Cookie = [headers.Cookie ?? [], `${name}=${value}`].flat().join('; ');
    else target += `${target.includes('?') ? '&' : '?'}${percentEncoded(name)}=${percentEncoded(value)}`;
  }
  return { ...values, request: { ...request, headers, target } };
}

function authorization(value: string): Carried {
  return { in: 'header', name: 'Authorization', value };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Requests without a credential, or with one that nobody knows. */
import fc, { type Arbitrary } from 'fast-check';
import { accepted, refused } from './expectations';
import type { Case, Cases, Meant } from './requests';

/** The requests of the cases, with the credential. */
export function withToken(cases: readonly Case[], token: string): Case[] {
  return cases.map((each) => ({
    ...each,
    requests: each.requests.map((meant) => authorized(meant, `Bearer ${token}`)),
  }));
}

/** Valid requests with a credential that nobody has asked for. */
export function withNeedlessToken(cases: readonly Case[]): Case[] {
  return cases.map(({ requests }) => ({
    expected: accepted('a valid request with a token that is not asked for'),
    requests: requests.map((meant) => authorized(meant, 'Bearer needless')),
  }));
}

/** Valid requests, and invalid ones: who asks is found out before what is asked. */
export function asStrangers({ valid, invalid }: Cases, token: string): Case[] {
  const any = (cases: Case[]): Arbitrary<Meant> => fc.oneof(...cases.map(({ requests }) => requests));
  return [
    { expected: refused('a request without Authorization', 401), requests: any(valid) },
    { expected: refused('an invalid request without Authorization', 401), requests: any(invalid) },
    {
      expected: refused('a request with its token in the query', 401),
      requests: any(valid).map((meant) => withQuery(meant, `access_token=${token}`)),
    },
    ...wrongCredentials(token).map(([what, credentials]) => ({
      expected: refused(`a request with ${what}`, 401),
      requests: fc.tuple(any(valid), credentials).map(([meant, wrong]) => authorized(meant, wrong)),
    })),
  ];
}

function wrongCredentials(token: string): [what: string, credentials: Arbitrary<string>][] {
  return [
    ['a scheme without a token', fc.constant('Bearer')],
    ['a token without a scheme', fc.constantFrom(token, 'nonsense')],
    ['another scheme', fc.constantFrom('Basic dXNlcjpwYXNz', `Basic ${token}`, `Bearers ${token}`)],
    ['an accepted token and more', fc.constantFrom('x', '=', ` ${token}`).map((more) => `Bearer ${token}${more}`)],
    [
      'a piece of an accepted token',
      fc.integer({ min: 1, max: token.length - 1 }).map((end) => `Bearer ${token.slice(0, end)}`),
    ],
    ['an unknown token', fc.stringMatching(/^[\w.~+/-]{1,40}=?$/).map((unknown) => `Bearer ${unknown}`)],
  ];
}

function authorized(meant: Meant, authorization: string): Meant {
  const { request } = meant;
  return { ...meant, request: { ...request, headers: { ...request.headers, Authorization: authorization } } };
}

function withQuery(meant: Meant, query: string): Meant {
  const { request } = meant;
  const target = `${request.target}${request.target.includes('?') ? '&' : '?'}${query}`;
  return { ...meant, request: { ...request, target } };
}

/** Requests with an accepted token, without one, and with a token that nobody has issued. */
import fc, { type Arbitrary } from 'fast-check';
import { accepted, refused } from './expectations';
import type { Case, Cases, GeneratedRequest } from './requests';

export function withToken(cases: readonly Case[], token: string): Case[] {
  return cases.map((each) => ({
    ...each,
    requests: each.requests.map((generated) => withAuthorization(generated, `Bearer ${token}`)),
  }));
}

/** Valid requests with a credential where none is asked for. */
export function withNeedlessToken(cases: readonly Case[]): Case[] {
  return withToken(cases, 'needless').map((each) => ({
    ...each,
    expected: accepted('a valid request with a token that is not asked for'),
  }));
}

/** Valid and invalid requests without an accepted token: authentication comes before validation. */
export function withoutToken({ valid, invalid }: Cases, token: string): Case[] {
  const anyOf = (cases: Case[]): Arbitrary<GeneratedRequest> => fc.oneof(...cases.map(({ requests }) => requests));
  const any = anyOf(valid);
  return [
    { expected: refused('a request without Authorization', 401), requests: any },
    { expected: refused('an invalid request without Authorization', 401), requests: anyOf(invalid) },
    {
      expected: refused('a request with its token in the query', 401),
      requests: any.map((generated) => withQuery(generated, `access_token=${token}`)),
    },
    ...wrongCredentials(token).map(([what, credentials]) => ({
      expected: refused(`a request with ${what}`, 401),
      requests: fc.tuple(any, credentials).map(([generated, wrong]) => withAuthorization(generated, wrong)),
    })),
  ];
}

function wrongCredentials(token: string): [what: string, credentials: Arbitrary<string>][] {
  const prefixes = fc.integer({ min: 1, max: token.length - 1 }).map((end) => `Bearer ${token.slice(0, end)}`);
  return [
    ['a scheme without a token', fc.constant('Bearer')],
    ['a token without a scheme', fc.constantFrom(token, 'nonsense')],
    ['another scheme', fc.constantFrom('Basic dXNlcjpwYXNz', `Basic ${token}`, `Bearers ${token}`)],
    ['an accepted token and more', fc.constantFrom('x', '=', ` ${token}`).map((more) => `Bearer ${token}${more}`)],
    ['the beginning of an accepted token', prefixes],
    ['an unknown token', fc.stringMatching(/^[\w.~+/-]{1,40}=?$/).map((unknown) => `Bearer ${unknown}`)],
  ];
}

function withAuthorization({ request, ...values }: GeneratedRequest, authorization: string): GeneratedRequest {
  return { ...values, request: { ...request, headers: { ...request.headers, Authorization: authorization } } };
}

function withQuery({ request, ...values }: GeneratedRequest, pair: string): GeneratedRequest {
  const target = `${request.target}${request.target.includes('?') ? '&' : '?'}${pair}`;
  return { ...values, request: { ...request, target } };
}

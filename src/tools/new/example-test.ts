/** `test/example.test.ts` of a new project: a first HTTP test, for an operation that can be called as it stands. */
import {
  type Contract,
  type ContractOperation,
  type Document,
  pathAsSent,
  schemeKind,
  type SecurityRequirement,
} from '../../engine/reading';
import type { Handled } from './handlers';
import { inComment, literal } from './source-text';
import { fill } from './template';

export function exampleTestText({ document }: Contract, handled: readonly Handled[]): string {
  const all = handled.filter(({ operation }) => SENT.test(operation.method));
  const secured = all.find(({ operation: { security } }) => isRefused(security));
  const answered = all.find(
    ({ operation }) => isCallable(operation) && credentialOf(document, operation) !== undefined,
  );
  const tests = [
    ...(secured ? [refusal(secured)] : []),
    ...(answered ? [answer(answered, credentialOf(document, answered.operation) ?? '')] : []),
  ];
  return fill('test/example.test.ts', { tests: (tests.length > 0 ? tests : [unknownPath]).join('\n') });
}

/** Methods that the HTTP client has functions for. A method of OpenAPI 3.2 may be any token: as code, it could call anything. */
const SENT = /^(?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH)$/;

/** True if a request without parameters and body is valid. */
function isCallable({ parameters, requestBody }: ContractOperation): boolean {
  return requestBody?.required !== true && parameters.every(({ required }) => required !== true);
}

/** True if every request needs a credential. */
function isRefused(security: readonly SecurityRequirement[]): boolean {
  return security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
}

/** A call with arbitrary path parameters: they do not matter for a refused client. */
const call = ({ operation: { method, path } }: Handled): string =>
  `request(service.baseUrl).${method.toLowerCase()}(${literal(pathAsSent(path).replaceAll(/\{[^{}]*\}/g, 'x'))})`;

const refusal = (handled: Handled): string => `\
it(${literal(`${inComment(handled.request)} answers nobody without a credential`)}, async () => {
  expect((await ${call(handled)}).status).toBe(401);
});
`;

const answer = (handled: Handled, credential: string): string => `\
// With its handler, the status and the body that it answers: \`expect([status, body]).toEqual([200, ...])\`.
it(${literal(`${inComment(handled.request)} is not written yet`)}, async () => {
  const { status } = await ${call(handled)}${credential};
  expect(status).toBe(501);
});
`;

const unknownPath = `\
it('what the contract does not declare is not there', async () => {
  expect((await request(service.baseUrl).get('/no/such/path')).status).toBe(404);
});
`;

/** The supertest calls that send the first alternative's credentials; undefined if one of them is not a token. */
function credentialOf(
  { components }: Document,
  { security: [alternative = {}] }: ContractOperation,
): string | undefined {
  const calls = Object.keys(alternative).map((name) => {
    const scheme = components?.securitySchemes?.[name];
    const { name: key = '' } = scheme ?? {};
    switch (scheme && schemeKind(scheme)) {
      case 'http bearer':
        return ".set('Authorization', `Bearer ${service.token}`)";
      case 'http basic':
        return '.auth(service.user, service.token)';
      case 'apiKey in header':
        return `.set(${literal(key)}, service.token)`;
      case 'apiKey in query':
        return `.query({ ${literal(key)}: service.token })`;
      case 'apiKey in cookie':
        return `.set('Cookie', ${literal(`${key}=`)} + service.token)`;
      default:
        return undefined;
    }
  });
  return calls.includes(undefined) ? undefined : calls.join('');
}

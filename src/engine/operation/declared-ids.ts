/**
 * The ids of requests, as a contract declares them in headers of its answers: `X-Request-Id`, which every answer has, and those of other names,
 * such as `x-fapi-interaction-id`, that an error requires.
 */
import { randomUUID } from 'node:crypto';
import { type Header, resolve } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import { keyFor } from '../contract/statuses';
import type { ErrorHeaders } from '../http/errors';
import { isId, requestId } from '../http/request-id';
import type { Schemas } from '../schema/schemas';
import { headersOf, testOf, type Test } from './declared-headers';

/** True for the name of a header that is an id, such as `X-Correlation-ID`. */
const IS_ID = /(?:^|-)id$/i;

/** True for the header that every answer has. */
function isOwn(name: string): boolean {
  return name.toLowerCase() === 'x-request-id';
}

/** A test of the ids that clients give their requests: an answer has them as its `X-Request-Id`, which any response may declare. */
export function givenIdTest(operations: readonly ContractOperation[], schemas: Schemas): Test {
  const tests = new Set(
    operations
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => headersOf(response, schemas))
      .flatMap(([name, header]) => (isOwn(name) ? testOf(header, schemas) : [])),
  );
  return (id) => [...tests].every((fits) => fits(id));
}

/** The ids that an operation's errors require, as the client has sent them, or else that of the request, or a new one; undefined if they require none. */
export function requiredIds({ responses }: ContractOperation, schemas: Schemas): ErrorHeaders | undefined {
  const required = new Map(
    Object.entries(responses).map(([key, response]) => [key, requiredIn(response, schemas)] as const),
  );
  if ([...required.values()].every((tests) => tests.length === 0)) return undefined;
  return ({ status }, req) => {
    const tests = required.get(keyFor(status, (key) => required.has(key)) ?? '') ?? [];
    const found = tests.map(([name, fits]) => {
      const ids = [req.headers[name.toLowerCase()], requestId(req), randomUUID()];
      return [name, ids.find((id) => isId(id) && fits(id))] as const;
    });
    return Object.fromEntries(found.flatMap(([name, id]) => (typeof id === 'string' ? [[name, id]] : [])));
  };
}

/** The required ids of a response, each with its test. */
function requiredIn(response: ContractOperation['responses'][string], schemas: Schemas): [string, Test][] {
  return headersOf(response, schemas).flatMap(([name, header]) =>
    header.required === true && IS_ID.test(name) && !isOwn(name) ? [[name, testOf(header, schemas)]] : [],
  );
}

/** True for a header of an error that the engine has a value for: an id, of which it makes UUIDs. */
export function isMadeId(name: string, header: Header, schemas: Schemas): boolean {
  return IS_ID.test(name) && testOf(resolve(schemas.document, header), schemas)('3f0ad0a1-2b0e-4c7e-9f53-7d9c4ce7b1c5');
}

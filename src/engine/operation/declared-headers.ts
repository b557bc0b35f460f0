/** The headers of answers, as a contract declares them, with tests of their texts. */
import { type Header, resolve } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import { canonicalText } from '../json/canonical-text';
import type { Schemas } from '../schema/schemas';

type Response = Pick<ContractOperation['responses'][string], 'headers'>;

/** A test of a header's text. */
export type Test = (value: unknown) => boolean;

/** True if a response may have a header of a value: it declares none of that name, in whatever letter case, or one that takes it. */
export function mayHave(response: Response, [name, value]: readonly [string, string], schemas: Schemas): boolean {
  const named = headersOf(response, schemas).filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return named.every(([, header]) => testOf(header, schemas)(value));
}

/** The headers that a response declares, with references followed. */
export function headersOf({ headers = {} }: Response, { document }: Schemas): [name: string, Header][] {
  return Object.entries(headers).map(([name, header]) => [name, resolve(document, header)]);
}

const known = new WeakMap<Schemas, Map<string, Test>>();

/** A test of a header's text, compiled when it is first used; one for all headers with the same schema, which many contracts write out in each response. */
export function testOf({ schema = {} }: Header, schemas: Schemas): Test {
  const tests = known.get(schemas) ?? new Map<string, Test>();
  known.set(schemas, tests);
  const key = canonicalText(schema);
  const test = tests.get(key) ?? ((text) => schemas.compileWithin(schema)(text));
  tests.set(key, test);
  return test;
}

import type { Document, Schema } from '../../../src/engine/contract/document';
import { applicableSchemas, reachableSchemas } from '../../../src/engine/contract/traverse';

it.each([
  ['reachable', reachableSchemas, (next: Schema): Schema => ({ properties: { next } })],
  ['applicable', applicableSchemas, (next: Schema): Schema => ({ allOf: [next] })],
] as const)('thousands of schemas that refer to one another are %s', (_what, schemasOf, holder) => {
  const names = Array.from({ length: 20_000 }, (_, index) => `S${index}`);
  const schemas = Object.fromEntries(
    names.map((name, index) => [name, holder({ $ref: `#/components/schemas/${names[index + 1] ?? 'S0'}` })]),
  );
  const document: Document = { openapi: '3.1.0', info: { title: 'Chain', version: '1' }, components: { schemas } };
  const found = schemasOf(document, schemas.S0);
  expect(names.filter((name) => !found.has(schemas[name] ?? {}))).toEqual([]);
});

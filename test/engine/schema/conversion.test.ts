import type { Document, Schema } from '../../../src/engine/contract/document';
import { Conversion, type OwnChange } from '../../../src/engine/schema/conversion';
import { compiledSchemas } from '../../../src/engine/schema/schemas';

it('looks at each of the schemas that refer to one another once, to find those that change anything', () => {
  const COUNT = 50;
  const refer = (at: number): Schema => ({ $ref: `#/components/schemas/S${at}` });
  const schemas = Object.fromEntries(
    Array.from({ length: COUNT }, (_, at) => [
      `S${at}`,
      at === COUNT - 1
        ? { type: 'boolean' }
        : { properties: { next: refer(at + 1), first: refer(0), name: { type: 'string' } } },
    ]),
  ) as Record<string, Schema>;
  const document: Document = { openapi: '3.1.0', info: { title: 'A circle', version: '1' }, components: { schemas } };
  const looked: Schema[] = [];
  const change: OwnChange = (schema) => {
    looked.push(schema);
    return schema.type === 'boolean' ? () => 'changed' : undefined;
  };
  const compiled = compiledSchemas(document, 'requests');
  const convert = new Conversion(compiled, change).of(compiled.prepare(schemas.S0 ?? {}));
  const nested = (inner: unknown): unknown => Array.from({ length: COUNT - 1 }).reduce((next) => ({ next }), inner);
  expect(convert(nested(true), [])).toEqual(nested('changed'));
  const references = looked.filter(({ $ref }) => $ref !== undefined);
  expect(references).toHaveLength(new Set(references).size);
});

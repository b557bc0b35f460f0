import type { Document, Schema } from '../../../src/engine/contract/document';
import { constraintsOf } from '../../../src/tools/conformance/generate/constraints';
import { chosenConstraints } from '../../../src/tools/conformance/generate/variants';
import { flatten } from '../../../src/tools/samples/flatten';

const List = { type: 'array', maxItems: 5, items: { $ref: '#/components/schemas/List' } };
const document: Document = {
  openapi: '3.1.0',
  info: { title: 'Lists', version: '1' },
  components: { schemas: { List } },
};
const namesOf = (schema: Schema): string[] =>
  flatten(document, schema).flatMap((flat) => constraintsOf(document, flat).map(({ name }) => name));

it('a list of lists of its own has those of a list, and of the lists in it', () => {
  const own = ['type array', 'type array, got null', 'maxItems 5'];
  expect(namesOf({ $ref: '#/components/schemas/List' })).toEqual([...own, ...own.map(() => 'items after the first')]);
});

it('near misses of some are left for those that are broken plainly, whatever the seed', () => {
  const schema: Schema = { type: 'object', required: ['Name', 'Tag'], properties: { Name: {}, Tag: {} } };
  const all = namesOf(schema);
  const plain = ['type object', 'required Name', 'required Tag'];
  expect(all.filter((name) => plain.includes(name))).toEqual(plain);
  expect(all.length).toBeGreaterThan(plain.length + 1);
  for (let seed = 0; seed < 20; seed++) {
    const chosen = chosenConstraints(all, (name) => name, plain.length + 1, seed);
    expect(chosen).toHaveLength(plain.length + 1);
    expect(chosen).toEqual(expect.arrayContaining(plain));
  }
});

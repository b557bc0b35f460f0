import type { Document } from '../../../src/engine/contract/document';
import { valueDescriptions } from '../../../src/engine/schema/described-values';

const node = {
  type: 'object',
  properties: { child: { $ref: '#/components/schemas/Node' }, size: { type: 'integer', example: 5 } },
};
const tree = { openapi: '3.1.0', info: { title: 'Trees', version: '1' }, components: { schemas: { Node: node } } };

describe('the description of a value', () => {
  it.each(['/size', '/child/child/size', '/other/size'])('has what the schemas say of %s', (pointer) => {
    const isKnown = !pointer.startsWith('/other');
    const describe = valueDescriptions(tree, tree.components.schemas.Node);
    expect(describe(pointer)).toEqual({ isSecret: false, examples: isKnown ? [5] : [], names: [] });
  });

  it.each(['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems'])(
    'is that of a secret where %s says so',
    (keyword) => {
      const describe = valueDescriptions(tree, { [keyword]: { type: 'string', format: 'password' } });
      expect(describe('/0').isSecret).toBe(true);
    },
  );

  it('follows no reference again for a value that is deeper in a schema which contains itself', () => {
    let followed = 0;
    const counted: Document = new Proxy(tree, {
      get: (target, name) => {
        if (name === 'components') followed++;
        return Reflect.get(target, name) as unknown;
      },
    });
    const describe = valueDescriptions(counted, node);
    const after = ['/child/size', `${'/child'.repeat(60)}/size`, `${'/child'.repeat(63)}/size`].map((pointer) => {
      describe(pointer);
      return followed;
    });
    expect(after).toEqual([1, 1, 1]);
  });
});

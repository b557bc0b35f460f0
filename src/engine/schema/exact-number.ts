/**
 * The Ajv keywords that check what a schema says of numbers exactly. They are written as code, so that Ajv makes no error where it asks for none: for each item that `contains` tries, say.
 */
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, FuncKeywordDefinition } from 'ajv/dist/types';
import type { Schema } from '../contract/document';
import { canonicalText } from '../json/canonical-text';
import { compileNumberRules } from './number-rules';

/** The keywords, for Ajv's constructor; what they check is put there by `moveNumberRules`. */
export function exactKeywords(): (CodeKeywordDefinition | FuncKeywordDefinition)[] {
  return [
    {
      keyword: 'x-exact',
      before: '$ref', // the first: types are checked before all else
      code(cxt) {
        const broken = cxt.gen.scopeValue('keyword', { ref: compileNumberRules(cxt.schema as Schema) });
        cxt.setParams({ broken });
        cxt.pass(_`!${broken}(${cxt.data})`);
      },
      error: {
        message: ({ data, params: { broken } }) => _`${broken}(${data}).message`,
        params: ({ data, params: { broken } }) => _`{rule: ${broken}(${data}).keyword}`,
      },
    },
    {
      keyword: 'x-unique-items',
      type: 'array',
      before: 'uniqueItems',
      errors: false,
      validate: (_schema: true, items: unknown[]) => new Set(items.map(canonicalText)).size === items.length,
      error: { message: 'must NOT have duplicate items' },
    },
  ];
}

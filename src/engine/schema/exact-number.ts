/**
 * The Ajv keywords that check what a schema says of numbers exactly. They are written as code, so that Ajv makes no error where it asks for none: for each item that `contains` tries, say.
 */
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, FuncKeywordDefinition } from 'ajv/dist/types';
import type { Schema } from '../contract/document';
import { typesOf } from '../contract/traverse';
import { canonicalText } from '../json/canonical-text';
import { type BrokenRule, compileNumberRules, isOfType } from './number-rules';

/** The keywords, for Ajv's constructor; what they check is put there by `moveNumberRules`. */
export function exactKeywords(): (CodeKeywordDefinition | FuncKeywordDefinition)[] {
  return [
    {
      keyword: 'x-exact',
      before: '$ref', // the first: types are checked before all else
      code(cxt) {
        const broken = cxt.gen.scopeValue('keyword', { ref: brokenRuleOf(cxt.schema as Schema) });
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

/** A function that says which rule for numbers, `type` included, a value breaks; undefined if it keeps to all. */
function brokenRuleOf(rules: Schema): (value: unknown) => BrokenRule | undefined {
  const types = [...typesOf([rules])];
  const ofType: BrokenRule = { keyword: 'type', message: `must be ${types.join()}` };
  const brokenRule = compileNumberRules(rules);
  return (value) => (types.length > 0 && !types.some((type) => isOfType(value, type)) ? ofType : brokenRule(value));
}

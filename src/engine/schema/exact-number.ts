/**
 * The Ajv keywords that check what a schema says of numbers exactly. They are written as code, so that Ajv makes no error where it asks for none: for each item that `contains` tries, say.
 */
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, FuncKeywordDefinition } from 'ajv/dist/types';
import type { Schema } from '../contract/document';
import { canonicalText } from '../json/canonical-text';
import { ExactNumber } from '../json/number';
import { compileNumberRules } from './number-rules';
import { countValues } from './size';
import type { Steps } from './steps';

/** The keywords, for Ajv's constructor; what they check is put there by `moveNumberRules`. */
export function exactKeywords(steps: Steps): (CodeKeywordDefinition | FuncKeywordDefinition)[] {
  return [
    {
      keyword: 'x-exact',
      before: '$ref', // the first: types are checked before all else
      code(cxt) {
        const rules = cxt.schema as Schema;
        const brokenBy = compileNumberRules(rules);
        const isCompared = rules.const !== undefined || rules.enum !== undefined;
        const counted: typeof brokenBy = (value) => {
          if (value instanceof ExactNumber) steps.takeFor(value.text);
          else if (isCompared && !Array.isArray(value)) steps.takeFor(value);
          return brokenBy(value);
        };
        // Asked once: branches that do not fit make errors, too.
        const broken = cxt.gen.const('broken', _`${cxt.gen.scopeValue('keyword', { ref: counted })}(${cxt.data})`);
        cxt.setParams({ broken });
        cxt.pass(_`!${broken}`);
      },
      error: {
        message: ({ params: { broken } }) => _`${broken}.message`,
        params: ({ params: { broken } }) => _`{rule: ${broken}.keyword}`,
      },
    },
    {
      keyword: 'x-of-objects',
      type: 'object',
      before: 'maxProperties', // the first that Ajv asks of an object
      // Left open, for all keywords that follow in its group: to them, an ExactNumber would be an object with a property `text`.
      code: ({ gen, data }) => gen.if(_`!(${data} instanceof ${gen.scopeValue('keyword', { ref: ExactNumber })})`),
    },
    {
      keyword: 'x-unique-items',
      type: 'array',
      before: 'uniqueItems',
      errors: false,
      validate(_schema: true, items: unknown[]) {
        if (items.length < 2) return true;
        steps.take(countValues(items));
        return new Set(items.map(canonicalText)).size === items.length;
      },
      error: { message: 'must NOT have duplicate items' },
    },
  ];
}

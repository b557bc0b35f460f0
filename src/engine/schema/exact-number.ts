/**
 * The Ajv keywords that check what a schema says of numbers exactly. In requests they claim the numbers that they accept as integers.
 * They are written as code, so that Ajv makes no error where it asks for none: for each item that `contains` tries, say.
 */
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, FuncKeywordDefinition } from 'ajv/dist/types';
import type { Schema } from '../contract/document';
import { isInt64, typesOf } from '../contract/traverse';
import { canonicalText } from '../json/canonical-text';
import { ExactNumber, isNumber } from '../json/number';
import type { Claim } from './claims';
import { type BrokenRule, compileNumberRules, isOfType } from './number-rules';

/** The keywords, for Ajv's constructor; what they check is put there by `moveNumberRules`. They add to `claims`. */
export function exactKeywords(claims?: Claim[]): (CodeKeywordDefinition | FuncKeywordDefinition)[] {
  return [
    {
      keyword: 'x-exact',
      before: '$ref', // the first: types are checked before all else
      code(cxt) {
        const { gen, data, it } = cxt;
        const rule = gen.scopeValue('keyword', { ref: new ExactRule(cxt.schema as Schema, claims) });
        cxt.setParams({ rule });
        // The name of a property stands nowhere.
        if (it.propertyName !== undefined) cxt.pass(_`${rule}.holds(${data})`);
        else cxt.pass(_`${rule}.holds(${data}, ${it.parentData}, ${it.parentDataProperty})`);
      },
      error: {
        message: ({ data, params: { rule } }) => _`${rule}.broken(${data}).message`,
        params: ({ data, params: { rule } }) => _`{rule: ${rule}.broken(${data}).keyword}`,
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

/** What a schema says of numbers. */
class ExactRule {
  private readonly types: readonly string[];
  private readonly brokenRule: (value: unknown) => BrokenRule | undefined;
  private readonly isInt64: boolean;
  private readonly isInteger: boolean;

  constructor(
    rules: Schema,
    private readonly claims: Claim[] | undefined,
  ) {
    this.types = [...typesOf([rules])];
    this.brokenRule = compileNumberRules(rules);
    this.isInt64 = isInt64([rules]);
    this.isInteger = this.types.includes('integer') && !this.types.includes('number');
  }

  broken(value: unknown): BrokenRule | undefined {
    if (this.types.length > 0 && !this.types.some((type) => isOfType(value, type)))
      return { keyword: 'type', message: `must be ${this.types.join()}` };
    return this.brokenRule(value);
  }

  /** Whether a value keeps to the rule; `holder` and `key` are where it stands, if it stands anywhere. */
  holds(value: unknown, holder?: Claim['holder'], key?: string | number): boolean {
    if (this.broken(value)) return false;
    const isClaimed = isNumber(value) && (this.isInt64 || (this.isInteger && value instanceof ExactNumber));
    if (isClaimed && holder && key !== undefined) this.claims?.push({ holder, key, isInt64: this.isInt64 });
    return true;
  }
}

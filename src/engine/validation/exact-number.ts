/**
 * The Ajv keywords that check what a schema says of numbers exactly. In requests they leave every int64 as a `bigint` in its place.
 * They are written as code, so that Ajv makes no error where it asks for none: for each item that `contains` tries, say.
 */
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, FuncKeywordDefinition } from 'ajv/dist/types';
import { pointerOf, type Schema } from '../contract/document';
import { isInt64, typesOf } from '../contract/traverse';
import type { Violation } from '../http/api-error';
import { canonicalText } from '../json/canonical-text';
import { ExactNumber, isNumber, toBigInt } from '../json/number';
import { type BrokenRule, compileNumberRules, isOfType } from './number-rules';
import { violationAt, VIOLATIONS_MAX } from './violation';

/** The keywords, for Ajv's constructor; what they check is put there by `moveNumberRules`. */
export function exactKeywords({
  inRequests,
}: {
  inRequests: boolean;
}): (CodeKeywordDefinition | FuncKeywordDefinition)[] {
  return [
    {
      keyword: 'x-exact',
      before: '$ref', // the first: types are checked before all else
      code(cxt) {
        const { gen, data, it } = cxt;
        const rule = gen.scopeValue('keyword', { ref: new ExactRule(cxt.schema as Schema, inRequests) });
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

/** What a schema says of numbers, and whether it is for requests. */
class ExactRule {
  private readonly types: readonly string[];
  private readonly brokenRule: (value: unknown) => BrokenRule | undefined;
  private readonly isBigInt: boolean;
  private readonly isSafeInteger: boolean;

  constructor(
    rules: Schema,
    private readonly inRequests: boolean,
  ) {
    this.types = [...typesOf([rules])];
    this.brokenRule = compileNumberRules(rules);
    this.isBigInt = isInt64([rules]);
    this.isSafeInteger = this.types.includes('integer') && !this.types.includes('number') && !this.isBigInt;
  }

  broken(value: unknown): BrokenRule | undefined {
    if (this.types.length > 0 && !this.types.some((type) => isOfType(value, type)))
      return { keyword: 'type', message: `must be ${this.types.join()}` };
    return this.brokenRule(value);
  }

  holds(data: unknown, parent?: object, property?: string | number): boolean {
    if (!this.inRequests || parent === undefined || property === undefined) return this.broken(data) === undefined;
    // Read again from its place: Ajv keeps the old value if a keyword behind a `$ref` has replaced it.
    const value: unknown = Reflect.get(parent, property);
    if (this.broken(value)) return false;
    if (this.isBigInt && isNumber(value)) Reflect.set(parent, property, toBigInt(value));
    else if (this.isSafeInteger && value instanceof ExactNumber) value.isInteger = true;
    return true;
  }
}

/**
 * What handlers are given for the numbers that no schema has claimed as int64: the nearest double. Adds to `found` where the
 * contract asks for an integer there, which must not be rounded.
 */
export function roundExactNumbers(value: unknown, found: Violation[], path: (string | number)[] = []): unknown {
  if (value instanceof ExactNumber) {
    const { MIN_SAFE_INTEGER: min, MAX_SAFE_INTEGER: max } = Number;
    if (value.isInteger && found.length < VIOLATIONS_MAX)
      found.push(violationAt(pointerOf(path), `expected an integer from ${min} to ${max}`, 'another'));
    return value.double;
  }
  if (typeof value !== 'object' || value === null) return value;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (typeof member !== 'object' || member === null) continue;
    path.push(key);
    const rounded = roundExactNumbers(member, found, path);
    path.pop();
    if (rounded !== member) Reflect.set(value, key, rounded);
  }
  return value;
}

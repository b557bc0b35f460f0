/**
 * The Ajv keyword that checks a schema's rules for numbers exactly. In requests it also reads the text of parameters, and
 * leaves every int64 as a `bigint` in its place.
 */
import type { DataValidateFunction, DataValidationCxt, FuncKeywordDefinition } from 'ajv/dist/types';
import type { Schema } from '../contract/document';
import { isInt64, typesOf } from '../contract/walk';
import { ExactNumber, readText, toInt64 } from '../json/number';
import { canonicalText } from '../json/canonical-text';
import { compileNumberRules, isNumber, isOfType } from './number-rules';
import { contractViolation } from './violation';

/** The keywords, for Ajv's constructor; what they check is put there by `moveNumberRules`. */
export function exactKeywords({ inRequests }: { inRequests: boolean }): FuncKeywordDefinition[] {
  return [
    {
      keyword: 'x-exact',
      before: '$ref', // the first: types are checked before all else
      modifying: inRequests,
      errors: true,
      // Ajv is told to coerce types where it validates parameters, which are text, and not where it validates bodies.
      compile: (rules: Schema, _schema, { opts }) => compileExact(rules, inRequests, Boolean(opts.coerceTypes)),
    },
    { keyword: 'x-unique-items', type: 'array', before: 'uniqueItems', errors: true, compile: () => checkUniqueItems },
  ];
}

function compileExact(rules: Schema, inRequests: boolean, readsText: boolean): DataValidateFunction {
  const types = [...typesOf([rules])];
  const brokenRule = compileNumberRules(rules);
  const int64 = isInt64([rules]);
  const safeInteger = types.includes('integer') && !types.includes('number') && !int64;

  const checkExact: DataValidateFunction = (data: unknown, context) => {
    const value = inRequests ? valueAt(context, data) : data;
    const read = readsText && typeof value === 'string' ? readText(value, types) : value;
    if (types.length > 0 && !types.some((type) => isOfType(read, type))) {
      checkExact.errors = [{ keyword: 'type', message: `must be ${types.join()}`, params: {} }];
      return false;
    }
    if (read !== value) putAt(context, read);
    const broken = brokenRule(read);
    if (broken) checkExact.errors = [{ ...broken, params: {} }];
    else if (inRequests && int64 && isNumber(read)) putAt(context, toInt64(read));
    else if (inRequests && safeInteger && read instanceof ExactNumber) read.integerAt = context?.instancePath;
    return broken === undefined;
  };
  return checkExact;
}

/** Read again from its place: Ajv keeps the old value where a keyword behind a `$ref` has replaced it. */
function valueAt({ parentData, parentDataProperty }: Partial<DataValidationCxt> = {}, data: unknown): unknown {
  return isObject(parentData) && parentDataProperty !== undefined ? Reflect.get(parentData, parentDataProperty) : data;
}

function putAt({ parentData, parentDataProperty }: Partial<DataValidationCxt> = {}, value: unknown): void {
  if (isObject(parentData) && parentDataProperty !== undefined) Reflect.set(parentData, parentDataProperty, value);
}

const checkUniqueItems: DataValidateFunction = (items: unknown[]) => {
  if (new Set(items.map(canonicalText)).size === items.length) return true;
  checkUniqueItems.errors = [{ keyword: 'uniqueItems', message: 'must NOT have duplicate items', params: {} }];
  return false;
};

/**
 * What handlers are given for the numbers that no schema has claimed as int64: the nearest double. Throws an ApiError where
 * the contract asks for an integer there, which must not be rounded.
 */
export function roundExactNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) {
    if (value.integerAt === undefined) return value.double;
    const { MIN_SAFE_INTEGER: min, MAX_SAFE_INTEGER: max } = Number;
    throw contractViolation(value.integerAt, `expected an integer from ${min} to ${max}`, 'another');
  }
  if (isObject(value))
    for (const key of Object.keys(value)) Reflect.set(value, key, roundExactNumbers(Reflect.get(value, key)));
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Finds a value among those of a long `enum` at once; Ajv compares it with one after the other, for each item of a list. */
import { _ } from 'ajv/dist/compile/codegen';
import type Ajv2020 from 'ajv/dist/2020';
import { extendKeyword } from './extend-keyword';

/** The number of values from which on a set is made. */
const MANY = 20;

/** Makes an Ajv look up values of enumerations that have no lists and objects; returns it. */
export function lookUpListed(ajv: Ajv2020): Ajv2020 {
  extendKeyword(ajv, 'enum', (cxt) => {
    const values: unknown = cxt.schema;
    if (!Array.isArray(values) || values.length < MANY || values.some((each) => typeof each === 'object')) return false;
    cxt.pass(_`${cxt.gen.scopeValue('keyword', { ref: new Set<unknown>(values) })}.has(${cxt.data})`);
    return true;
  });
  return ajv;
}

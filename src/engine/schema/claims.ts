/**
 * What the schemas of a request say that its numbers are, for handlers: the schemas that accept it, not those that were only tried. So
 * nothing is changed while Ajv decides; each schema that accepts a number claims it, and a branch that is refused loses its claims.
 */
import { _, not } from 'ajv/dist/compile/codegen';
import type Ajv2020 from 'ajv/dist/2020';
import { pointerOf } from '../contract/document';
import type { Violation } from '../errors/api-error';
import { ExactNumber, isNumber, toBigInt } from '../json/number';
import { extendKeyword } from './extend-keyword';
import { sayValue, violationAt, VIOLATIONS_MAX } from './violation';

/** Where a schema has accepted a number as an int64, or as another integer. */
export interface Claim {
  holder: Record<string | number, unknown>;
  key: string | number;
  isInt64: boolean;
}

/** Keywords whose schemas are tried: what does not fit one of these may still be accepted. */
const TRIED = ['oneOf', 'anyOf', 'not', 'if', 'contains'];
/** Those of them that say nothing of what fits. */
const ONLY_TESTED: readonly unknown[] = ['not', 'if', 'contains'];

/** Has an Ajv take back the claims of schemas that were only tried. */
export function takeBackClaims(ajv: Ajv2020, claims: Claim[]): Ajv2020 {
  for (const keyword of TRIED)
    extendKeyword(ajv, keyword, (cxt) => {
      const subschema = cxt.subschema.bind(cxt);
      cxt.subschema = (applied, valid) => {
        const { gen } = cxt;
        const made = gen.scopeValue('keyword', { ref: claims });
        const before = gen.const('claimed', _`${made}.length`);
        const context = subschema(applied, valid);
        const takeBack = _`${made}.length = ${before}`;
        if (ONLY_TESTED.includes(applied.keyword)) gen.code(takeBack);
        else gen.if(not(valid), () => gen.code(takeBack));
        return context;
      };
    });
  return ajv;
}

/** Makes a bigint of each number that was claimed as an int64. */
export function putBigInts(claims: readonly Claim[]): void {
  for (const { holder, key, isInt64 } of claims) {
    const value = holder[key];
    if (isInt64 && isNumber(value)) holder[key] = toBigInt(value);
  }
}

/**
 * Makes the nearest double of the numbers that no schema has claimed as int64. Adds to `found` those that one has claimed as an integer,
 * which must not be rounded.
 */
export function roundNumbers(values: object, claims: readonly Claim[], found: Violation[]): void {
  const integers = new Set(claims.map(({ holder, key }) => holder[key]));
  const round = (value: object, path: (string | number)[]): void => {
    if (value instanceof Uint8Array) return;
    for (const key of Object.keys(value)) {
      const member: unknown = Reflect.get(value, key);
      if (typeof member !== 'object' || member === null) continue;
      path.push(key);
      if (!(member instanceof ExactNumber)) {
        round(member, path);
      } else {
        if (integers.has(member) && found.length < VIOLATIONS_MAX)
          found.push(violationAt(pointerOf(path), SAFE_INTEGER, sayValue(member)));
        Reflect.set(value, key, member.double);
      }
      path.pop();
    }
  };
  round(values, []);
}

const SAFE_INTEGER = `expected an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** Numbers compared without rounding, and what schemas say of them; how requests with such numbers are answered is in schema/exact-number.test.ts. */
import * as fc from 'fast-check';
import {
  canonicalNumber,
  compareNumbers,
  ExactNumber,
  isMultipleOf,
  readNumber,
} from '../../../src/engine/json/number';
import { compileNumberRules, isOfType, moveNumberRules } from '../../../src/engine/schema/number-rules';

const HUGE = `1${'0'.repeat(400)}`;

/** In ascending order, as JSON writes them; those in one row are equal. */
const ORDER = [
  [new ExactNumber(`-${HUGE}`), new ExactNumber('-1e400')],
  [-(2 ** 63), -9223372036854776000n],
  [-(2n ** 63n)],
  [new ExactNumber('-9007199254740993'), -9007199254740993n],
  [-2, -2n, new ExactNumber('-2.0')],
  [-1.5],
  [new ExactNumber('-1.25')],
  [0, 0n, -0, new ExactNumber('0e5'), new ExactNumber('-0.0')],
  [new ExactNumber('1e-400')],
  [0.1, new ExactNumber('1e-1')],
  [1, 1n, new ExactNumber('10e-1')],
  [new ExactNumber('1.0000000000000000001')],
  [new ExactNumber('1.25')],
  [new ExactNumber('1.5')],
  [9007199254740992, 9007199254740992n],
  [new ExactNumber('9007199254740993'), 9007199254740993n],
  [new ExactNumber('9e399')],
  [new ExactNumber('1e400'), new ExactNumber(HUGE)],
];

it('numbers of all kinds compare as their values do', () => {
  const all = ORDER.flatMap((row, rank) => row.map((number) => ({ number, rank })));
  for (const one of all) {
    for (const other of all) {
      const order = Math.sign(compareNumbers(one.number, other.number)) || 0; // -0 is 0
      const sameText = canonicalNumber(one.number) === canonicalNumber(other.number);
      const expected = [Math.sign(one.rank - other.rank), one.rank === other.rank];
      expect([one.number, other.number, order, sameText]).toEqual([one.number, other.number, ...expected]);
    }
  }
});

it('integers compare as bigints do, however they are written', () => {
  const integer = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
  fc.assert(
    fc.property(integer, integer, (one, other) => {
      const expected = one < other ? -1 : one > other ? 1 : 0;
      expect(Math.sign(compareNumbers(new ExactNumber(`${one}.0`), new ExactNumber(`${other}`)))).toBe(expected);
      expect(Math.sign(compareNumbers(one, new ExactNumber(`${other}0e-1`)))).toBe(expected);
    }),
  );
});

it.each([
  ['0', 3, true],
  ['0.3', 0.1, true],
  ['0.35', 0.1, false],
  ['1e400', 3, false],
  ['3e400', 3, true],
  ['9007199254740993', 2, false],
  ['9007199254740993', 3n, true],
  ['-6', 3, true],
  ['1e999999999', 1, false], // so many zeros are not counted out
])('whether %s is a multiple of %s', (text, divisor, is) => {
  expect(isMultipleOf(new ExactNumber(text), divisor)).toBe(is);
});

it('decides what is a multiple in parts of the digits', () => {
  const huge = fc.bigInt({ min: 0n, max: 10n ** 90n });
  fc.assert(
    fc.property(huge, fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.nat(9), (times, divisor, more) => {
      const number = new ExactNumber(`${times * divisor + BigInt(more)}.0`);
      expect(isMultipleOf(number, divisor)).toBe(BigInt(more) % divisor === 0n);
    }),
  );
});

it.each([
  ['integer', [1, 1n, readNumber('9007199254740993'), readNumber('1e400')]],
  ['number', [1, 1.5, 1n, readNumber('9007199254740993')]], // none that is infinite
  ['null', [null]],
  ['array', [[]]],
  ['object', [{}]],
  ['string', ['a']],
  ['boolean', [true]],
])('of all values only these are of the type %s: %j', (type, those) => {
  const numbers = [1, 1.5, 1n, readNumber('9007199254740993'), readNumber('1e400')];
  const values = [...numbers, null, [], {}, 'a', true, undefined];
  expect(values.filter((value) => isOfType(value, type))).toEqual(those);
});

describe('rules for numbers', () => {
  it.each([
    ['maximum', { maximum: 1 }, '1.0000000000000000001', '1', 'must be <= 1'],
    ['exclusiveMinimum', { exclusiveMinimum: 0 }, '0', '1e-400', 'must be > 0'],
    ['enum', { enum: [1, 2] }, '3', '2.0', 'must be equal to one of the allowed values: 1, 2'],
    ['format', { format: 'double' }, '1e400', '1e300', 'must match format "double"'],
    ['format', { format: 'float' }, '-1e400', '9007199254740993', 'must match format "float"'],
  ])('%s %o refuses %s, and lets %s through', (keyword, rules, bad, good, message) => {
    const brokenRule = compileNumberRules(rules);
    expect(brokenRule(readNumber(bad))).toEqual({ keyword, message });
    expect(brokenRule(readNumber(good))).toBeUndefined();
  });

  it.each([
    [{ const: [1] }, 2],
    [{ enum: [{ a: 1 }, 5] }, 2],
  ])('%j looks at a large value as far as it may be like a constant', (rules, most) => {
    let looks = 0;
    const item = { toJSON: () => undefined };
    const counting = new Proxy(item, { ownKeys: (target) => (looks++, Reflect.ownKeys(target)) });
    const value = Array.from({ length: 2 }, () => Array.from({ length: 1_000 }, () => counting));
    expect(compileNumberRules(rules)(value)).toBeDefined();
    expect(looks).toBeLessThan(most);
  });

  it('say nothing of what is no number, except where they list the values', () => {
    for (const rules of [{ minimum: 5 }, { multipleOf: 5 }, { format: 'int64' }]) {
      for (const value of ['1', null, true, {}, []]) expect(compileNumberRules(rules)(value)).toBeUndefined();
    }
    expect(compileNumberRules({ enum: [1] })('1')).toMatchObject({ keyword: 'enum' });
  });

  it('are taken out of a schema, and nothing else is', () => {
    const schema = { type: 'integer', minimum: 1, format: 'int64', description: 'a', uniqueItems: true, enum: [[1]] };
    moveNumberRules(schema);
    const exact = { type: 'integer', minimum: 1, format: 'int64', enum: [[1]] };
    expect(schema).toEqual({ description: 'a', 'x-exact': exact, 'x-unique-items': true });
    const text = { type: 'string', format: 'date', enum: ['a', null], uniqueItems: false };
    moveNumberRules(text);
    expect(text).toEqual({ type: 'string', format: 'date', enum: ['a', null] });
  });
});

/** Numbers read without rounding; how requests with such numbers are answered is in numbers.test.ts. */
import * as fc from 'fast-check';
import {
  canonicalNumber,
  compareNumbers,
  ExactNumber,
  isInteger,
  isMultipleOf,
  readNumber,
  toInt64,
} from '../../../src/engine/json/number';

const HUGE = `1${'0'.repeat(400)}`;

it.each([
  ['1', 1],
  ['-0', -0],
  ['1.5', 1.5],
  ['1e3', 1000],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', new ExactNumber('9007199254740993')],
  ['1.0000000000000000001', new ExactNumber('1.0000000000000000001')],
  ['1e400', new ExactNumber('1e400')],
])('%s is read as a double where that is exact, or else kept as it is', (text, number) => {
  expect(readNumber(text)).toEqual(number);
});

it.each([
  ['1.5', undefined],
  ['1e-1', undefined],
  ['1.0', 1n],
  ['-0.0', 0n],
  ['0e999999999', 0n],
  ['0.0000000000000000000', 0n],
  ['1e999999999', undefined],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', undefined],
  ['-9223372036854775808', -9223372036854775808n],
  ['-9223372036854775809', undefined],
  ['922337203685477580.7e1', 9223372036854775807n],
  [`1${'0'.repeat(100_000)}`, undefined],
])('the int64 that %s is', (text, int64) => {
  expect(toInt64(readNumber(text))).toBe(int64);
});

it('a bigint is an integer, and an int64 as far as that reaches', () => {
  expect([isInteger(2n ** 70n), isInteger(1.5), isInteger(1)]).toEqual([true, false, true]);
  expect([toInt64(2n ** 63n - 1n), toInt64(2n ** 63n), toInt64(1.5)]).toEqual([2n ** 63n - 1n, undefined, undefined]);
});

/** In ascending order; those in one row are equal. */
const ORDER = [
  [new ExactNumber(`-${HUGE}`), new ExactNumber('-1e400')],
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
      expect([one.number, other.number, order]).toEqual([one.number, other.number, Math.sign(one.rank - other.rank)]);
      const sameText = canonicalNumber(one.number) === canonicalNumber(other.number);
      expect([one.number, other.number, sameText]).toEqual([one.number, other.number, one.rank === other.rank]);
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

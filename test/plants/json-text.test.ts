import fc from 'fast-check';
import { ExactNumber, parseJson, stringifyJson } from '../../src/engine';
import { jsonText, parseJsonText } from '../../src/plants/json-text';

/** Any text, also with lone surrogates; fast-check's own `binary` is a second of tables. */
const texts = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { size: 'small' })
  .map((points) => String.fromCodePoint(...points));

const { values } = fc.letrec((tie) => ({
  values: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0), // JSON has -0, and means 0
    fc.integer(),
    fc.constantFrom(null, true, false, '5', '-5', '"', '\\', '":', 'i5'),
    fc.array(tie('values')),
    fc.dictionary(texts, tie('values'), { noNullPrototype: true }),
  ),
}));

it('keeps every value and its type, and is JSON', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = jsonText(value);
      expect(parseJsonText(text, 'json64')).toStrictEqual(value);
      expect(() => void JSON.parse(text)).not.toThrow();
    }),
  );
});

it.each(['1e400', '-1E+400', '1.00000000000000000001', '12345678901234567890.5', '12345678901234567890'])(
  'keeps %s, which no double has',
  (number) => {
    const { value } = parseJson(`{"care":[${number}]}`);
    expect(jsonText(value)).toBe(`{"care":[${number}]}`);
    expect(stringifyJson(parseJsonText(jsonText(value), 'json64'))).toBe(`{"care":[${number}]}`);
  },
);

it('keeps a text of any length', () => {
  const value = { text: 'x\\"'.repeat(4_000_000), ['\\'.repeat(3_000_000)]: 1n };
  expect(parseJsonText(jsonText(value), 'json64')).toStrictEqual(value);
});

it('writes an int64 without a point, and another whole number with one', () => {
  const value = { id: 9007199254740993n, few: [5n, 5, 0.5, 1e20, -1e300], text: '5', none: undefined };
  expect(jsonText(value)).toBe('{"id":9007199254740993,"few":[5,5.0,0.5,100000000000000000000.0,-1e+300],"text":"5"}');
});

it('reads a double that was written with all of its digits', () => {
  expect(parseJsonText(`[${BigInt(1e300)}.0]`, 'json64')).toEqual([1e300]);
});

it('reads each number as one where there is no int64, however others have written it', () => {
  expect(parseJsonText('{"few":[5,5.0,1e2,"5"],"much":12345678901234567890}', 'json')).toEqual({
    few: [5, 5, 100, '5'],
    much: new ExactNumber('12345678901234567890'),
  });
});

import Ajv2020 from 'ajv/dist/2020';
import { readNumber } from '../../../src/engine/json/number';
import { exactKeywords } from '../../../src/engine/schema/exact-number';
import { compileNumberRules, isOfType, moveNumberRules } from '../../../src/engine/schema/number-rules';

describe('the type of a value', () => {
  const values = [1, 1.5, 1n, readNumber('9007199254740993'), readNumber('1e400'), null, [], {}, 'a', true, undefined];
  it.each([
    ['integer', [true, false, true, true, true, false, false, false, false, false, false]],
    ['number', [true, true, true, true, false, false, false, false, false, false, false]], // none that is infinite
    ['null', [false, false, false, false, false, true, false, false, false, false, false]],
    ['array', [false, false, false, false, false, false, true, false, false, false, false]],
    ['object', [false, false, false, false, false, false, false, true, false, false, false]],
    ['string', [false, false, false, false, false, false, false, false, true, false, false]],
    ['boolean', [false, false, false, false, false, false, false, false, false, true, false]],
  ])('is %s', (type, are) => {
    expect(values.map((value) => isOfType(value, type))).toEqual(are);
  });
});

describe('rules for numbers', () => {
  it.each([
    ['minimum', { minimum: 9007199254740993n }, '9007199254740992', '9007199254740993', 'must be >= 9007199254740993'],
    ['maximum', { maximum: 1 }, '1.0000000000000000001', '1', 'must be <= 1'],
    ['exclusiveMinimum', { exclusiveMinimum: 0 }, '0', '1e-400', 'must be > 0'],
    [
      'exclusiveMaximum',
      { exclusiveMaximum: 9007199254740993n },
      '9007199254740993',
      '9007199254740992',
      'must be < 9007199254740993',
    ],
    ['multipleOf', { multipleOf: 0.1 }, '0.35', '0.3', 'must be multiple of 0.1'],
    ['const', { const: 9007199254740993n }, '9007199254740992', '9007199254740993', 'must be equal to constant'],
    ['enum', { enum: [1, 2] }, '3', '2.0', 'must be equal to one of the allowed values: 1, 2'],
    [
      'format',
      { format: 'int32' },
      '2147483648',
      '2147483647',
      'must match format "int32 (an integer from -2147483648 to 2147483647)"',
    ],
    [
      'format',
      { format: 'int32' },
      '-2147483649',
      '-2147483648',
      'must match format "int32 (an integer from -2147483648 to 2147483647)"',
    ],
    [
      'format',
      { format: 'int32' },
      '1.5',
      '1.0',
      'must match format "int32 (an integer from -2147483648 to 2147483647)"',
    ],
    [
      'format',
      { format: 'int64' },
      '9223372036854775808',
      '-9223372036854775808',
      'must match format "int64 (an integer from -9223372036854775808 to 9223372036854775807)"',
    ],
    ['format', { format: 'double' }, '1e400', '1e300', 'must match format "double"'],
    ['format', { format: 'float' }, '-1e400', '9007199254740993', 'must match format "float"'],
  ])('%s %o refuses %s, and lets %s through', (keyword, rules, bad, good, message) => {
    const brokenRule = compileNumberRules(rules);
    expect(brokenRule(readNumber(bad))).toEqual({ keyword, message });
    expect(brokenRule(readNumber(good))).toBeUndefined();
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
    expect(schema).toEqual({
      description: 'a',
      'x-exact': { type: 'integer', minimum: 1, format: 'int64', enum: [[1]] },
      'x-unique-items': true,
    });
    const text = { type: 'string', format: 'date', enum: ['a', null], uniqueItems: false };
    moveNumberRules(text);
    expect(text).toEqual({ type: 'string', format: 'date', enum: ['a', null] });
  });

  it('as a keyword check a number that stands by itself', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, keywords: exactKeywords() });
    const validate = ajv.compile({ 'x-exact': { type: 'integer', format: 'int64' } });
    expect(validate(5)).toBe(true);
    expect(validate(9223372036854775808n)).toBe(false);
    expect(validate.errors).toEqual([expect.objectContaining({ params: { rule: 'format' }, instancePath: '' })]);
    expect(validate('5')).toBe(false);
    expect(validate.errors).toEqual([
      expect.objectContaining({ params: { rule: 'type' }, message: 'must be integer' }),
    ]);
  });
});

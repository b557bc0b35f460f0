/** The keyword by itself, on a number that stands nowhere: there is no place to claim. */
import Ajv2020 from 'ajv/dist/2020';
import type { Claim } from '../../../src/engine/validation/claims';
import { exactKeywords } from '../../../src/engine/validation/exact-number';

const rules = { 'x-exact': { type: 'integer', format: 'int64' } };

it('checks a number that stands by itself', () => {
  const claims: Claim[] = [];
  const ajv = new Ajv2020({ strict: false, keywords: exactKeywords(claims) });
  const validate = ajv.compile(rules);
  expect(validate(5)).toBe(true);
  expect(validate(9223372036854775808n)).toBe(false);
  expect(validate.errors).toEqual([expect.objectContaining({ params: { rule: 'format' }, instancePath: '' })]);
  expect(validate('5')).toBe(false);
  expect(validate.errors).toEqual([expect.objectContaining({ params: { rule: 'type' }, message: 'must be integer' })]);
  expect(claims).toEqual([]);
});

/** The keyword by itself, on a number that stands nowhere: there is no place to leave a bigint in. */
import Ajv2020 from 'ajv/dist/2020';
import { exactKeywords } from '../../../src/engine/validation/exact-number';

const rules = { 'x-exact': { type: 'integer', format: 'int64' } };

it.each([true, false])('checks a number that stands by itself (in requests: %p)', (inRequests) => {
  const ajv = new Ajv2020({ strict: false, keywords: exactKeywords({ inRequests }) });
  const validate = ajv.compile(rules);
  expect(validate(5)).toBe(true);
  expect(validate(9223372036854775808n)).toBe(false);
  expect(validate.errors).toEqual([expect.objectContaining({ params: { rule: 'format' }, instancePath: '' })]);
  expect(validate('5')).toBe(false);
  expect(validate.errors).toEqual([expect.objectContaining({ params: { rule: 'type' }, message: 'must be integer' })]);
});

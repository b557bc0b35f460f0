import type { Request } from 'express';
import { error as eov } from 'express-openapi-validator';
import { validatorError, violation } from '../../../src/engine/validation/violation';

const request = { body: { name: null, tags: ['a'], 'a/b~': 1 }, query: { limit: 0 } };

/** What a client is told of a finding of the validator. */
function told(path: string, keyword: string, message: string): string {
  return violation({ path, message, errorCode: `${keyword}.openapi.validation` }, request).message;
}

describe('a violation', () => {
  it.each<[keyword: string, theirs: string, ours: string]>([
    ['type', 'must be string', 'expected string'],
    ['format', 'must match format "int64"', 'expected int64'],
    ['pattern', 'must match pattern "^a$"', 'expected text that matches ^a$'],
    ['enum', 'must be equal to one of the allowed values: a, b', 'expected one of a, b'],
    ['minimum', 'must be >= 1', 'expected a number >= 1'],
    ['maximum', 'must be <= 1', 'expected a number <= 1'],
    ['exclusiveMinimum', 'must be > 1', 'expected a number > 1'],
    ['exclusiveMaximum', 'must be < 1', 'expected a number < 1'],
    ['multipleOf', 'must be multiple of 3', 'expected a multiple of 3'],
    ['minLength', 'must NOT have fewer than 3 characters', 'expected at least 3 characters'],
    ['maxLength', 'must NOT have more than 3 characters', 'expected at most 3 characters'],
    ['minItems', 'must NOT have fewer than 3 items', 'expected at least 3 items'],
    ['maxItems', 'must NOT have more than 3 items', 'expected at most 3 items'],
    ['minProperties', 'must NOT have fewer than 3 properties', 'expected at least 3 properties'],
    ['maxProperties', 'must NOT have more than 3 properties', 'expected at most 3 properties'],
    ['required', "must have required property 'name'", 'expected a value'],
    ['additionalProperties', 'must NOT have additional properties', 'expected no property of this name'],
    ['unevaluatedProperties', 'must NOT have unevaluated properties', 'expected no property of this name'],
    [
      'uniqueItems',
      'must NOT have duplicate items (items ## 1 and 0 are identical)',
      'expected no two items to be equal',
    ],
    ['oneOf', 'must match exactly one schema in oneOf', 'expected what the contract says'],
    ['constructor', 'whatever the library says', 'expected what the contract says'],
  ])('of %s is told in our words', (keyword, theirs, ours) => {
    expect(told('/query/limit', keyword, theirs)).toBe(`/query/limit: ${ours}, got number`);
  });

  it.each([
    ['/body', 'object'],
    ['/body/name', 'null'],
    ['/body/tags', 'array'],
    ['/body/tags/0', 'string'],
    ['/body/tags/1', 'nothing'],
    ['/body/name/first', 'nothing'],
    ['/body/a~1b~0', 'number'],
    ['/cookies/id', 'nothing'],
  ])('at %s says what came', (path, got) => {
    expect(told(path, 'type', 'must be boolean')).toBe(`${path}: expected boolean, got ${got}`);
  });

  it('has no byte of the client in it that a header, a page or a terminal would mind', () => {
    const path = '/body/<b>\u0000\r\n\u001b[31m"🌵\ud83c';
    const harmless = '/body/%3Cb%3E%00%0D%0A%1B%5B31m%22%F0%9F%8C%B5%EF%BF%BD';
    expect(told(path, 'additionalProperties', '')).toBe(`${harmless}: expected no property of this name, got nothing`);
  });

  it('that the library has no keyword for is one of a parameter', () => {
    expect(violation({ path: '/query/x', message: 'Unknown' }, request).message).toBe(
      '/query/x: expected no parameter of this name, or one in another form, got nothing',
    );
  });
});

describe('an error of the library', () => {
  const req = { ...request, method: 'PUT' } as unknown as Request;

  it('without a method that is allowed has an empty Allow header', () => {
    expect(validatorError(new eov.MethodNotAllowed({ path: '/x', message: 'PUT' }), req)).toMatchObject({
      code: 40501,
      headers: { Allow: '' },
    });
  });

  it('that is not about the request stays as it is', () => {
    const error = new Error('a fault');
    expect(validatorError(error, req)).toBe(error);
    const internal = new eov.InternalServerError({ path: '/x', message: 'a fault' });
    expect(validatorError(internal, req)).toBe(internal);
  });
});

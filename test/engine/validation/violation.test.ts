import { violation } from '../../../src/engine/validation/violation';

const request = { body: { name: null, tags: ['a'], 'a/b~': 1 }, query: { limit: 0 } };

/** What a client is told of what Ajv has found. */
function told(instancePath: string, keyword: string, message: string): string {
  return violation({ instancePath, message, keyword }, request).message;
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
      'x-unique-items',
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

  it.each([
    ['required', { missingProperty: 'a/b' }, '/body/a~1b: expected a value, got nothing'],
    [
      'additionalProperties',
      { additionalProperty: 'a/b~' },
      '/body/a~1b~0: expected no property of this name, got number',
    ],
    [
      'unevaluatedProperties',
      { unevaluatedProperty: 'name' },
      '/body/name: expected no property of this name, got null',
    ],
    ['enum', { allowedValues: ['a', 1] }, '/body: expected one of a, 1, got object'],
    ['x-exact', { rule: 'type' }, '/body: expected one, got object'],
  ])('of %s names the property, the values or the rule of %j', (keyword, params, message) => {
    const text = keyword === 'enum' ? 'must be equal to one of the allowed values' : 'must be one';
    expect(violation({ instancePath: '/body', message: text, keyword, params }, request).message).toBe(message);
  });

  it('of nothing is one, too', () => {
    expect(violation(undefined, request).message).toBe(': expected what the contract says, got object');
  });
});

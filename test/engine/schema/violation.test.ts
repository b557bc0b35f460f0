import { ExactNumber } from '../../../src/engine/json/number';
import { contractViolations, violationAt, VIOLATIONS_MAX, violationsOf } from '../../../src/engine/schema/violation';

const request = { body: { name: null, tags: ['a'], 'a/b~': 1 }, query: { limit: 0 } };

/** What a client is told of what Ajv has found. */
function told(instancePath: string, keyword: string, message: string): string {
  return contractViolations(violationsOf([{ instancePath, message, keyword }], request)).message;
}

describe('a violation', () => {
  // Most keywords are asked for by requests, in mistakes.test.ts, collector.test.ts and exact-number.test.ts.
  it.each<[keyword: string, theirs: string, ours: string]>([
    ['format', 'must match format "int64"', 'expected int64'],
    ['minProperties', 'must NOT have fewer than 3 properties', 'expected at least 3 properties'],
    ['maxProperties', 'must NOT have more than 3 properties', 'expected at most 3 properties'],
    ['dependentRequired', 'must have property a when property b is present', 'expected a value'],
    ['oneOf', 'must match exactly one schema in oneOf', 'expected what exactly one of its schemas says'],
    ['anyOf', 'must match a schema in anyOf', 'expected what the contract says'],
    ['constructor', 'whatever the library says', 'expected what the contract says'],
  ])('of %s is told in our words', (keyword, theirs, ours) => {
    expect(told('/query/limit', keyword, theirs)).toBe(`/query/limit: ${ours}, got 0`);
  });

  it.each([
    ['/body', 'object'],
    ['/body/name', 'null'],
    ['/body/tags', 'array'],
    ['/body/tags/0', '"a"'],
    ['/body/tags/1', 'nothing'],
    ['/body/name/first', 'nothing'],
    ['/body/a~1b~0', '1'],
    ['/cookies/id', 'nothing'],
    ['/body/constructor', 'nothing'],
  ])('at %s says what came', (path, got) => {
    expect(told(path, 'type', 'must be boolean')).toBe(`${path}: expected boolean, got ${got}`);
  });

  it('has a hint at what may be meant if it is one of the first three, and is one of fifty', () => {
    const names = Array.from({ length: 100 }, (_, index) => `colour-${String.fromCharCode(65 + (index % 26))}${index}`);
    const body = Object.fromEntries(names.map((name) => [`${name}x`, 1]));
    const findings = names.map((name) => ({
      ...{ instancePath: '/body', keyword: 'additionalProperties', message: '' },
      params: { additionalProperty: `${name}x` },
    }));
    const all = violationsOf(findings, { body }, () => ({ isSecret: false, examples: [], names }));
    const hints = all.map(({ text }) => /; (\S+) may be meant$/.exec(text)?.[1]);
    expect(hints).toEqual([...names.slice(0, 3), ...Array<undefined>(47).fill(undefined)]);
  });

  it('has no byte of the client in it that a header, a page or a terminal would mind', () => {
    const path = '/body/<b>\u0000\r\n\u001b[31m"🌵\ud83c';
    const harmless = '/body/%3Cb%3E%00%0D%0A%1B%5B31m%22%F0%9F%8C%B5%EF%BF%BD';
    expect(told(path, 'additionalProperties', '')).toBe(`${harmless}: expected no property of this name, got nothing`);
  });

  it.each([
    ['required', { missingProperty: 'a/b' }, '/body/a~1b: expected a value, got nothing'],
    ['additionalProperties', { additionalProperty: 'a/b~' }, '/body/a~1b~0: expected no property of this name, got 1'],
    ['unevaluatedProperties', { unevaluatedProperty: 'b' }, '/body/b: expected no property of this name, got nothing'],
    ['enum', { allowedValues: ['a', 1] }, '/body: expected one of a, 1, got object'],
    ['enum', { allowedValues: [null, { a: [1n] }] }, '/body: expected one of null, {"a":[1]}, got object'],
    ['enum', { allowedValues: ['x'.repeat(600), 1] }, `/body: expected one of ${'x'.repeat(484)}..., got object`],
    ['const', { allowedValue: { a: 'b' } }, '/body: expected {"a":"b"}, got object'],
    ['x-exact', { rule: 'type' }, '/body: expected one, got object'],
  ])('of %s names the property, the values or the rule of %j', (keyword, params, message) => {
    const text = keyword === 'enum' ? 'must be equal to one of the allowed values' : 'must be one';
    const finding = { instancePath: '/body', message: text, keyword, params };
    expect(contractViolations(violationsOf([finding], request)).message).toBe(message);
  });

  it.each<[value: unknown, got: string]>([
    [9223372036854775808n, '9223372036854775808'],
    [new ExactNumber('1.0000000000000000001'), '1.0000000000000000001'],
    [new ExactNumber('9'.repeat(41)), `${'9'.repeat(40)}...`],
    [false, 'false'],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), `"${'x'.repeat(40)}..."`],
    ['<b>', '"?b?"'],
    ['"', '"?"'],
    ['\u001b[31m', '"?[31m"'],
    ['\u202e', '"?"'],
    [Buffer.from('x'), 'file'],
  ])('says %p as it was sent, as far as it is short and plain', (value, got) => {
    const finding = { instancePath: '/body', message: 'must be one', keyword: 'type' };
    expect(violationsOf([finding], { body: value })).toEqual([{ place: '/body', text: `expected one, got ${got}` }]);
  });

  it.each(['minLength', 'pattern', 'format'])('of %s does not say what may be a password', (keyword) => {
    const [found] = violationsOf([{ instancePath: '/body', message: '', keyword }], { body: 'hunter2' });
    expect(found?.text).toMatch(/, got string$/);
  });

  it('of the name of a property has that in its place', () => {
    const message = 'must match pattern "^a$"';
    const finding = { instancePath: '/body', keyword: 'pattern', message, propertyName: 'tags' };
    const [found] = violationsOf([finding], request);
    expect(found).toEqual({ place: '/body/tags', text: 'expected text that matches ^a$ as its name, got another' });
  });

  it('of a value of another type is all that is told of it', () => {
    const at = (instancePath: string, keyword: string, message: string) => ({ instancePath, keyword, message });
    const findings = [
      at('/body/name', 'type', 'must be string'),
      at('/body/name', 'enum', 'must be equal to one of the allowed values: a'),
      at('/body/tags', 'minItems', 'must NOT have fewer than 2 items'),
      at('/body/tags', 'contains', 'must contain at least 1 valid item(s)'),
    ];
    expect(violationsOf(findings, request).map(({ place, text }) => `${place} ${text}`)).toEqual([
      '/body/name expected string, got null',
      '/body/tags expected at least 2 items, got 1',
      '/body/tags expected at least 1 valid item(s), got array',
    ]);
  });

  it('has no more of a long list of values than a screen', () => {
    expect(violationAt('/body', 'x'.repeat(501), 'null').text).toBe(`${'x'.repeat(500)}..., got null`);
  });

  it.each([
    [3, ''],
    [4, '; and 1 more'],
    [VIOLATIONS_MAX - 1, '; and 46 more'],
    [VIOLATIONS_MAX, '; and at least 47 more'],
    [VIOLATIONS_MAX + 9, '; and at least 47 more'],
  ])('names the first three of %i, each once, and counts the others', (count, rest) => {
    const found = Array.from({ length: count }, (_, index) => violationAt(`/body/${index}`, 'expected a', 'b'));
    const error = contractViolations([...found, ...found.slice(0, 1)].slice(0, Math.max(count, 4)));
    const three = '/body/0: expected a, got b; /body/1: expected a, got b; /body/2: expected a, got b';
    expect(error.message).toBe(three + rest);
    expect(error.violations).toEqual(found.slice(0, VIOLATIONS_MAX));
  });
});

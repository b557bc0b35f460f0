import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { DEPTH_MAX, type JsonSyntaxError, parseJson, stringifyJson } from '../../../src/engine/json/json';
import { ExactNumber } from '../../../src/engine/json/number';

/** The value that a text says, its objects with the prototype that those of JSON.parse have. */
function read(text: string): unknown {
  return withPrototypes(parseJson(text).value);
}

function withPrototypes(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.double;
  if (Array.isArray(value)) return value.map(withPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPrototypes(member)]));
}

/** What parseJson says against a text, or undefined. */
function refusal(text: string): string | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return (error as JsonSyntaxError).message;
  }
}

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with all the freedom of its grammar: white space, escapes, numbers in every notation. */
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc
    .oneof(
      { maxDepth: 5 },
      fc.constantFrom('true', 'false', 'null', '0', '-0', '1e3', '1E+2', '-1.50e-7', '123456789012345678901234567890'),
      fc
        .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
        .map((number) => JSON.stringify(number)),
      fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
      fc.stringMatching(/^(?:\\["\\/bfnrt]|\\u00[0-9a-fA-F]{2}|[ -!#-[\]-~])*$/).map((text) => `"${text}"`),
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc
        .uniqueArray(fc.tuple(fc.string(), tie('value')), { selector: ([key]) => key, maxLength: 4 })
        .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)} :${value}`).join(', ')}}`),
    )
    .chain((text) => fc.constantFrom('', ' ', '\n\t', '\r').map((space) => `${space}${text}${space}`)),
})).value;

describe('parseJson', () => {
  it('reads what JSON.parse reads, as JSON.parse reads it', () => {
    fc.assert(fc.property(jsonText, (text) => expect(read(text)).toEqual(JSON.parse(text))));
  });

  it('refuses what JSON.parse refuses', () => {
    const piece = fc.constantFrom('', ',', '"', '}', ']', '0', '-', '\\', '\u0000', 'e', '//');
    const damaged = fc.tuple(jsonText, fc.nat(), piece, fc.nat(2)).map(([text, at, piece, cut]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + cut);
    });
    fc.assert(fc.property(damaged, (text) => expect(accepts(text) || refusal(text) !== undefined).toBe(true)));
  });

  it.each<[expected: string, texts: string[]]>([
    ['a value', ['¶', ' \n¶', '[1,¶]', '[¶', "¶'a'", '¶// 1', '¶\uFEFF{}', '¶\u00A0{}', '¶NaN', '¶-Infinity']],
    ['a value', ['[¶undefined]', '¶nul', '¶+1', '¶.5', '¶٣']],
    ['the end of the text', ['1 ¶2', '{}¶x', '1 ¶/* one */', '0¶1', '5¶.', '1¶e', '0¶x10']],
    ['a key', ['{"a":1,¶}', '{¶a:1}']],
    ['"," or "]"', ['[1 ¶2]']],
    ['"," or "}"', ['{"a":1¶']],
    ['":"', ['{"a" ¶1}']],
    ['the end of a string', ['"a¶', '"¶\n"', '"¶\u0000"']],
    ['an escape sequence', ['"¶\\x41"', '"¶\\', '"¶\\u00"', '"¶\\u+041"']],
    ['no lone surrogate', ['¶"\\ud83c"', '¶"\\udf35"', '¶"\\ud83c\\ud83c"', '{¶"\\ud83c":1}']],
    ['no duplicate key', ['{"a":1,¶"a":1}', '{"a":1,¶"\\u0061":2}', '{"__proto__":1,¶"__proto__":1}']],
    ['no duplicate key', ['[{"a":{"b":1,¶"b":2}}]']],
  ])('expects %s where a ¶ stands in %j', (expected, texts) => {
    for (const text of texts)
      expect(refusal(text.replace('¶', ''))).toBe(`expected ${expected} at offset ${text.indexOf('¶')}`);
  });

  it('reads as many levels as are documented, and no more', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(refusal(nested(DEPTH_MAX))).toBeUndefined();
    const tooDeep = (offset: number): string => `expected at most ${DEPTH_MAX} levels of nesting at offset ${offset}`;
    expect(refusal(nested(DEPTH_MAX + 1))).toBe(tooDeep(DEPTH_MAX));
    expect(refusal('{"a":'.repeat(100_000))).toBe(tooDeep(5 * DEPTH_MAX));
  });

  // V8 stops optimizing regular expressions in a process that has compiled many.
  it('reads texts of any length where regular expressions are not optimized', () => {
    const program = `
      const { parseJson } = require(process.argv[1]);
      for (const text of ['"' + 'x'.repeat(2e7) + '"', ' '.repeat(2e7) + '0']) console.log(String(parseJson(text).value).length);`;
    const compiled = join(dirname(process.env.PROGRAM ?? ''), 'engine', 'json', 'json.js');
    const options = ['--no-regexp-optimization', '--eval', program, compiled];
    expect(execFileSync(process.execPath, options, { encoding: 'utf8' })).toBe('20000000\n1\n');
  });

  const INHERITED = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'toJSON'];
  it.each(INHERITED)('takes %s for a key like any other, and inherits nothing', (key) => {
    const { value } = parseJson(`{${JSON.stringify(key)}:{"polluted":1}}`);
    expect(Object.entries(value as object)).toEqual([[key, expect.objectContaining({ polluted: 1 })]]);
    expect(key in (parseJson('{}').value as object)).toBe(false);
    expect('polluted' in (value as object)).toBe(false);
  });

  const DOUBLES = ['17', '-123456789012345', '9007199254740991', '1.0', '1e3', '-0', '0.1', '1.5e-7'];
  it.each(DOUBLES)('reads %s as a double, which says it as well', (text) => {
    expect(parseJson(`[${text}]`)).toEqual({ value: [Number(text)], hasExactNumbers: false });
  });

  const OTHERS = ['9007199254740993', '-9007199254740992', '1E400', '1e-400', '1.0000000000000000001'];
  it.each([...OTHERS, '9007199254740992.5'])('keeps %s as it was written: a double would misrepresent it', (text) => {
    const value: unknown = expect.objectContaining({ a: [new ExactNumber(text)] });
    expect(parseJson(`{"a":[${text}]}`)).toEqual({ value, hasExactNumbers: true });
  });
});

describe('stringifyJson', () => {
  it('takes a key `toJSON` for data, and a method of this name for what it is', () => {
    const { value } = parseJson('{"toJSON":1,"ids":[{"toJSON":null}]}');
    expect(stringifyJson({ value, id: 9007199254740993n })).toBe(
      '{"value":{"toJSON":1,"ids":[{"toJSON":null}]},"id":9007199254740993}',
    );
    expect(stringifyJson({ toJSON: 5n })).toBe('{"toJSON":5}');
    expect(stringifyJson(parseJson('{"n":[1e400,9007199254740993]}').value)).toBe('{"n":[1e400,9007199254740993]}');
    expect(stringifyJson([new Date(0)])).toBe('["1970-01-01T00:00:00.000Z"]');
  });

  it.each([NaN, -Infinity])('does not make null of %d', (number) => {
    expect(() => stringifyJson({ a: [number] })).toThrow(`expected data to write as JSON, got ${number}`);
  });

  it('writes what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(stringifyJson(value)).toBe(JSON.stringify(value))));
  });

  it.each([
    ['a bigint', 9223372036854775807n, '9223372036854775807'],
    ['bigints at any depth', { a: [-9223372036854775808n, { b: 0n }] }, '{"a":[-9223372036854775808,{"b":0}]}'],
    ['no property that is undefined', { a: undefined, b: 1 }, '{"b":1}'],
    ['no function and no symbol', { a: () => 1, b: Symbol('b') }, '{}'],
    ['null for an item that is undefined', [undefined], '[null]'],
    ['null for a gap', new Array(2), '[null,null]'],
    ['a date as it says itself', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['keys and texts escaped', { 'a"\n': '\u2028\\' }, '{"a\\"\\n":"\u2028\\\\"}'],
  ])('writes %s', (_what, value, text) => {
    expect(stringifyJson(value)).toBe(text);
  });
});

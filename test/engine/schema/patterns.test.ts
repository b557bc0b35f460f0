/** Patterns of contracts, run in linear time wherever a text could make JavaScript's own expressions run for ever. */
import fc from 'fast-check';
import { compilePattern, hangingPattern } from '../../../src/engine/schema/patterns';

/** Some that are run as they are, and those that are not for long texts, or for any. */
const PATTERNS = [
  ...['^[a-c]+$', 'a', '^a|b$', '^[^\\u0000]*$', '\\.a', '^\\p{L}+$', 'a.*b.*c', '\\s+$', '^\\S+\\s\\S*$', '[\\S]+a+'],
  ...['^(a+)+$', '^(a|a)*$', '^(?:[a-c0-9]+-)*[a-c0-9]+$', '^(\\w+\\s?)*$', '(?<x>[^\\s.]+.)+$', '^([[a:.]?)*$'],
  ...[
    '^(a?){20}$',
    '(\\ba\\b ?)+',
    '^(\\u{1F335}|.)+$',
    '^(?:[\\s\\-,]|\\d)*$',
    '^(\\p{Lu}|\\/)+$',
    '^(?=a)(b*)*$',
    '^(a)\\1*$',
  ],
];

it.each(PATTERNS)('%s decides on any text as the expression does', (pattern) => {
  const expression = new RegExp(pattern, 'u');
  const compiled = compilePattern(pattern);
  const piece = fc.constantFrom(
    'a',
    'b',
    'c',
    'A',
    '-',
    '.',
    ' ',
    '\n',
    '\r',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '🌵',
    'é',
    '[',
    ':',
    '/',
    '\\',
    '1',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 18 }), (pieces) => {
      const text = pieces.join('');
      expect(compiled.test(text)).toBe(expression.test(text));
    }),
  );
  expect(String(compiled)).toBe(String(expression));
});

it.each([
  ['^(a+)+$', `${'a'.repeat(50_000)}!`],
  ['^(a|a)*$', `${'a'.repeat(50_000)}!`],
  ['^(a?){25}a{25}$', 'a'.repeat(24)],
  ['.*a.*b.*c', 'ab'.repeat(25_000)],
  ['\\s+$', `${' '.repeat(50_000)}x`],
])('%s ends on any text', (pattern, text) => {
  expect(compilePattern(pattern).test(text)).toBe(false);
});

it('those that can only be run in a way that hangs are told, and no others', () => {
  const told = ['^(?=.*a)(?=.*b)[a-z]*[a-z0-9]*$', '^(?=a)(b*)*$', '^(a)(\\1)*$', '^([\\S]+ ?)+$'];
  const untold = ['^(?:[a-z0-9]+-)*[a-z0-9]+$', '^(a+)+$', '^#([0-9a-f]{3}){1,2}$', '^[(]+\\)+$'];
  expect([...told, ...untold].filter((pattern) => hangingPattern(pattern) !== undefined)).toEqual(told);
});

/** Patterns of contracts, run in few steps wherever a text could make JavaScript's own expressions run for ever. */
import fc from 'fast-check';
import { compilePattern } from '../../../src/engine/schema/patterns';

/** Some of each kind of part, in Unicode mode and without it, many of them from contracts of the world. */
const PATTERNS = [
  ...['^[a-c]+$', 'a', '^a|b$', '^[^\\u0000]*$', '\\.a', '^\\p{L}+$', 'a.*b.*c', '\\s+$', '^\\S+\\s\\S*$', '[\\S]+a+'],
  ...['^(a+)+$', '^(a|a)*$', '^(?:[a-c0-9]+-)*[a-c0-9]+$', '^(\\w+\\s?)*$', '(?<x>[^\\s.]+.)+$', '^([[a:.]?)*$'],
  ...['^(a?){20}$', '(\\ba\\b ?)+', '(\\Ba ?)+', '^(\\u{1F335}|.)+$', '^(?:[\\s\\-,]|\\d)*$', '^(\\p{Lu}|\\/)+$'],
  ...['^(\\P{Script=Latin}|a)+$', '^(?:[^\\S\\W]|\\D)+?$', '^([^]|a)*$', '^([]|a)*$', '(a*)*$|^(b*)*', '(?:^a|b$)+'],
  ...[
    '^(\\w+\\s?){1,5}$',
    '^([a-c0-9]{1,20}-?){1,5}$',
    '^([\\w-.]+ ?)+$',
    '^([\\-\\_a]+ ?)+$',
    '^(.|\\n)+$',
    '^(?:.a?)+$',
  ],
  ...['^[\\w-]+(\\.[\\w-]+)*$', '^([^\\x00-\\x1F]+)+$', '^([A-Z]+|[\\u4e00-\\u9fa5])+$', '^(\\cJ|\\x41|a{0}|\\0)+$'],
  ...['^(?=a)(b*)*$', '^(a)\\1*$', '^(?!\\s).+(?<!\\s)$', '^(?!^[-+.]*$)[+-]?1*\\d*\\.?\\d*$'],
];

const PIECES = [...'abcAZ-_. \n\r\u2028\u00a0\ufeff\u0000é字[:/\\1', '🌵', '𝒳'];

it.each(PATTERNS)('%s decides on any text as the expression does', (pattern) => {
  const compiled = compilePattern(pattern);
  const flags = ['^([\\w-.]+ ?)+$', '^([\\-\\_a]+ ?)+$'].includes(pattern) ? '' : 'u';
  const expression = new RegExp(pattern, flags);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 18 }), (pieces) => {
      const text = pieces.join('');
      fc.pre(text.length <= compiled.lengthMax);
      expect(compiled.test(text)).toBe(expression.test(text));
    }),
    { numRuns: 200 },
  );
  expect(String(compiled)).toBe(String(expression));
});

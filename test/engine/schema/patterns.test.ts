/** Patterns of contracts, run in few steps wherever a text could make JavaScript's own expressions run for ever. */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import fc from 'fast-check';
import { linearParts } from '../../../src/engine/schema/linear-pattern';
import { stepsOf } from '../../../src/engine/schema/pattern-steps';
import { compilePattern } from '../../../src/engine/schema/patterns';

/** Some of each kind of part, many of them from contracts of the world. */
const PATTERNS = [
  ...['^[a-c]+$', 'a', '^a|b$', '^[^\\u0000]*$', '\\.a', '^\\p{L}+$', 'a.*b.*c', '\\s+$', '^\\S+\\s\\S*$', '[\\S]+a+'],
  ...['^(a+)+$', '^(a|a)*$', '^(?:[a-c0-9]+-)*[a-c0-9]+$', '^(\\w+\\s?)*$', '(?<x>[^\\s.]+.)+$', '^([[a:.]?)*$'],
  ...['^(a?){20}$', '(\\ba\\b ?)+', '(\\Ba ?)+', '^(\\u{1F335}|.)+$', '^(?:[\\s\\-,]|\\d)*$', '^(\\p{Lu}|\\/)+$'],
  ...['^(\\P{Script=Latin}|a)+$', '^(?:[^\\S\\W]|\\D)+?$', '^([^]|a)*$', '^([]|a)*$', '(a*)*$|^(b*)*', '(?:^a|b$)+'],
  ...['^(\\w+\\s?){1,5}$', '^([a-c0-9]{1,20}-?){1,5}$', '^(.|\\n)+$', '^(?:.a?)+$', '^[\\w-]+(\\.[\\w-]+)*$'],
  ...['^([^\\x00-\\x1F]+)+$', '^([A-Z]+|[\\u4e00-\\u9fa5])+$', '^(\\cJ|\\x41|a{0}|\\0)+$'],
  ...[
    '^(?=.{1,9}$)((a[ab-]*\\.)+[a-c]+)$',
    '^(?!.*//)(/[a-c]+)*/?$',
    '(?!b)^(?=a|$)(?!ac)(a+-?b*)*$',
    '^(?!a)|^(a+)+$',
  ],
  ...['^(?=a)(b*)*$', '^(a)\\1*$', '^(?!\\s).+(?<!\\s)$', '^(?!^[-+.]*$)[+-]?1*\\d*\\.?\\d*$'],
];
/** Of which the flag u would make another, or none. */
const WITHOUT_U = ['^([\\w-.]+ ?)+$', '^([\\-\\_a]+ ?)+$', '^(.\\-_?)+$', '^([^\\-\\_]a?)+$'];

const PIECES = [...'abcAZ-_. \n\r\u2028\u00a0\ufeff\u0000é字[:/\\1', '🌵', '𝒳'];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 18 }).map((pieces) => pieces.join(''));

it.each([...PATTERNS, ...WITHOUT_U])('%s decides on any text as the expression does', (pattern) => {
  const compiled = compilePattern(pattern);
  const expression = new RegExp(pattern, WITHOUT_U.includes(pattern) ? '' : 'u');
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(compiled.engineFor(text).lengthMax >= text.length);
      expect(compiled.test(text)).toBe(expression.test(text));
    }),
  );
  expect(String(compiled)).toBe(String(expression));
});

it.each(['[^a]$', 'b[^a]$', '(?:[^a]|b)$', '[\\u{1F330}-\\u{1F340}]$', '^c$|[^b]$'])(
  '%s finds a character beyond the basic plane at the end',
  (pattern) => {
    expect(compilePattern(pattern).test('ab🌵')).toBe(true);
  },
);

describe('of patterns of any kind', () => {
  const { pattern } = fc.letrec<Record<'pattern' | 'sequence' | 'part' | 'atom', string>>((tie) => ({
    pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((each) => each.join('|')),
    sequence: fc.array(tie('part'), { maxLength: 3 }).map((each) => each.join('')),
    part: fc
      .tuple(tie('atom'), fc.constantFrom('', '', '+', '*', '?', '*?', '{2}', '{1,3}', '{2,}'))
      .map((each) => each.join('')),
    atom: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(
        ...['a', 'b', '.', '\\s', '\\W', '[ab]', '[^a]', '[^\\S\\n]', '\\p{Ll}', '\\u{1F335}'],
        ...['(?:^)', '(?:$)', '(?:\\b)'],
      ),
      tie('pattern').map((within) => `(${within})`),
    ),
  }));
  const short = fc
    .array(fc.constantFrom('a', 'a', 'b', ' ', '\n', '🌵'), { maxLength: 7 })
    .map((pieces) => pieces.join(''));
  const parse = (source: string): AST.Pattern =>
    new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  /** The bound for a text; discards an expression that could run for hours, which is the half of them. */
  const stepsForeseen = (source: string, text: string): number => {
    const steps = stepsOf(parse(source), 'u')(text.length);
    fc.pre(steps <= 1_000_000);
    return steps;
  };

  it('RE2 decides on a text as the expression does', () => {
    fc.assert(
      fc.property(pattern, short, (source, text) => {
        stepsForeseen(source, text);
        // From the beginning: at an end, Node 26 does not find a character beyond the basic plane (/[^a]$/u).
        const found = new RegExp(`^[^]*?(?:${source})`, 'u').test(text);
        const parts = linearParts(parse(source));
        expect(parts?.every(({ re2, isWanted }) => re2.test(text) === isWanted)).toBe(found);
      }),
      { numRuns: 1_000 },
    );
  });

  it('no text takes more steps than are foreseen', () => {
    fc.assert(
      fc.property(pattern, short, (source, text) => {
        const foreseen = stepsForeseen(source, text);
        expect(stepsTaken(parse(source), text, foreseen)).toBeLessThanOrEqual(foreseen);
      }),
      { numRuns: 1_000 },
    );
  });
});

it.each([
  ['^(a+)+$', `${'a'.repeat(50_000)}!`],
  ['^(a|a)*$', `${'a'.repeat(50_000)}!`],
  ['^(a?){25}a{25}$', 'a'.repeat(24)],
  ['.*a.*b.*c', 'ab'.repeat(25_000)],
  ['\\s+$', `${' '.repeat(50_000)}x`],
  ['^(\\w+\\s?){1,5}$', `${'a'.repeat(50_000)}!`],
  ['^([a-z0-9]{1,200}-?){1,50}$', `${'a'.repeat(50_000)}!`],
  ['^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$', `${'0'.repeat(50_000)}!`],
  ['^([\\w-.]+ ?)+$', `${'a'.repeat(50_000)}🌵`],
])('%s ends on any text', (pattern, text) => {
  expect(compilePattern(pattern).test(text)).toBe(false);
});

it.each([
  '^(-?)P(?=\\d|T\\d)(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)([DW]))?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+(?:\\.\\d+)?)S)?)?$',
  '^(-?)P(?=.)((\\d+)Y)?((\\d+)M)?((\\d+)D)?(T(?=.)((\\d+)H)?((\\d+)M)?(\\d*(\\.\\d+)?S)?)?$',
  '^P(?!$)(\\d+(?:\\.\\d+)?Y)?(\\d+(?:\\.\\d+)?M)?(\\d+(?:\\.\\d+)?W)?(\\d+(?:\\.\\d+)?D)?' +
    '(T(?=\\d)(\\d+(?:\\.\\d+)?H)?(\\d+(?:\\.\\d+)?M)?(\\d+(?:\\.\\d+)?S)?)?$',
])('%s takes durations', (pattern) => {
  const compiled = compilePattern(pattern);
  const taken = ['P1D', 'PT5M', 'P1Y2M3DT4H5M6.7S', 'P', 'P1', 'PT', '1D'].filter((text) => compiled.test(text));
  expect(taken).toEqual(['P1D', 'PT5M', 'P1Y2M3DT4H5M6.7S']);
});

it.each([
  ['^(?:[a-z0-9]+-)*[a-z0-9]+$', Infinity],
  ['^(a+)+$', Infinity],
  ['^(\\w+\\s?){1,5}$', Infinity],
  ['^([\\S]+ ?)+$', Infinity],
  ['^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,}$', Infinity],
  ['^(?!\\s).+(?<!\\s)$', Infinity],
  ['^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$', Infinity],
  ['^(?:(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*)$', 181],
  ['^(a)\\1*$', 9_996],
  ['[a-z]{900}!', 13_880],
  ['^(?:\\w+a\\w{64})+$', 6_944],
  ['^(?:[ab]{0,300}a[ab]{0,300}-?)+$', 413],
  ['^(?=.*a)(?=.*b)[a-z]*[a-z0-9]*$', Infinity],
  ['^(?:(?=.*a)(?=.*b)[a-z]*[a-z0-9]*)$', 4_996],
  ['(?<=!\\w*)$', 5_771],
  ['(?<=!\\p{L}*)$', 1_689],
  ['(?<=![aceghikmoqsuwyACEGIKMOQSUWY]*)$', 1_689],
  ['(?<=![\\s\\wäëïöü]*)$', 1_689],
  ['(?<=![\\s\\w.]*)$', 5_771],
  ['(?<=![edcbaA-ZfghijklmnopqrstuvwxyzÀ-ÿ]*)$', 5_771],
  ['^(?=a)(b*)*$', Infinity],
  ['^(?:(?=a)(b*)*)$', 6],
  ['^([a-z0-9]{1,200}-?){1,50}$', 3],
  // What comes after a group says where its last part ends,
  ['(\\d+)Y(?<!x)', 4_997],
  ['((\\d+)(?:\\.\\d+)?)[SH](?<!x)', 2_670],
  ['(\\d+)(?:[-+]|$)(?<!x)', 3_776],
  // but not if it may begin with what the part matches, or if the group is repeated.
  ['(\\w+)\\w(?<!x)', 3_160],
  ['(\\d+)(?:Y|1)(?<!x)', 2_234],
  ['(\\d+)(?:Y?|M)1(?<!x)', 1_888],
  ['(a+)(a+)b(?<!x)', 289],
  ['((\\d+)?x?)*(?<!x)', 3],
  ['((\\d+)?){2}Y(?<!x)', 29],
  ['(?<=$b?a*)(?<!x)', 3_013],
])('of %s texts of at most %d characters are decided on', (pattern, lengthMax) => {
  expect(compilePattern(pattern).lengthMax).toBe(lengthMax);
});

/** The parts that a backtracking engine tries before it knows whether a text matches; stops beyond a bound. */
function stepsTaken({ alternatives }: AST.Pattern, text: string, bound: number): number {
  const characters = [...text];
  let taken = 0;

  function* anyOf(branches: readonly AST.Alternative[], at: number): Generator<number> {
    for (const { elements } of branches) yield* sequence(elements, at);
  }
  function* sequence([first, ...rest]: readonly AST.Element[], at: number): Generator<number> {
    if (!first) return yield at;
    for (const next of one(first, at)) yield* sequence(rest, next);
  }
  function* one(element: AST.Element, at: number): Generator<number> {
    if (++taken > bound) return;
    if (element.type === 'Quantifier') return yield* repeated(element, at, 0);
    if (element.type === 'Group' || element.type === 'CapturingGroup') return yield* anyOf(element.alternatives, at);
    // Assertions look at what is before, too.
    const before = characters.slice(0, at).join('');
    const found = new RegExp(`(?<=^[^]{${at}})${element.raw}`, 'u').exec(text);
    if (found?.index === before.length) yield at + [...found[0]].length;
  }
  function* repeated(quantifier: AST.Quantifier, at: number, times: number): Generator<number> {
    const { element, min, max, greedy } = quantifier;
    if (!greedy && times >= min) yield at;
    if (times < max)
      for (const next of one(element, at)) if (next > at || times < min) yield* repeated(quantifier, next, times + 1);
    if (greedy && times >= min) yield at;
  }

  for (let start = 0; start <= characters.length; start++) if (!anyOf(alternatives, start).next().done) break;
  return taken;
}

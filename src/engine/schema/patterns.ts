/**
 * The patterns of a contract. JavaScript's expressions try one way after the other, which for `^(a+)+$` takes for ever on thirty
 * letters. Those that could are run by a port of RE2, whose time is linear in the text; the others are faster as they are.
 */
import type * as Re2 from 're2js';

/** What Ajv needs of an expression. */
export interface Pattern {
  test(text: string): boolean;
  /** Tells it from others. */
  toString(): string;
}

/** About how many steps an expression may take by itself. */
const STEPS_MAX = 1_000_000;

const compiled = new Map<string, Pattern>();

/** A pattern of a contract, compiled once; as an option of Ajv. */
export function compilePattern(pattern: string): Pattern {
  const known = compiled.get(pattern) ?? compile(pattern);
  compiled.set(pattern, known);
  return known;
}
// Ajv asks for it, for code that is written to a file.
compilePattern.code = 'compilePattern';

/** An expression in Unicode mode, or without it if only that mode accepts it: `[\\w-.]`, `\\_`; throws a SyntaxError for anything else. */
export function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    try {
      return new RegExp(pattern);
    } catch {
      throw error;
    }
  }
}

function compile(pattern: string): Pattern {
  const expression = expressionOf(pattern);
  const lengthMax = safeLength(pattern);
  const linear = lengthMax < Infinity ? linearPattern(pattern) : undefined;
  if (!linear) return expression;
  return {
    test: (text) => (text.length <= lengthMax ? expression.test(text) : linear.test(text)),
    toString: () => expression.toString(),
  };
}

/** Says why a text could make a pattern run for ever; undefined if none can. */
export function hangingPattern(pattern: string): string | undefined {
  const lengthMax = safeLength(pattern);
  if (lengthMax === Infinity || linearPattern(pattern)) return undefined;
  const [what, how] = lengthMax > 0 ? ['several things', 'long'] : ['a group', 'short'];
  return `it repeats ${what}, and has something (a lookahead, a back-reference) that only an expression can run which a ${how} text may hang`;
}

/** How long a text may be that needs no more than `STEPS_MAX` steps: each repetition may begin and end wherever the others leave it. */
function safeLength(pattern: string): number {
  const bare = pattern.replaceAll(/\\(?:[pPu]\{[^}]*\}|[^])/g, 'e').replaceAll(/\[[^\]]*\]/g, 'c');
  const repetitions = bare.match(/[*+]|\{\d+,\}|\{\d*,?\d{2,}\}/g)?.length ?? 0;
  if (/\)(?:[*+]|\{\d+,\}|\{\d*,?\d{2,}\})/.test(bare)) return 0;
  const starts = bare.startsWith('^') && !bare.includes('|') ? 0 : 1;
  return repetitions + starts <= 1 ? Infinity : STEPS_MAX ** (1 / (repetitions + starts));
}

const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const TOKEN = /\\(?:[pPu]\{[^}]*\}|[^])|[^]/gu;

/** The same pattern in RE2; undefined if that cannot say it. */
function linearPattern(pattern: string): Re2.RE2JS | undefined {
  if (/\[[^\]]*\\[Sb]/.test(pattern)) return undefined; // neither has a counterpart within a class
  let inClass = false;
  const translated = pattern.replaceAll(TOKEN, (token) => {
    if (token === '[' && inClass) return '\\['; // `[[:` begins a class of its own there
    if (token === '[' || token === ']') inClass = token === '[';
    if (token === '.' && !inClass) return '[^\\n\\r\\x{2028}\\x{2029}]';
    if (token === '\\s') return inClass ? SPACE : `[${SPACE}]`;
    if (token === '\\S' && !inClass) return `[^${SPACE}]`;
    return token;
  });
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- few contracts have such patterns
    const { RE2JS } = require('re2js') as typeof Re2;
    return RE2JS.compile(RE2JS.translateRegExp(translated));
  } catch {
    return undefined;
  }
}

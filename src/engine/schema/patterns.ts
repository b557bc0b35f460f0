/**
 * The patterns of a contract. JavaScript's expressions try one way after the other, which for `^(a+)+$` takes for ever on thirty
 * letters. A pattern is run by them on texts that take few steps whatever is in them (`pattern-steps.ts`), and on longer ones by a port
 * of RE2 (`linear-pattern.ts`). Where RE2 has no such pattern, texts have a longest length.
 */
import { RegExpParser } from '@eslint-community/regexpp';
import { linearPattern } from './linear-pattern';
import { stepsOf } from './pattern-steps';

/** A pattern as Ajv needs it. */
export interface Pattern {
  /** Whether a text matches; one that is too long does not. */
  test(text: string): boolean;
  /** Tells it from others. */
  toString(): string;
  /** What decides on a text. */
  engineFor(text: string): Engine;
  /** The longest text that can match, in UTF-16 code units. */
  readonly lengthMax: number;
}

interface Engine {
  test(text: string): boolean;
  /** The steps for texts of a length, at most; 0 where they are few for each character. */
  steps(length: number): number;
  /** Infinity where the steps are few for each character. */
  readonly lengthMax: number;
}

/** For one text: 25 ms, for a step of a JavaScript expression takes at most a quarter of a nanosecond of those that are foreseen. */
const STEPS_MAX = 100_000_000;
/** An instruction of RE2 takes as long as so many steps. */
const STEPS_PER_INSTRUCTION = 5;
/** Few for a text of a length. */
const fewSteps = (length: number): number => 5_000 + 500 * length;
/** No text is longer. */
const LENGTH_MAX = 2 ** 30;

const PARSER = new RegExpParser({ ecmaVersion: 2024 });

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
  const { flags, unicode } = expression;
  const parsed = PARSER.parsePattern(pattern, 0, pattern.length, { unicode });
  const toString = (): string => expression.toString();
  const asIs = engineOf(expression, stepsOf(parsed, flags));
  const fewMax = longest((length) => asIs.steps(length) === 0);
  const re2 = fewMax < Infinity ? linearPattern(parsed) : undefined;
  if (!re2) return patternOf(asIs.lengthMax, toString, () => asIs);
  const size = re2.programSize();
  const linear = engineOf(re2, (length) => size * STEPS_PER_INSTRUCTION * length);
  return patternOf(linear.lengthMax, toString, (text) => {
    // Without Unicode mode an expression goes over UTF-16 code units, and RE2 does not.
    return text.length <= fewMax || (!unicode && SURROGATE.test(text)) ? asIs : linear;
  });
}

const SURROGATE = /[\ud800-\udfff]/;

function patternOf(lengthMax: number, toString: () => string, engineFor: Pattern['engineFor']): Pattern {
  const test = (text: string): boolean => {
    const engine = engineFor(text);
    return text.length <= engine.lengthMax && engine.test(text);
  };
  return { test, toString, engineFor, lengthMax };
}

function engineOf(expression: { test(text: string): boolean }, bound: (length: number) => number): Engine {
  return {
    test: (text) => expression.test(text),
    steps(length) {
      const steps = bound(length);
      return steps <= fewSteps(length) ? 0 : steps;
    },
    lengthMax: longest((length) => bound(length) <= Math.max(STEPS_MAX, fewSteps(length))),
  };
}

/** The greatest length for which something is so, if it is for all that are shorter; Infinity if it is for any. */
function longest(isSo: (length: number) => boolean): number {
  let yes = 0;
  let no = 1;
  while (isSo(no)) {
    if (no >= LENGTH_MAX) return Infinity;
    yes = no;
    no *= 2;
  }
  while (no - yes > 1) {
    const middle = Math.floor((yes + no) / 2);
    if (isSo(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

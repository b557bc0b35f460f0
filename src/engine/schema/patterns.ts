/**
 * The patterns of a contract. JavaScript's expressions backtrack, which takes exponential time for `^(a+)+$`. They match texts up to a
 * length that takes few steps whatever the content is (`pattern-steps.ts`), and a port of RE2 matches longer ones (`linear-pattern.ts`). If
 * RE2 cannot express the pattern, the length of texts is limited.
 */
import { RegExpParser } from '@eslint-community/regexpp';
import type { RE2JS } from 're2js';
import { linearParts } from './linear-pattern';
import { stepsOf } from './pattern-steps';

/** A compiled pattern, as Ajv uses it. */
export interface Pattern {
  /** True if a text matches; one that is too long does not. */
  test(text: string): boolean;
  /** A text that identifies the pattern. */
  toString(): string;
  /** The engine that matches a text. */
  engineFor(text: string): Engine;
  /** The longest text that can match, in UTF-16 code units. */
  readonly lengthMax: number;
}

export interface Engine {
  test(text: string): boolean;
  /** An upper bound of the steps for texts of a length; 0 if they are few for each character. */
  steps(length: number): number;
  /** The longest text for which it and all shorter ones take few steps. */
  readonly fewMax: number;
  /** The longest text that the engine may match; Infinity if the steps are few for each character. */
  readonly lengthMax: number;
}

/**
 * The most steps for a text. A step of a JavaScript expression that backtracks takes a quarter of a nanosecond, and up to three quarters of one
 * where a set has characters beyond the basic plane, so that they take 25 to 80 ms.
 */
const STEPS_MAX = 100_000_000;
/** The duration of an instruction of RE2's NFA for a character, in steps: 50 ns. */
const STEPS_PER_INSTRUCTION = 200;
/** The instructions of a program that decides on any text: the NFA takes a microsecond or two for a character. */
const PROGRAM_SMALL = 40;
/** The instructions that RE2's DFA is used for. With more it may make a new state for each character, which takes six times as long as the NFA. */
const DFA_FEW = 16;
/** The number of steps that counts as few for a text of a length. */
const fewSteps = (length: number): number => 5_000 + 500 * length;
/** The length limit of all texts. */
const LENGTH_MAX = 2 ** 30;

const PARSER = new RegExpParser({ ecmaVersion: 2024 });

const compiled = new Map<string, Pattern>();

/** Compiles a pattern of a contract, once; an option of Ajv. Throws a SyntaxError. */
export function compilePattern(pattern: string): Pattern {
  try {
    const known = compiled.get(pattern) ?? compile(pattern);
    compiled.set(pattern, known);
    return known;
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('expected a pattern with fewer groups in one another');
    throw error;
  }
}
// Ajv requires it for standalone code.
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
  const asIs = engineOf(readRightly(expression), stepsOf(parsed, flags));
  const parts = asIs.fewMax < Infinity ? linearParts(parsed) : undefined;
  if (!parts) return patternOf(asIs.lengthMax, toString, () => asIs);
  const size = parts.reduce((sum, { re2 }) => sum + re2.programSize(), 0);
  const finds = (re2: RE2JS, text: string): boolean => (size <= DFA_FEW ? re2.test(text) : re2.matcher(text).find());
  const machine = { test: (text: string) => parts.every(({ re2, isWanted }) => finds(re2, text) === isWanted) };
  const bounded = engineOf(machine, (length) => size * STEPS_PER_INSTRUCTION * length);
  const isSmall = size <= PROGRAM_SMALL;
  const linear = isSmall ? { ...bounded, lengthMax: Infinity } : bounded;
  if (asIs.lengthMax >= linear.lengthMax && !isSmall) return patternOf(asIs.lengthMax, toString, () => asIs);
  return patternOf(linear.lengthMax, toString, (text) => {
    // Without Unicode mode an expression matches UTF-16 code units, but RE2 matches code points.
    return text.length <= asIs.fewMax || (!unicode && SURROGATE.test(text)) ? asIs : linear;
  });
}

/**
 * The expression as V8 matches it rightly. Of one that ends with `$`, V8 14 tries the last code units alone, one for each character: too few
 * for those beyond the basic plane, such as U+1F600 for `[^a]$`. The second alternative never matches, and both have a `^` if the first has.
 */
function readRightly({ source, flags }: RegExp): RegExp {
  return new RegExp(`${source}|^[]`, flags);
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
  const fewMax = longest((length) => bound(length) <= fewSteps(length));
  const known = new Map<number, number>();
  return {
    test: (text) => expression.test(text),
    fewMax,
    steps(length) {
      if (length <= fewMax) return 0;
      // A power of two, so that few bounds are worked out.
      const upTo = 2 ** Math.ceil(Math.log2(length));
      const steps = known.get(upTo) ?? bound(upTo);
      known.set(upTo, steps);
      return steps <= fewSteps(length) ? 0 : steps;
    },
    lengthMax: longest((length) => bound(length) <= Math.max(STEPS_MAX, fewSteps(length))),
  };
}

/** The greatest length for which `isSo` is true, if it is for all shorter ones; Infinity if it always is. */
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

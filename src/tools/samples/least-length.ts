/** The minimum length of a text that matches a pattern: one of `^(a{1000}){1000}$` is too long to be made. */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { expressionOf } from '../../engine/tooling';

/** The minimum length in characters; assertions and backreferences count as none. */
export function leastLength(pattern: string): number {
  const { unicode } = expressionOf(pattern);
  return ofAny(PARSER.parsePattern(pattern, 0, pattern.length, { unicode }).alternatives);
}

/** The number of repetitions in one another, of those that may be of many lengths. */
export function depthOf(pattern: string): number {
  const { unicode } = expressionOf(pattern);
  let [depth, deepest] = [0, 0];
  visitRegExpAST(PARSER.parsePattern(pattern, 0, pattern.length, { unicode }), {
    onQuantifierEnter: ({ min, max }) => (deepest = Math.max(deepest, (depth += Number(max - min > 1)))),
    onQuantifierLeave: ({ min, max }) => (depth -= Number(max - min > 1)),
  });
  return deepest;
}

const PARSER = new RegExpParser({ ecmaVersion: 2024 });

function ofAny(alternatives: readonly AST.Alternative[]): number {
  return Math.min(...alternatives.map(({ elements }) => elements.reduce((sum, each) => sum + ofElement(each), 0)));
}

function ofElement(element: AST.Element): number {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return ofAny(element.alternatives);
    case 'Quantifier':
      return element.min === 0 ? 0 : element.min * ofElement(element.element);
    case 'Assertion':
    case 'Backreference':
      return 0;
    default:
      return 1;
  }
}

/**
 * An upper bound of the steps in which JavaScript matches an expression. It backtracks: it tries the rest of the expression after each way
 * in which a part can match. `\w+` has as many ways as the text has characters, `(\w+ ?){1,5}` that number to the power of five.
 */
import type { AST } from '@eslint-community/regexpp';

/** The steps in a part of the expression from one place in the text, and the number of ways in which it can match there. */
interface Cost {
  steps: number;
  ways: number;
}

/** The duration of counting a repetition, as of `{900}`, in steps. */
const STEPS_PER_COUNT = 7;
/** The duration of a character of a set with a property of Unicode, such as `\p{L}`, in steps: it has hundreds of ranges. */
const STEPS_PER_PROPERTY = 33;
/** The number of repetitions up to which V8 does not count, but repeats the code. */
const UNROLLED = 3;

/** The bound for texts of a length, in UTF-16 code units. */
export function stepsOf({ alternatives }: AST.Pattern, flags: string): (length: number) => number {
  const elsewhere = stepsElsewhere(alternatives);
  return (length) => {
    const { steps } = new Bound(length, flags).anyOf(alternatives, false);
    return elsewhere === undefined ? (length + 1) * steps : length * elsewhere + steps;
  };
}

/** The steps until a match at another place than the start is ruled out; undefined if there may be one. */
function stepsElsewhere(alternatives: readonly AST.Alternative[]): number | undefined {
  let steps = 0;
  for (const { elements } of alternatives) {
    const [first] = elements;
    const isGroup = first?.type === 'Group' || first?.type === 'CapturingGroup';
    const own = isGroup ? stepsElsewhere(first.alternatives) : 0;
    if (own === undefined || (!isGroup && !(first?.type === 'Assertion' && first.kind === 'start'))) return undefined;
    steps += own + 1;
  }
  return steps;
}

class Bound {
  constructor(
    private readonly length: number,
    private readonly flags: string,
  ) {}

  anyOf(alternatives: readonly AST.Alternative[], isBackwards: boolean): Cost {
    const costs = alternatives.map(({ elements }) =>
      this.sequence(isBackwards ? elements.toReversed() : elements, isBackwards),
    );
    return costs.reduce((a, b) => ({ steps: a.steps + b.steps, ways: a.ways + b.ways }));
  }

  private sequence(elements: readonly AST.Element[], isBackwards: boolean): Cost {
    const total: Cost = { steps: 1, ways: 1 };
    for (const [index, element] of elements.entries()) {
      const { steps, ways } = this.element(element, isBackwards);
      total.steps += total.ways * (steps + ways);
      if (!this.isSettledBy(element, elements[index + 1])) total.ways *= ways;
    }
    return total;
  }

  private element(element: AST.Element, isBackwards: boolean): Cost {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.anyOf(element.alternatives, isBackwards);
      case 'Quantifier':
        return this.repeated(element, this.element(element.element, isBackwards));
      case 'Assertion': {
        if (!('alternatives' in element)) return { steps: 1, ways: 1 };
        // A lookaround is not tried in another way once it has matched.
        return { steps: this.anyOf(element.alternatives, element.kind === 'lookbehind').steps, ways: 1 };
      }
      case 'Backreference':
        return { steps: this.length, ways: 1 };
      default:
        return { steps: hasProperty(element) ? STEPS_PER_PROPERTY : 1, ways: 1 };
    }
  }

  private repeated({ min, max }: AST.Quantifier, { steps, ways }: Cost): Cost {
    // Beyond `min` each repetition takes a character, except one that is given up.
    const times = Math.min(max, min + this.length + 1);
    const counting = min > UNROLLED || (max > UNROLLED && max < Infinity) ? STEPS_PER_COUNT : 1;
    if (ways === 1) return { steps: (steps + counting) * times, ways: times - min + 1 };
    const total: Cost = { steps: 0, ways: 0 };
    for (let time = 0, reached = 1; time <= times && reached < Infinity; time++, reached *= ways) {
      total.steps += reached * (steps + counting);
      if (time >= min) total.ways += reached;
    }
    return total;
  }

  /** True if the next part allows at most one of the ways in which a part matches: `[^@]*` ends at the first `@`, `\w*$` at the end. */
  private isSettledBy(part: AST.Element, next: AST.Element | undefined): boolean {
    if (part.type !== 'Quantifier' || !part.element.type.startsWith('Character')) return false;
    if (next?.type === 'Assertion') return next.kind === 'end';
    if (next?.type !== 'Character') return false;
    const character = String.fromCodePoint(next.value);
    return !new RegExp(`^${part.element.raw}$`, this.flags).test(character);
  }
}

/** True for `\p{L}` and `[\p{L}-]`. */
function hasProperty(element: AST.Element): boolean {
  const parts = element.type === 'CharacterClass' ? element.elements : [element];
  return parts.some((part) => part.type === 'CharacterSet' && part.kind === 'property');
}

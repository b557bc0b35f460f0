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
/** The duration of a character of a set that V8 looks up in a table, in steps: one of many ranges, such as `\p{L}`. */
const STEPS_PER_LOOKUP = 33;
/** The most ranges of a set that V8 compares a character with in place. */
const RANGES_IN_PLACE = 16;
/** The number of ranges of the sets that have a name of their own: `.`, `\d`, `\s` and `\w`. */
const RANGES_OF = { any: 4, digit: 1, space: 10, word: 4, property: Infinity };
/** The number of repetitions up to which V8 does not count, but repeats the code. */
const UNROLLED = 3;

/** The bound for texts of a length, in UTF-16 code units. */
export function stepsOf({ alternatives }: AST.Pattern, flags: string): (length: number) => number {
  const elsewhere = stepsElsewhere(alternatives);
  return (length) => {
    const { steps } = new Bound(length, flags).anyOf(alternatives);
    return elsewhere === undefined ? (length + 1) * steps : length * elsewhere + steps;
  };
}

/** The steps until a match at another place than the start is ruled out; undefined if there may be one. */
function stepsElsewhere(alternatives: readonly AST.Alternative[]): number | undefined {
  let steps = 0;
  for (const { elements } of alternatives) {
    const [first] = elements;
    const isStart = first?.type === 'Assertion' && first.kind === 'start';
    const own = first && isGroup(first) ? stepsElsewhere(first.alternatives) : isStart ? 0 : undefined;
    if (own === undefined) return undefined;
    steps += own + 1;
  }
  return steps;
}

class Bound {
  constructor(
    private readonly length: number,
    private readonly flags: string,
    private readonly isBackwards = false,
  ) {}

  anyOf(alternatives: readonly AST.Alternative[]): Cost {
    const costs = alternatives.map((alternative) => this.sequence(this.inOrder(alternative)));
    return costs.reduce((a, b) => ({ steps: a.steps + b.steps, ways: a.ways + b.ways }));
  }

  private inOrder({ elements }: AST.Alternative): AST.Element[] {
    return this.isBackwards ? elements.toReversed() : elements;
  }

  private sequence(elements: readonly AST.Element[]): Cost {
    const total: Cost = { steps: 1, ways: 1 };
    for (const element of elements) {
      const { steps, ways } = this.element(element);
      const settling = this.stepsToSettle(element);
      total.steps += total.ways * (steps + ways * (settling ?? 1));
      if (settling === undefined) total.ways *= ways;
    }
    return total;
  }

  private element(element: AST.Element): Cost {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.anyOf(element.alternatives);
      case 'Quantifier':
        return this.repeated(element, this.element(element.element));
      case 'Assertion': {
        if (!('alternatives' in element)) return { steps: 1, ways: 1 };
        // A lookaround is not tried in another way once it has matched.
        const within = new Bound(this.length, this.flags, element.kind === 'lookbehind');
        return { steps: within.anyOf(element.alternatives).steps, ways: 1 };
      }
      case 'Backreference':
        return { steps: this.length, ways: 1 };
      default:
        return { steps: isLookedUp(element) ? STEPS_PER_LOOKUP : 1, ways: 1 };
    }
  }

  private repeated(quantifier: AST.Quantifier, { steps, ways }: Cost): Cost {
    const { min, max } = quantifier;
    // Beyond `min` each repetition takes a character, except one that is given up.
    const times = Math.min(max, min + this.length + 1);
    const counting = stepsToCount(quantifier);
    if (ways === 1) return { steps: (steps + counting) * times, ways: times - min + 1 };
    const total: Cost = { steps: 0, ways: 0 };
    for (let time = 0, reached = 1; time <= times && reached < Infinity; time++, reached *= ways) {
      total.steps += reached * (steps + counting);
      if (time >= min) total.ways += reached;
    }
    return total;
  }

  /**
   * The steps in which what comes after a part rules out one of the ways in which it matches, if it allows at most one of them: `[^@]*` ends
   * at the first `@`, `\w*$` at the end, and the digits of `(\d+)(?:\.\d+)?S` before a `.` or an `S`. Undefined if it may allow several.
   */
  private stepsToSettle(part: AST.Element): number | undefined {
    if (part.type !== 'Quantifier' || !part.element.type.startsWith('Character')) return undefined;
    const steps = this.stepsAfter(part, new RegExp(`^${part.element.raw}$`, this.flags));
    return steps < Infinity ? steps : undefined;
  }

  /** The steps in which what comes after an element fails at any character of a set; Infinity if it may match there. */
  private stepsAfter(element: AST.Element, set: RegExp): number {
    const { parent } = element;
    // After a part of a repetition, the same part may come.
    if (parent.type === 'Quantifier') return parent.max > 1 ? Infinity : 1 + this.stepsAfter(parent, set);
    if (parent.type !== 'Alternative') return Infinity;
    const elements = this.inOrder(parent);
    const afterAll = isGroup(parent.parent) ? 1 + this.stepsAfter(parent.parent, set) : Infinity;
    return this.stepsToFail(elements.slice(elements.indexOf(element) + 1), set, afterAll);
  }

  /** The steps in which elements, and what comes after all of them, fail at any character of a set. */
  private stepsToFail(elements: readonly AST.Element[], set: RegExp, afterAll = Infinity): number {
    let steps = 0;
    for (const element of elements) {
      steps += this.stepsToFailOne(element, set);
      if (element.type !== 'Quantifier' || element.min > 0) return steps;
    }
    return steps + afterAll;
  }

  private stepsToFailOne(element: AST.Element, set: RegExp): number {
    // Nothing comes after all of a group: several of its parts may be empty, and in many ways.
    if (isGroup(element))
      return element.alternatives.reduce((sum, each) => sum + 1 + this.stepsToFail(this.inOrder(each), set), 0);
    if (element.type === 'Quantifier') return stepsToCount(element) + this.stepsToFailOne(element.element, set);
    if (element.type === 'Assertion') return element.kind === (this.isBackwards ? 'start' : 'end') ? 1 : Infinity;
    const members = element.type === 'CharacterClass' && !element.negate ? element.elements : [element];
    const isOutside = members.every((each) => each.type === 'Character' && !set.test(String.fromCodePoint(each.value)));
    return isOutside ? 1 : Infinity;
  }
}

function isGroup(node: AST.Node): node is AST.Group | AST.CapturingGroup {
  return node.type === 'Group' || node.type === 'CapturingGroup';
}

/** The steps in which a repetition is counted. */
function stepsToCount({ min, max }: AST.Quantifier): number {
  return min > UNROLLED || (max > UNROLLED && max < Infinity) ? STEPS_PER_COUNT : 1;
}

/** True for sets of many ranges: `[\p{L}-]`, and one that lists hundreds of characters. */
function isLookedUp(element: AST.Element): boolean {
  const parts = element.type === 'CharacterClass' ? element.elements : [element];
  const listed = parts.flatMap((part) => {
    if (part.type === 'Character') return { from: part.value, to: part.value };
    return part.type === 'CharacterClassRange' ? { from: part.min.value, to: part.max.value } : [];
  });
  listed.sort((a, b) => a.from - b.from);
  // Neighbours are one range.
  const ranges = listed.filter(({ from }, index) => from - 1 !== listed[index - 1]?.to).length;
  const named = parts.reduce((sum, part) => sum + (part.type === 'CharacterSet' ? RANGES_OF[part.kind] : 0), 0);
  return ranges + named > RANGES_IN_PLACE;
}

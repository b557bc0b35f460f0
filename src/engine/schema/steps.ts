/**
 * A bound on the work for one request. A schema that contains itself in two ways, `oneOf` of two kinds of which each holds others, is
 * tried twice for each level of the value, and each of these twice again: 64 levels never end. So do schemas that refer to the next
 * twice, and items by the thousand of which each may be of thirty kinds.
 */
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition } from 'ajv/dist/types';
import { pointerOf } from '../contract/document';
import { compilePattern, type Pattern } from './patterns';
import { contractViolation } from './violation';

const STEPS_MAX = 100_000;
/** For large values more, so that none is refused whose schema goes through it a few times. */
const STEPS_PER_VALUE = 20;
/** What is said of a refused value is worth no more. */
const STEPS_AGAIN_MAX = 10_000;
/** Steps of a pattern that count as one. */
const PATTERN_STEPS = 1_000;

export class Steps {
  private left = 0;
  private value: unknown;
  private isExtended = false;

  /** Begins the decision on a value. */
  begin(value: unknown): void {
    this.left = STEPS_MAX;
    this.value = value;
    this.isExtended = false;
  }

  /** Begins to look at a refused value again, for more to say of it. */
  beginAgain(value: unknown): void {
    this.left = STEPS_AGAIN_MAX;
    this.value = value;
    this.isExtended = true;
  }

  /** Throws an ApiError if there were too many. */
  take(count = 1): void {
    this.left -= count;
    if (this.left >= 0) return;
    if (!this.isExtended) this.left += Math.max(0, STEPS_PER_VALUE * countValues(this.value) - STEPS_MAX);
    this.isExtended = true;
    if (this.left >= 0) return;
    throw contractViolation('/body', `expected a value that is decided in ${STEPS_MAX} steps`, 'one that takes more');
  }

  /** The Ajv keyword `x-step`, which `prepare.ts` puts into schemas that may be tried more than once. */
  keyword(): CodeKeywordDefinition {
    return {
      keyword: 'x-step',
      before: 'x-exact',
      code: ({ gen }) => {
        gen.code(_`${gen.scopeValue('keyword', { ref: this })}.take()`);
      },
    };
  }

  /** Ajv's option for patterns, with what each text costs counted. */
  patterns(): typeof compilePattern {
    const compile = (pattern: string): Pattern => {
      const compiled = compilePattern(pattern);
      const test = (text: string): boolean => {
        this.takeText(compiled, text);
        return compiled.test(text);
      };
      return compiled.lengthMax === Infinity ? compiled : { ...compiled, test };
    };
    return Object.assign(compile, { code: compilePattern.code });
  }

  private takeText(pattern: Pattern, text: string): void {
    const engine = pattern.engineFor(text);
    if (text.length > engine.lengthMax) {
      const place = pointerOf(placeOf(text, this.value) ?? []);
      throw contractViolation(place, `expected at most ${engine.lengthMax} characters, for its pattern`, 'more');
    }
    this.take(Math.ceil(engine.steps(text.length) / PATTERN_STEPS));
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, each) => count + countValues(each), 1);
}

/** Where a text is in a value, or in the names of its properties. */
function placeOf(text: string, value: unknown): string[] | undefined {
  if (value === text) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const within = name === text ? [] : placeOf(text, member);
    if (within) return [name, ...within];
  }
  return undefined;
}

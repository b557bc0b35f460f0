/**
 * A bound on the work for one request. A schema that contains itself in two ways, `oneOf` of two kinds of which each holds others, is
 * tried twice for each level of the value, and each of these twice again: 64 levels never end.
 */
import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition } from 'ajv/dist/types';
import { contractViolation } from './violation';

const STEPS_MAX = 100_000;
/** For large values more, so that none is refused whose schema goes through it a few times. */
const STEPS_PER_VALUE = 20;

export class Steps {
  private left = 0;
  private value: unknown;

  /** Begins the decision on a value. */
  begin(value: unknown): void {
    this.left = STEPS_MAX;
    this.value = value;
  }

  /** Throws an ApiError if there were too many. */
  take(): void {
    if (--this.left >= 0) return;
    this.left = STEPS_PER_VALUE * countValues(this.value) - STEPS_MAX;
    this.value = undefined;
    if (this.left > 0) return;
    throw contractViolation('/body', `expected a value that is decided in ${STEPS_MAX} steps`, 'one that takes more');
  }

  /** The Ajv keyword `x-step`, which `prepare.ts` puts into schemas that contain themselves. */
  keyword(): CodeKeywordDefinition {
    return {
      keyword: 'x-step',
      before: 'x-exact',
      code: ({ gen }) => {
        gen.code(_`${gen.scopeValue('keyword', { ref: this })}.take()`);
      },
    };
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, each) => count + countValues(each), 1);
}

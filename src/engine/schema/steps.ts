/**
 * A bound on the work for a request or an answer. A schema that contains itself in two ways, such as `oneOf` of two kinds of nodes, is evaluated twice
 * for each level of the value, each of these twice again, and never ends for 64 levels. The same holds for chains of schemas that refer to
 * the next one twice, and for thousands of items of thirty possible kinds.
 */
import type Ajv2020 from 'ajv/dist/2020';
import { _, type CodeGen } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, ErrorObject } from 'ajv/dist/types';
import { pointerOf } from '../contract/document';
import { ApiError } from '../errors/api-error';
import { beforeCall, extendKeyword } from './extend-keyword';
import { PATTERN_MS_MAX, PatternTime } from './pattern-time';
import { compilePattern, type Pattern } from './patterns';
import { countValues, stepsThrough } from './size';
import { contractViolation } from './violation';

const STEPS_MAX = 100_000;
/** The steps for each part of a large value, so that a schema may go through it a few times. */
const STEPS_PER_VALUE = 20;
/** The share of the steps for collecting all violations of a refused value. */
const SHARE_AGAIN = 0.1;
const TOO_MANY: ErrorObject = {
  ...{ keyword: 'x-step', instancePath: '', schemaPath: '', params: {} },
  message: `must be a value that is decided in ${STEPS_MAX} steps`,
};

/** Keywords that go through the items of a list, each of which is less than a step. */
const LOOPS = ['items', 'contains', 'unevaluatedItems'];
const STEPS_PER_ITEM = 0.5;
/** Keywords that go through all of a text, or all names of an object, whatever they find at the first. */
const OF_LENGTH = [
  ...['minLength', 'maxLength', 'pattern', 'format', 'minProperties', 'maxProperties', 'propertyNames'],
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties'],
];

/** A validator of a schema, as Ajv makes it. */
export interface Validator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

export class Steps {
  private left = 0;
  private value: unknown;
  private isExtended = false;
  private readonly patternTime = new PatternTime();

  /** Starts the count for validating a value or, with `isAgain`, for collecting all violations of a refused one. */
  begin(value: unknown, isAgain = false): void {
    const share = isAgain ? SHARE_AGAIN : 1;
    this.left = STEPS_MAX * share;
    this.patternTime.begin(share);
    this.value = value;
    this.isExtended = isAgain;
  }

  /** Counts steps; throws an ApiError if there were too many. */
  take(count = 1): void {
    this.left -= count;
    if (this.left >= 0) return;
    if (!this.isExtended) this.left += Math.max(0, STEPS_PER_VALUE * countValues(this.value) - STEPS_MAX);
    this.isExtended = true;
    if (this.left >= 0) return;
    throw contractViolation('/body', `expected a value that is decided in ${STEPS_MAX} steps`, 'one that takes more');
  }

  /** A validator that starts the count by itself, and refuses a value that takes too many steps. */
  bounded(validate: Validator): Validator {
    const test: Validator = (value) => {
      this.begin(value);
      try {
        const isValid = validate(value);
        test.errors = validate.errors ?? null;
        return isValid;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        test.errors = [TOO_MANY];
        return false;
      }
    };
    return test;
  }

  /** The Ajv keyword `x-step`, which `prepare.ts` puts into schemas that may be evaluated repeatedly. */
  keyword(): CodeKeywordDefinition {
    return {
      keyword: 'x-step',
      before: 'x-exact',
      code: ({ gen }) => this.countIn(gen),
    };
  }

  /** Makes an Ajv count each reference that it follows, for schemas without `x-step`. */
  countReferences(ajv: Ajv2020): void {
    extendKeyword(ajv, '$ref', ({ gen }) => this.countIn(gen));
  }

  private countIn(gen: CodeGen, count = 1): void {
    gen.code(_`${gen.scopeValue('keyword', { ref: this })}.take(${count})`);
  }

  /** Makes an Ajv count what its keywords go through, as a list, an object or a text may be long; returns it. */
  countLengths(ajv: Ajv2020): Ajv2020 {
    for (const keyword of LOOPS)
      extendKeyword(ajv, keyword, (cxt) => beforeCall(cxt, 'subschema', () => this.countIn(cxt.gen, STEPS_PER_ITEM)));
    for (const keyword of OF_LENGTH)
      extendKeyword(ajv, keyword, ({ gen, data }) => {
        gen.code(_`${gen.scopeValue('keyword', { ref: this })}.takeFor(${data})`);
      });
    return ajv;
  }

  /** Counts steps for going through the characters of a text or the names of an object once. */
  takeFor(value: unknown): void {
    const count = stepsThrough(value);
    if (count > 0) this.take(count);
  }

  /** Ajv's option for patterns, which bounds the time for all texts. */
  patterns(): typeof compilePattern {
    const compile = (pattern: string): Pattern => {
      const compiled = compilePattern(pattern);
      const test = (text: string): boolean => this.matches(compiled, text);
      return compiled.engineFor('').fewMax === Infinity ? compiled : { ...compiled, test };
    };
    return Object.assign(compile, { code: compilePattern.code });
  }

  private matches(pattern: Pattern, text: string): boolean {
    const engine = pattern.engineFor(text);
    if (text.length > engine.lengthMax) {
      const place = pointerOf(placeOf(text, this.value) ?? []);
      throw contractViolation(place, `expected at most ${engine.lengthMax} characters, for its pattern`, 'more');
    }
    if (!this.patternTime.isOver) return this.patternTime.matches(engine, text);
    throw contractViolation(
      '/body',
      `expected texts whose patterns are decided within ${PATTERN_MS_MAX} ms`,
      'some that take more',
    );
  }
}

/** The path of a text in a value, or in the names of its properties. */
function placeOf(text: string, value: unknown): string[] | undefined {
  if (value === text) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const within = name === text ? [] : placeOf(text, member);
    if (within) return [name, ...within];
  }
  return undefined;
}

/**
 * All that is wrong with a request, for one answer. What decides on requests stops at the first thing that is wrong; a request that is
 * refused is looked at again by an Ajv that goes on (`allErrors`), up to a bound.
 */
import type { CodeKeywordDefinition, ErrorObject, KeywordCxt } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';
import { _ } from 'ajv/dist/compile/codegen';
import N from 'ajv/dist/compile/names';
import type { Schema } from '../contract/document';
import { isSchema } from '../contract/traverse';
import { ApiError } from '../errors/api-error';
import type { Schemas } from './schemas';
import type { Steps } from './steps';
import { expectedOf, ruleOf, VIOLATIONS_MAX } from './violation';

/** Keywords that go over a value's items or properties, of which there may be thousands. */
const LOOPS = [
  'items',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
/** Those that leave it open which of their schemas is meant. */
const UNIONS = ['anyOf', 'oneOf'];
/** How many unions within each other are explained. */
const UNION_DEPTH_MAX = 8;

/**
 * Makes an Ajv with `allErrors` stop a loop once there are enough errors, so that a body that is wrong in 50,000 places costs no more
 * than one that is wrong in one: errors are copied at each `$ref`.
 */
export function collectingAjv(ajv: Ajv2020): Ajv2020 {
  for (const keyword of LOOPS)
    extendKeyword(ajv, keyword, (cxt) => {
      const stop = (): unknown =>
        cxt.gen.if(_`${N.errors} >= ${VIOLATIONS_MAX}`, () => {
          cxt.gen.break();
        });
      before(cxt, 'subschema', stop);
      if (keyword.endsWith('Properties')) before(cxt, 'error', stop); // of each that may not be there
    });
  return ajv;
}

/**
 * Has a union forget what is wrong by one branch before it tries the next, and `contains` by each item: all of it is copied each time
 * that a schema behind a `$ref` refuses the value. What is left is one error, that none fits.
 */
export function forgetTried(ajv: Ajv2020): Ajv2020 {
  for (const keyword of [...UNIONS, 'contains']) extendKeyword(ajv, keyword, forgetBefore);
  return ajv;
}

/** Forgets what is wrong by one schema before the next is tried, and before it is said that none fits. */
function forgetBefore(cxt: KeywordCxt): void {
  before(cxt, 'subschema', () => cxt.reset());
  before(cxt, 'error', () => cxt.reset());
}

/** Has a keyword of an Ajv's change what its code is made with; other Ajvs keep theirs. */
function extendKeyword(ajv: Ajv2020, keyword: string, prepare: (cxt: KeywordCxt) => void): void {
  const known = ajv.getKeyword(keyword);
  if (typeof known !== 'object' || !('code' in known)) throw new Error(`Ajv makes no code for ${keyword}`);
  const { code } = known;
  const extended: Pick<CodeKeywordDefinition, 'code'> = {
    code(cxt, rule) {
      prepare(cxt);
      code(cxt, rule);
    },
  };
  Object.assign(known, extended); // in its place among the rules, of which some depend on those before them
}

/** Wraps a method of Ajv's: something is done first. */
function before(cxt: KeywordCxt, method: 'subschema' | 'error', act: () => unknown): void {
  const own: (...args: never[]) => unknown = cxt[method].bind(cxt);
  Object.assign(cxt, {
    [method]: (...args: never[]): unknown => {
      act();
      return own(...args);
    },
  });
}

export class Collector {
  private schemas: Schemas | undefined;

  /** `open` gives the schemas as an Ajv of `collectingAjv` compiles them, when the first request is refused. */
  constructor(private readonly open: () => Schemas) {}

  /** All that is wrong with a value of a prepared schema, or `first` if that takes too many steps. */
  find(schema: Schema, value: unknown, first: Partial<ErrorObject>, steps: Steps): Partial<ErrorObject>[] {
    steps.beginAgain(value);
    try {
      const all = this.explain(this.errorsOf(schema, value), 0);
      return all.length > 0 ? all : [first];
    } catch (error) {
      if (error instanceof ApiError) return [first];
      throw error;
    }
  }

  private errorsOf(schema: Schema, value: unknown): ErrorObject[] {
    this.schemas ??= this.open();
    const validate = this.schemas.compilePrepared(schema);
    validate(value);
    const errors = validate.errors ?? [];
    validate.errors = null; // they hold on to the value
    return errors.slice(0, VIOLATIONS_MAX);
  }

  private explain(errors: readonly ErrorObject[], depth: number): ErrorObject[] {
    return errors.flatMap((error) => {
      const { keyword, params, instancePath } = error;
      // Said by the errors of what they apply.
      if (keyword === 'if' || keyword === 'propertyNames') return [];
      // Properties are unevaluated also if the schema that knows them is broken.
      const isWithin = (other: ErrorObject): boolean =>
        !other.keyword.startsWith('unevaluated') && `${other.instancePath}/`.startsWith(`${instancePath}/`);
      if (keyword.startsWith('unevaluated') && errors.some(isWithin)) return [];
      const isUnion = UNIONS.includes(keyword) && !params.passingSchemas && depth < UNION_DEPTH_MAX;
      return isUnion ? this.explainUnion(error, depth) : [error];
    });
  }

  /** What is wrong by the branch that was most likely meant; if none of them takes the value itself, what each expects. */
  private explainUnion(union: ErrorObject, depth: number): ErrorObject[] {
    const { parentSchema = {}, keyword, data, instancePath } = union;
    const branches = (parentSchema[keyword] as unknown[]).filter(isSchema);
    const all = branches.map((branch) => this.explain(this.errorsOf(branch, data), depth + 1));
    const [best] = all.filter((errors) => errors.length > 0 && !errors.some(isOfValue)).sort(byLikeness);
    if (best) return best.map((error) => ({ ...error, instancePath: instancePath + error.instancePath }));
    const expected = all.flatMap((errors) => errors.find(isOfValue) ?? []).map(expectedOf);
    const list = [...new Set(expected.map((each) => each.replace(/^expected /, '')))].join(' or ');
    return list === '' ? [union] : [{ ...union, keyword: 'type', message: `must be ${list}` }];
  }
}

/** Whether a scalar is wrong, or a value of another type than is expected, rather than something in it. */
function isOfValue(error: ErrorObject): boolean {
  const isScalar = typeof error.data !== 'object' || error.data === null;
  return error.instancePath === '' && (isScalar || ruleOf(error) === 'type');
}

/** A branch whose constants a value does not have is rarely the one that was meant. */
function byLikeness(a: readonly ErrorObject[], b: readonly ErrorObject[]): number {
  const constants = (errors: readonly ErrorObject[]): number =>
    errors.filter((each) => /^(?:const|enum)$/.test(ruleOf(each))).length;
  return constants(a) - constants(b) || a.length - b.length;
}

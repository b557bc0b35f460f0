/**
 * Collects all violations of a request for one answer. The first validation stops at the first error; a request that it
 * refuses is validated again by an Ajv with `allErrors`, up to a bound.
 */
import type { ErrorObject, KeywordCxt } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';
import { _ } from 'ajv/dist/compile/codegen';
import N from 'ajv/dist/compile/names';
import type { Schema } from '../contract/document';
import { isSchema } from '../contract/traverse';
import { ApiError } from '../errors/api-error';
import { beforeCall, extendKeyword } from './extend-keyword';
import type { Schemas } from './schemas';
import type { Steps } from './steps';
import { expectedOf, ruleOf, VIOLATIONS_MAX } from './violation';

/** Keywords that iterate over a value's items or properties, of which there may be thousands. */
const LOOPS = [
  'items',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
/** Keywords with alternatives. */
const UNIONS = ['anyOf', 'oneOf'];
/** The maximum depth of nested unions that are explained. */
const UNION_DEPTH_MAX = 8;

/**
 * Makes an Ajv with `allErrors` stop a loop once there are enough errors, so that a body with 50,000 errors costs no
 * more than one with a single error: errors are copied at each `$ref`.
 */
export function collectingAjv(ajv: Ajv2020): Ajv2020 {
  for (const keyword of LOOPS)
    extendKeyword(ajv, keyword, (cxt) => {
      const stop = (): unknown =>
        cxt.gen.if(_`${N.errors} >= ${VIOLATIONS_MAX}`, () => {
          cxt.gen.break();
        });
      beforeCall(cxt, 'subschema', stop);
      if (keyword.endsWith('Properties')) beforeCall(cxt, 'error', stop); // an error for each property that is not allowed
    });
  return ajv;
}

/**
 * Makes a union discard the errors of one branch before it tries the next, and `contains` those of each item: all
 * errors are copied each time that a schema behind a `$ref` refuses the value. One error is left, that none fits.
 */
export function forgetTried(ajv: Ajv2020): Ajv2020 {
  for (const keyword of [...UNIONS, 'contains']) extendKeyword(ajv, keyword, forgetBefore);
  return ajv;
}

/** Discards the errors of one schema before the next is tried, and before the error that none fits. */
function forgetBefore(cxt: KeywordCxt): void {
  beforeCall(cxt, 'subschema', () => cxt.reset());
  beforeCall(cxt, 'error', () => cxt.reset());
}

export class Collector {
  private schemas: Schemas | undefined;

  /** `open` returns the schemas for an Ajv of `collectingAjv`; it is called when the first request is refused. */
  constructor(private readonly open: () => Schemas) {}

  /** All errors of a value of a prepared schema, or `first` if collecting them takes too many steps. */
  find(schema: Schema, value: unknown, first: Partial<ErrorObject>, steps: Steps): Partial<ErrorObject>[] {
    steps.begin(value, true);
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
    validate.errors = null; // they would keep the value in memory
    return errors.slice(0, VIOLATIONS_MAX);
  }

  private explain(errors: readonly ErrorObject[], depth: number): ErrorObject[] {
    return errors.flatMap((error) => {
      const { keyword, params, instancePath } = error;
      // Redundant: the schemas that they apply have errors of their own.
      if (keyword === 'if' || keyword === 'propertyNames') return [];
      // Follow-up errors: properties are unevaluated, too, if the schema that declares them refused the value.
      const isWithin = (other: ErrorObject): boolean =>
        !other.keyword.startsWith('unevaluated') && `${other.instancePath}/`.startsWith(`${instancePath}/`);
      if (keyword.startsWith('unevaluated') && errors.some(isWithin)) return [];
      const isUnion = UNIONS.includes(keyword) && !params.passingSchemas && depth < UNION_DEPTH_MAX;
      return isUnion ? this.explainUnion(error, depth) : [error];
    });
  }

  /** The errors of the nearest branch; if none accepts the value itself, one error with all accepted types. */
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

/** True if the error is a wrong scalar or a wrong type of the value itself, rather than an error within it. */
function isOfValue(error: ErrorObject): boolean {
  const isScalar = typeof error.data !== 'object' || error.data === null;
  return error.instancePath === '' && (isScalar || ruleOf(error) === 'type');
}

/** Sorts branches by likeness: one whose constants the value does not have is rarely the one that was meant. */
function byLikeness(a: readonly ErrorObject[], b: readonly ErrorObject[]): number {
  const constants = (errors: readonly ErrorObject[]): number =>
    errors.filter((each) => /^(?:const|enum)$/.test(ruleOf(each))).length;
  return constants(a) - constants(b) || a.length - b.length;
}

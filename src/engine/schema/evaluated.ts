/**
 * The members of a value that keywords evaluate, where Ajv counts them wrongly: those of branches that do not accept the value, and those
 * known before a branch, the items of `contains`, and of `items` and `prefixItems` in a branch, and members with names such as `constructor`.
 */
import type { AnySchemaObject, KeywordCxt, ValidateFunction } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';
import { _, type CodeGen, Name } from 'ajv/dist/compile/codegen';
import { evaluatedPropsToName } from 'ajv/dist/compile/util';
import type { FuncKeywordDefinition } from 'ajv/dist/types';
import type { Document, Schema } from '../contract/document';
import { applicableSchemas, isSchema } from '../contract/traverse';
import { extendKeyword } from './extend-keyword';
import { compilePattern } from './patterns';
import type { Steps } from './steps';
import { type Deciding, unevaluatedKeys } from './unevaluated';

/** True if Ajv would get the `unevaluatedItems` of a schema wrong, so that it needs `x-unevaluated-items`. */
export function isMiscounted(document: Document, schema: Schema): boolean {
  if (schema.unevaluatedItems === undefined) return false;
  const isOfItems = ({ items, prefixItems, unevaluatedItems }: Schema): boolean =>
    items !== undefined || prefixItems !== undefined || unevaluatedItems !== undefined;
  return [...applicableSchemas(document, schema)].some(
    (each) => each.contains !== undefined || (each !== schema && isOfItems(each)),
  );
}

/** Makes an Ajv count what is evaluated; returns it. */
export function countEvaluated(ajv: Ajv2020, steps: Steps): Ajv2020 {
  extendKeyword(ajv, 'if', mergeIfAccepted);
  extendKeyword(ajv, 'unevaluatedItems', ({ it, parentSchema }) => {
    if (parentSchema['x-unevaluated-items'] === true) it.items = true; // leaves nothing to it
  });
  ajv.addKeyword(unevaluatedItems(ajv, steps));
  return forgetInherited(ajv);
}

/**
 * Makes an Ajv not take members named as those that every object inherits, such as `constructor`, for evaluated, keep its map of those that
 * are, go on behind `prefixItems`, and find nothing in a list without items; returns it.
 */
export function forgetInherited(ajv: Ajv2020): Ajv2020 {
  extendKeyword(ajv, 'unevaluatedProperties', ({ gen, it: { props } }) => {
    if (props instanceof Name)
      gen.if(_`typeof ${props} === "object"`, () => gen.code(_`Object.setPrototypeOf(${props}, null)`));
  });
  // A map that begins before the branches. Ajv would begin it in the code of one: if that is not run, what was known before is lost, and
  // in a list the map of the item before is taken. Or it would take the map of a branch, whether that accepts the value or not.
  for (const keyword of ['anyOf', 'oneOf', 'if', 'dependentSchemas'])
    extendKeyword(ajv, keyword, ({ gen, it }) => {
      if (it.props === undefined) it.props = gen.var('props', _`undefined`);
      else if (it.props !== true && !(it.props instanceof Name)) it.props = evaluatedPropsToName(gen, it.props);
    });
  // Ajv takes the very map of a validator that it calls, and would put what other schemas evaluate into it for all later values.
  const copying = new WeakSet<CodeGen>();
  extendKeyword(ajv, '$ref', ({ gen }) => {
    if (copying.has(gen)) return;
    copying.add(gen);
    const declare = gen.var.bind(gen);
    gen.var = (name, value, constant) => {
      const isOfCalled = name === 'props' && String(value).endsWith('.evaluated.props');
      return declare(name, isOfCalled ? _`typeof ${value} === "object" ? {...${value}} : ${value}` : value, constant);
    };
  });
  // Ajv would skip what follows, such as `contains`, for a list of fewer items.
  extendKeyword(ajv, 'prefixItems', (cxt) => {
    cxt.ok = () => undefined;
  });
  // Ajv would take for such a list what it has found in the one before, in a list of lists.
  extendKeyword(ajv, 'contains', (cxt) => {
    const result = cxt.result.bind(cxt);
    if (cxt.parentSchema.minContains === 0) return;
    cxt.result = (valid, ...then) => result(_`${cxt.data}.length > 0 && ${valid}`, ...then);
  });
  // Ajv writes to the map that a branch before has begun, if one has accepted the value.
  extendKeyword(ajv, 'patternProperties', ({ gen, it: { props } }) => {
    if (props instanceof Name) gen.if(_`${props} === undefined`, () => gen.assign(props, _`{}`));
  });
  return ajv;
}

/** Merges what an `if` evaluates if it accepts the value; Ajv merges it in any case. */
function mergeIfAccepted(cxt: KeywordCxt): void {
  let accepts: Name | undefined;
  const [subschema, merge] = [cxt.subschema.bind(cxt), cxt.mergeEvaluated.bind(cxt)];
  cxt.subschema = (what, valid) => {
    if (what.keyword === 'if') accepts = valid;
    return subschema(what, valid);
  };
  cxt.mergeEvaluated = (evaluated, toName) => {
    if (toName || !accepts) merge(evaluated, toName);
    else cxt.gen.if(accepts, () => merge(evaluated, Name));
  };
}

/** The keyword `x-unevaluated-items`, which checks the `unevaluatedItems` beside it. */
function unevaluatedItems(ajv: Ajv2020, steps: Steps): FuncKeywordDefinition {
  const compiled = new Map<unknown, ValidateFunction>();
  const schemas: Deciding = {
    patternOf: compilePattern,
    follow(schema) {
      const target = schema.$ref === undefined ? undefined : ajv.getSchema(schema.$ref)?.schema;
      return isSchema(target) ? this.follow(target) : schema;
    },
    testOf(schema) {
      if (!isSchema(schema)) return () => schema !== false;
      return (value) => {
        const target = this.follow(schema);
        const validate = compiled.get(target) ?? ajv.compile(target);
        compiled.set(target, validate);
        const isValid = validate(value);
        validate.errors = null; // they would keep the value in memory
        return isValid;
      };
    },
  };
  return {
    keyword: 'x-unevaluated-items',
    type: 'array',
    errors: false,
    compile(_true: true, schema: AnySchemaObject) {
      const fits = schemas.testOf(schema.unevaluatedItems);
      return (list: unknown[]) => {
        steps.take(list.length);
        return unevaluatedKeys(schemas, schema, list, [...list.keys()]).every((key) => fits(list[key]));
      };
    },
    error: { message: 'must NOT have other items' },
  };
}

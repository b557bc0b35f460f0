/**
 * `oneOf` and `anyOf` with a `discriminator`: the branch that the value names is tried first, so that a value that contains others of its
 * kind is decided in time linear in its size. The others are tried only if that one refuses it, and only those that may accept a value with
 * this name; the errors are then those of the named branch. If branches fix values of the property that are their own (`const`, `enum`),
 * those decide, as they would anyway; for the others `mapping` and the names of the schemas do, as OpenAPI has it.
 */
import type { KeywordCxt } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';
import { not } from 'ajv/dist/compile/codegen';
import { resetErrorsCount } from 'ajv/dist/compile/errors';
import N from 'ajv/dist/compile/names';
import { isDefaultBranch, isDiscriminator, namesOfBranch } from '../contract/discriminator';
import { type Document, resolve, type Schema } from '../contract/document';
import { conjoinedSchemas, constantsOf, isSchema } from '../contract/traverse';
import { extendKeyword } from './extend-keyword';

type Branch = Schema | boolean;

/** A branch that is told from the others by values of a discriminator's property. */
interface Tagged {
  branch: Branch;
  /** True if the branch itself fixes the values. */
  isFixed: boolean;
  values: readonly unknown[];
}

/** Rewrites a schema with a discriminator; if that does not distinguish all branches, it is removed without a replacement. */
export function rewriteDiscriminator(document: Document, schema: Schema): void {
  const { discriminator, oneOf, anyOf } = schema;
  const tagged = taggedBranches(document, schema);
  delete schema.discriminator;
  const keyword = oneOf ? 'oneOf' : 'anyOf';
  const branches = oneOf ?? anyOf;
  if (!tagged || !isDiscriminator(discriminator) || !isList(branches)) return;
  const { propertyName } = discriminator;
  const isOnlyObject = (branch: Branch): boolean =>
    typesDeclared(document, branch).some((types) => types.join() === 'object');
  const all = tagged.flatMap(({ values }) => values);
  const others = branches.filter((branch) => !isOnlyObject(branch));
  const usual = tagged.find(({ branch }) => isDefaultBranch(branch, discriminator))?.branch;
  // No branch accepts a value that breaks these rules: their message is clearer than that of the branches.
  const rules: Schema = {
    ...(!usual &&
      tagged.every(({ branch }) => requires(document, branch, propertyName)) && { required: [propertyName] }),
    ...(!usual && tagged.every(({ isFixed }) => isFixed) && { properties: { [propertyName]: { enum: all } } }),
  };
  const first = (named: Branch, others: readonly { branch: Branch }[]): Branch => {
    const rest = others.map(({ branch }) => branch).filter((branch) => branch !== named);
    if (rest.length === 0) return named;
    return { 'x-named': true, anyOf: [named, { [keyword]: rest }] };
  };
  const open = tagged.filter(({ isFixed }) => !isFixed);
  const named: Schema = {
    allOf: tagged.map(({ branch, isFixed, values }) => ({
      if: asTest({ properties: { [propertyName]: { enum: values } } }, isFixed),
      then: first(branch, open),
    })),
  };
  const isDecided = rules.required !== undefined && rules.properties !== undefined;
  const dispatch: Schema = {
    if: { type: 'object' },
    then: {
      ...rules,
      ...(isDecided
        ? named
        : {
            if: asTest({ required: [propertyName], properties: { [propertyName]: { enum: all } } }, open.length === 0),
            then: named,
            else: usual === undefined ? { [keyword]: tagged.map(({ branch }) => branch) } : first(usual, tagged),
          }),
    },
    else: others.length > 0 ? { [keyword]: others } : { type: 'object' },
  };
  Reflect.deleteProperty(schema, keyword);
  schema.allOf = [...(schema.allOf ?? []), dispatch];
}

/** The branches that may be objects, with the values that name each; undefined without a discriminator, or if it does not tell them apart. */
export function taggedBranches(document: Document, { discriminator, oneOf, anyOf }: Schema): Tagged[] | undefined {
  const branches = oneOf ?? anyOf;
  if (!isDiscriminator(discriminator) || !isList(branches)) return undefined;
  const isObject = (branch: Branch): boolean =>
    typesDeclared(document, branch).every((types) => types.includes('object'));
  const objects = branches.filter(isObject).map((branch) => ({
    branch,
    fixed: valuesOf(document, branch, discriminator.propertyName),
    names: namesOfBranch(branch, discriminator),
  }));
  const own = objects.map(({ branch, fixed, names }) => ({
    branch,
    isFixed: fixed !== undefined,
    values: [...(fixed ?? names)],
  }));
  // Branches may have the same values from a schema that all of them extend.
  const inherited = objects.map(({ branch, fixed, names }) => ({
    branch,
    isFixed: false,
    values: names.filter((name) => fixed?.has(name) ?? true),
  }));
  return [own, inherited].find(areToldApart);
}

/** The types that a schema, and each that it combines with, declares. */
function typesDeclared(document: Document, branch: Branch): string[][] {
  return [...conjoinedSchemas(document, branch)].flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
}

/**
 * Makes an Ajv try the first schema of an `anyOf` with `x-named` before the second, which only those values meet that the first refuses;
 * the errors are those of the first. Returns the Ajv.
 */
export function tryNamedFirst(ajv: Ajv2020): Ajv2020 {
  extendKeyword(ajv, 'anyOf', (cxt) => cxt.parentSchema['x-named'] === true && decideByName(cxt));
  return ajv;
}

function decideByName(cxt: KeywordCxt): true {
  const { gen, keyword } = cxt;
  const valid = gen.name('_valid');
  const named = cxt.subschema({ keyword, schemaProp: 0, compositeRule: true }, valid);
  cxt.mergeValidEvaluated(named, valid);
  const decided = gen.let('decided', valid);
  gen.if(not(valid), () => {
    const errors = gen.const('_errs', N.errors);
    const isOther = gen.name('_valid');
    const quiet = { createErrors: false, allErrors: false };
    const other = cxt.subschema({ keyword, schemaProp: 1, compositeRule: true, ...quiet }, isOther);
    cxt.mergeValidEvaluated(other, isOther);
    resetErrorsCount(gen, errors);
    gen.if(isOther, () => {
      gen.assign(decided, true);
      cxt.reset();
    });
  });
  cxt.ok(decided);
  return true;
}

/** A schema as a mere test, by which nothing counts as evaluated; where branches declare its property, they evaluate it anyway. */
function asTest(schema: Schema, isDeclared: boolean): Schema {
  return isDeclared ? schema : { not: { not: schema } };
}

function areToldApart(branches: readonly { values: readonly unknown[] }[]): boolean {
  const all = branches.flatMap(({ values }) => values);
  return branches.every(({ values }) => values.length > 0) && new Set(all).size === all.length;
}

function isList(branches: unknown): branches is Branch[] {
  return Array.isArray(branches) && branches.length > 0;
}

/** The values that a schema allows a property to have; undefined if it leaves them open. Each schema is looked at once: they may be nested. */
function valuesOf(
  document: Document,
  branch: unknown,
  property: string,
  known = new Map<Schema, Set<unknown> | undefined>(),
): Set<unknown> | undefined {
  if (!isSchema(branch)) return undefined;
  if (known.has(branch)) return known.get(branch);
  known.set(branch, undefined); // until it is known: it may contain itself
  const schema = resolve(document, branch);
  const own = schema.properties?.[property];
  const constants = isSchema(own) ? constantsOf(resolve(document, own)) : undefined;
  const sets = [
    constants && new Set(constants),
    ...(schema.allOf ?? []).map((each) => valuesOf(document, each, property, known)),
  ];
  for (const alternatives of [schema.oneOf, schema.anyOf]) {
    if (!isList(alternatives)) continue;
    const each = alternatives.map((alternative) => valuesOf(document, alternative, property, known));
    if (each.every((values) => values !== undefined)) sets.push(new Set(each.flatMap((values) => [...values])));
  }
  const all = sets.reduce((a, b) => (a && b ? new Set([...a].filter((value) => b.has(value))) : (a ?? b)), undefined);
  known.set(branch, all);
  return all;
}

/** True if a schema requires a property. */
function requires(document: Document, branch: unknown, property: string, seen = new Set<unknown>()): boolean {
  if (!isSchema(branch) || seen.has(branch)) return false;
  seen.add(branch);
  const { required = [], allOf = [] } = resolve(document, branch);
  return required.includes(property) || allOf.some((each) => requires(document, each, property, seen));
}

/**
 * `oneOf` and `anyOf` with a `discriminator`: only the branch that the value names is tried, so that a value that contains others of
 * its kind is decided in time linear in its size. If branches fix the values of the property themselves (`const`, `enum`), those
 * decide, as they would anyway; for the others `mapping` and the names of the schemas do, as OpenAPI has it.
 */
import { isDiscriminator, namesOfBranch } from '../contract/discriminator';
import { type Document, resolve, type Schema } from '../contract/document';
import { constantsOf, isSchema, typesOf } from '../contract/traverse';

type Branch = Schema | boolean;

/** Rewrites a schema with a discriminator; if that does not distinguish all branches, it is removed without a replacement. */
export function rewriteDiscriminator(document: Document, schema: Schema): void {
  const { discriminator, oneOf, anyOf } = schema;
  delete schema.discriminator;
  const keyword = oneOf ? 'oneOf' : 'anyOf';
  const branches = oneOf ?? anyOf;
  if (!isDiscriminator(discriminator) || !isList(branches)) return;
  const { propertyName } = discriminator;
  const isObject = (branch: Branch): boolean => {
    const types = isSchema(branch) ? typesOf([resolve(document, branch)]) : new Set();
    return types.size === 0 || types.has('object');
  };
  const tagged = branches.filter(isObject).map((branch) => {
    const fixed = valuesOf(document, branch, propertyName);
    return { branch, isFixed: fixed !== undefined, values: [...(fixed ?? namesOfBranch(branch, discriminator))] };
  });
  const all = tagged.flatMap(({ values }) => values);
  if (tagged.some(({ values }) => values.length === 0) || new Set(all).size !== all.length) return;
  const others = branches.filter((branch) => !isObject(branch));
  // No branch accepts a value that breaks these rules: their message is clearer than that of the branches.
  const rules: Schema = {
    ...(tagged.every(({ branch }) => requires(document, branch, propertyName)) && { required: [propertyName] }),
    ...(tagged.every(({ isFixed }) => isFixed) && { properties: { [propertyName]: { enum: all } } }),
  };
  const named: Schema = {
    allOf: tagged.map(({ branch, values }) => ({
      if: { properties: { [propertyName]: { enum: values } } },
      then: branch,
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
            if: { required: [propertyName], properties: { [propertyName]: { enum: all } } },
            then: named,
            else: { [keyword]: tagged.map(({ branch }) => branch) },
          }),
    },
    else: others.length > 0 ? { anyOf: others } : { type: 'object' },
  };
  Reflect.deleteProperty(schema, keyword);
  schema.allOf = [...(schema.allOf ?? []), dispatch];
}

function isList(branches: unknown): branches is Branch[] {
  return Array.isArray(branches) && branches.length > 0;
}

/** The values that a schema allows a property to have; undefined if it leaves them open. */
function valuesOf(
  document: Document,
  branch: unknown,
  property: string,
  seen = new Set<unknown>(),
): Set<unknown> | undefined {
  if (!isSchema(branch) || seen.has(branch)) return undefined;
  const within = new Set([...seen, branch]);
  const schema = resolve(document, branch);
  const own = schema.properties?.[property];
  const sets = [
    isSchema(own) ? asSet(constantsOf(resolve(document, own))) : undefined,
    ...(schema.allOf ?? []).map((each) => valuesOf(document, each, property, within)),
  ];
  for (const alternatives of [schema.oneOf, schema.anyOf]) {
    if (!isList(alternatives)) continue;
    const each = alternatives.map((alternative) => valuesOf(document, alternative, property, within));
    if (each.every((values) => values !== undefined)) sets.push(new Set(each.flatMap((values) => [...values])));
  }
  return sets.reduce((a, b) => (a && b ? new Set([...a].filter((value) => b.has(value))) : (a ?? b)), undefined);
}

/** True if a schema requires a property. */
function requires(document: Document, branch: unknown, property: string, seen = new Set<unknown>()): boolean {
  if (!isSchema(branch) || seen.has(branch)) return false;
  const { required = [], allOf = [] } = resolve(document, branch);
  const within = new Set([...seen, branch]);
  return required.includes(property) || allOf.some((each) => requires(document, each, property, within));
}

function asSet<T>(values: readonly T[] | undefined): Set<T> | undefined {
  return values && new Set(values);
}

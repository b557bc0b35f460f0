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
    const values = valuesOf(document, branch, propertyName) ?? namesOfBranch(branch, discriminator);
    return { branch, values: [...values] };
  });
  const all = tagged.flatMap(({ values }) => values);
  if (tagged.some(({ values }) => values.length === 0) || new Set(all).size !== all.length) return;
  const others = branches.filter((branch) => !isObject(branch));
  const dispatch: Schema = {
    if: { type: 'object' },
    then: {
      required: [propertyName],
      properties: { [propertyName]: { enum: all } },
      allOf: tagged.map(({ branch, values }) => ({
        if: { properties: { [propertyName]: { enum: values } } },
        then: branch,
      })),
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

function asSet<T>(values: readonly T[] | undefined): Set<T> | undefined {
  return values && new Set(values);
}

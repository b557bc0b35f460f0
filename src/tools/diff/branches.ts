/** The names of a discriminator's branches, which are sent: by its `mapping`, or else those of their schemas. */
import { type Document, isDiscriminator, nameIn, referenceOf, type Schema } from '../../engine/reading';
import { taggedBranches } from '../../engine/tooling';

/** A value that names a branch. */
interface Name {
  /** The name of the branch's schema, which is not sent. */
  of: string;
  /** True if the branch itself has the value, where redocly sees it. */
  isFixed: boolean;
}

/** A schema, and the document that it is in. */
type In = readonly [document: Document, schema: Schema];

/**
 * The values that name a branch of both contracts in one of them alone, or name another branch in each; undefined unless both have a
 * discriminator.
 */
export function changedNames(base: In, revised: In): ['added' | 'removed' | 'modified', string][] | undefined {
  const [before, now] = [namesIn(...base), namesIn(...revised)];
  if (!before || !now) return undefined;
  const [earlier, later] = [branchesOf(base[1]), branchesOf(revised[1])];
  const [gone, come] = [
    earlier.filter((each) => !later.includes(each)),
    later.filter((each) => !earlier.includes(each)),
  ];
  // A schema that is new has the place of one that is gone: it may be the same under another name.
  const earlierName = (of: string): string => gone[come.indexOf(of)] ?? of;
  const laterName = (of: string): string => come[gone.indexOf(of)] ?? of;
  return [
    ...[...before].flatMap(([value, { of, isFixed }]): ['removed' | 'modified', string][] => {
      if (isFixed || !later.includes(laterName(of))) return [];
      const same = now.get(value);
      if (!same) return [['removed', value]];
      return earlierName(same.of) === of ? [] : [['modified', value]];
    }),
    ...[...now].flatMap(([value, { of, isFixed }]): ['added', string][] =>
      isFixed || before.has(value) || !earlier.includes(earlierName(of)) ? [] : [['added', value]],
    ),
  ];
}

function namesIn(document: Document, schema: Schema): Map<string, Name> | undefined {
  const { discriminator } = schema;
  if (!isDiscriminator(discriminator) || branchesOf(schema).length === 0) return undefined;
  const tagged = (taggedBranches(document, schema) ?? []).flatMap(({ branch, isFixed, values }) =>
    values.map((value): [string, Name] => [String(value), { of: nameIn(referenceOf(branch) ?? ''), isFixed }]),
  );
  const mapped = Object.entries<unknown>(discriminator.mapping ?? {}).flatMap(([value, $ref]): [string, Name][] =>
    typeof $ref === 'string' ? [[value, { of: nameIn($ref), isFixed: false }]] : [],
  );
  return new Map([...tagged, ...mapped]);
}

/** The names of the schemas of the branches, in their order. */
function branchesOf({ oneOf, anyOf }: Schema): string[] {
  const branches: unknown[] = [oneOf ?? [], anyOf ?? []].flat();
  return branches.flatMap((branch) => {
    const $ref = referenceOf(branch);
    return $ref === undefined ? [] : [nameIn($ref)];
  });
}

/** Discriminators (OpenAPI 3.1, Discriminator Object): a property whose value names the branch of a `oneOf` or `anyOf` that is meant. */
import { isSchema } from './traverse';

export interface Discriminator {
  propertyName: string;
  mapping?: Record<string, string>;
  /** The branch of values that name none, by its name or its place. */
  defaultMapping?: string;
}

export function isDiscriminator(value: unknown): value is Discriminator {
  return isSchema(value) && typeof value.propertyName === 'string';
}

/** The values that name a branch: those of `mapping`, or else the name of its schema; none if the branch is no reference. */
export function namesOfBranch(branch: unknown, { mapping = {} }: Discriminator): string[] {
  const $ref = referenceOf(branch);
  if ($ref === undefined) return [];
  const mapped = Object.keys(mapping).filter((value) => isNamed($ref, mapping[value]));
  return mapped.length > 0 ? mapped : [nameIn($ref)];
}

/** True for the branch of values that lack the property, or whose value of it names no branch (OpenAPI 3.2). */
export function isDefaultBranch(branch: unknown, { defaultMapping }: Discriminator): boolean {
  const $ref = referenceOf(branch);
  return $ref !== undefined && isNamed($ref, defaultMapping);
}

/**
 * The reference that names a schema: its own, or the only one of its `allOf`, beside which keywords may stand that hold its values to more. With
 * properties of its own it is another schema.
 */
export function referenceOf(schema: unknown): string | undefined {
  if (!isSchema(schema)) return undefined;
  const [first, ...more] = schema.allOf ?? [];
  const isAlone = more.length === 0 && schema.properties === undefined;
  return schema.$ref ?? (isSchema(first) && isAlone ? first.$ref : undefined);
}

function isNamed($ref: string, name: string | undefined): boolean {
  return name === $ref || name === nameIn($ref);
}

/** The name of the schema that a reference within the document leads to. */
export function nameIn($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

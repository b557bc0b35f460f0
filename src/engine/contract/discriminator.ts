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
  if (!isSchema(branch) || branch.$ref === undefined) return [];
  const { $ref } = branch;
  const mapped = Object.keys(mapping).filter((value) => isNamed($ref, mapping[value]));
  return mapped.length > 0 ? mapped : [nameIn($ref)];
}

/** True for the branch of values that lack the property, or whose value of it names no branch (OpenAPI 3.2). */
export function isDefaultBranch(branch: unknown, { defaultMapping }: Discriminator): boolean {
  return isSchema(branch) && branch.$ref !== undefined && isNamed(branch.$ref, defaultMapping);
}

function isNamed($ref: string, name: string | undefined): boolean {
  return name === $ref || name === nameIn($ref);
}

/** The name of the schema that a reference within the document leads to. */
export function nameIn($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Discriminators (OpenAPI 3.1, Discriminator Object): a property whose value names the branch of a `oneOf` or `anyOf` that is meant. */
import { isSchema } from './traverse';

export interface Discriminator {
  propertyName: string;
  mapping?: Record<string, string>;
}

export function isDiscriminator(value: unknown): value is Discriminator {
  return isSchema(value) && typeof value.propertyName === 'string';
}

/** The values that name a branch: those of `mapping`, or else the name of its schema; none if the branch is no reference. */
export function namesOfBranch(branch: unknown, { mapping = {} }: Discriminator): string[] {
  if (!isSchema(branch) || branch.$ref === undefined) return [];
  const { $ref } = branch;
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  const mapped = Object.keys(mapping).filter((value) => mapping[value] === $ref || mapping[value] === name);
  return mapped.length > 0 ? mapped : [name];
}

/**
 * All schemas that may apply to one value, as one schema: references followed, and the branches of `allOf`, `anyOf` and the like side by
 * side. It says which types a text may be read as; whether the value then fits is for validation to say.
 */
import type { Document, Schema } from './document';
import { applicableSchemas, typesOf } from './traverse';

export class FlatSchema {
  readonly schemas: readonly Schema[];
  /** The types that any of the schemas names. */
  readonly types: ReadonlySet<string>;

  constructor(document: Document, roots: readonly unknown[]) {
    this.schemas = [...new Set(roots.flatMap((root) => [...applicableSchemas(document, root)]))];
    this.types = typesOf(this.schemas);
  }

  /** The schemas of its items, at any index. */
  get items(): unknown[] {
    return this.schemas.flatMap(({ items, prefixItems = [] }) => [...prefixItems, items]);
  }

  get propertyNames(): string[] {
    return [...new Set(this.schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
  }

  /** The schemas that `properties` has for a name. */
  propertiesNamed(name: string): unknown[] {
    return this.schemas.flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? properties[name] : []));
  }

  /** The schemas of properties that are not named. */
  get otherProperties(): unknown[] {
    return this.schemas.map(({ additionalProperties }) => additionalProperties);
  }
}

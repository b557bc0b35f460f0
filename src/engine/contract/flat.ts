/**
 * All schemas that may apply to one value, as one schema: references followed, and the branches of `allOf`, `anyOf` and the like side by
 * side. It says which types a text may be read as; whether the value then fits is for validation to say.
 */
import type { Document, Schema } from './document';
import { isNumber } from '../json/number';
import { applicableSchemas, constantsOf, isSchema, typesOf } from './traverse';

export class FlatSchema {
  readonly schemas: readonly Schema[];
  /** The types that any of the schemas names, or else those that they imply. */
  readonly types: ReadonlySet<string>;
  /** The number of items that have schemas of their own. */
  readonly listed: number;

  constructor(document: Document, roots: readonly unknown[]) {
    this.schemas = [...new Set(roots.flatMap((root) => [...applicableSchemas(document, root)]))];
    this.listed = Math.max(0, ...this.schemas.map(({ prefixItems = [] }) => prefixItems.length));
    const named = typesOf(this.schemas);
    this.types = named.size > 0 ? named : new Set(this.schemas.flatMap(impliedTypes));
  }

  /** The schemas of text: those that name the type, or have a text as a constant and name none. */
  get texts(): Schema[] {
    return this.schemas.filter(({ type, ...untyped }) => [type ?? impliedTypes(untyped)].flat().includes('string'));
  }

  /** The schemas of its items, at any index. */
  get items(): unknown[] {
    return this.schemas.flatMap(({ items, unevaluatedItems, prefixItems = [] }) => [
      ...prefixItems,
      items,
      unevaluatedItems,
    ]);
  }

  /** The schemas of the item at an index. */
  itemsAt(index: number): unknown[] {
    const described = this.schemas.map(({ items, prefixItems = [] }) =>
      index < prefixItems.length ? prefixItems[index] : items,
    );
    return orElse(
      described,
      this.schemas.map(({ unevaluatedItems }) => unevaluatedItems),
    );
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
    return orElse(
      this.schemas.map(({ additionalProperties }) => additionalProperties),
      this.schemas.map(({ unevaluatedProperties }) => unevaluatedProperties),
    );
  }
}

/** The schemas of what is described, or else of what no other keyword describes. */
function orElse(described: readonly unknown[], unevaluated: readonly unknown[]): unknown[] {
  const isDescribed = described.some((each) => each !== undefined && each !== false); // by one of several branches
  return [...(isDescribed ? described : unevaluated)];
}

/** The types that a schema without `type` implies. */
function impliedTypes(schema: Schema): string[] {
  if (schema.properties !== undefined || isSchema(schema.additionalProperties)) return ['object'];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array'];
  return (constantsOf(schema) ?? []).flatMap((value) => {
    if (isNumber(value)) return 'number';
    return typeof value === 'string' || typeof value === 'boolean' ? typeof value : value === null ? 'null' : [];
  });
}

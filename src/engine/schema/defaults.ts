/**
 * Fills in the defaults of properties that a valid value lacks, as the types of handlers promise. It is done after the decision, so that
 * no branch of `oneOf` is accepted for the defaults of another: of branches, those are filled in that the value fits.
 */
import type { Schema } from '../contract/document';
import { isSchema, schemasWithin } from '../contract/traverse';
import { compilePattern } from './patterns';
import type { Schemas } from './schemas';

export class Defaults {
  private readonly reaching = new Map<Schema, boolean>();

  /** `schemas` has the prepared schemas that `fill` is given, and decides on branches. */
  constructor(private readonly schemas: Schemas) {}

  /** Fills in what is missing in a value of the schema; returns whether anything was. */
  fill(schema: unknown, value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !isSchema(schema) || !this.reaches(schema)) return false;
    const target = this.schemas.follow(schema);
    const applied = [...this.applied(target, value)].map((each) => this.fill(each, value));
    const ofMembers = Array.isArray(value) ? this.fillItems(target, value) : this.fillProperties(target, value);
    return ofMembers || applied.includes(true);
  }

  /** The schemas within one that apply to the same value, of branches those that it fits. */
  private *applied({ allOf = [], ...schema }: Schema, value: object): Generator {
    yield* allOf;
    for (const branches of [schema.oneOf, schema.anyOf])
      if (Array.isArray(branches)) yield* branches.filter((branch) => this.reaches(branch) && this.fits(branch, value));
    if (schema.if !== undefined) yield this.fits(schema.if, value) ? schema.then : schema.else;
    for (const [name, dependent] of Object.entries(schema.dependentSchemas ?? {}))
      if (Object.hasOwn(value, name)) yield dependent;
  }

  private fits(branch: unknown, value: object): boolean {
    return isSchema(branch) ? this.schemas.compilePrepared(branch)(value) : branch !== false;
  }

  private fillItems({ prefixItems = [], items }: Schema, value: readonly unknown[]): boolean {
    return value.map((item, index) => this.fill(prefixItems[index] ?? items, item)).includes(true);
  }

  private fillProperties(
    { properties = {}, patternProperties = {}, additionalProperties }: Schema,
    value: object,
  ): boolean {
    let filled = false;
    for (const [name, property] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) continue;
      const standard = this.defaultOf(property);
      if (standard === undefined) continue;
      Reflect.set(value, name, structuredClone(standard));
      filled = true;
    }
    for (const [name, member] of Object.entries(value)) {
      const patterns = Object.keys(patternProperties).filter((pattern) => compilePattern(pattern).test(name));
      const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
      const named = [...own, ...patterns.map((pattern) => patternProperties[pattern])];
      for (const schema of named.length > 0 ? named : [additionalProperties])
        if (this.fill(schema, member)) filled = true;
    }
    return filled;
  }

  private defaultOf(property: unknown): unknown {
    if (!isSchema(property)) return undefined;
    return property.default ?? this.schemas.follow(property).default;
  }

  /** Whether there is a default in a schema, or in one that it refers to. */
  private reaches(schema: unknown): boolean {
    if (!isSchema(schema)) return false;
    const known = this.reaching.get(schema);
    if (known !== undefined) return known;
    const reached = new Set([schema]);
    let found = false;
    for (const each of reached) {
      found = Object.values(each.properties ?? {}).some((property) => this.defaultOf(property) !== undefined);
      if (found) break;
      for (const [within] of schemasWithin(each, [])) reached.add(this.schemas.follow(within)).add(within);
    }
    this.reaching.set(schema, found);
    return found;
  }
}

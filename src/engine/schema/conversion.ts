/**
 * Converts a value by the schemas that accept it, with a function for each schema, made once. Nothing is changed during
 * validation, and only branches that accept the value convert it, so that a branch that was only tried changes nothing.
 */
import type { Schema } from '../contract/document';
import { directlyWithin, isSchema } from '../contract/traverse';
import { ExactNumber } from '../json/number';
import type { Schemas } from './schemas';
import { unevaluatedKeys } from './unevaluated';

/** Returns the converted value; objects and lists are changed in place. Adds notes for the caller to `noted`. */
export type Convert = (value: unknown, noted: unknown[]) => unknown;

/** The change that a schema by itself makes to a value that it accepts; undefined if it makes none. */
export type OwnChange = (schema: Schema, schemas: Schemas) => Convert | undefined;

/** Converts with the schema that applies to a value, if one of several does. */
type Choice = (value: unknown) => Convert | undefined;

const SAME: Convert = (value) => value;

export class Conversion {
  private readonly made = new Map<Schema, Convert>();
  private readonly changing = new Map<Schema, boolean>();

  /** `schemas` has the prepared schemas that `of` takes, and chooses branches. */
  constructor(
    private readonly schemas: Schemas,
    private readonly ownChange: OwnChange,
  ) {}

  /** The conversion of values that a prepared schema accepts. */
  of(schema: unknown): Convert {
    return this.find(schema) ?? SAME;
  }

  /** The conversion of a schema; undefined if neither it nor a schema within it changes anything. */
  private find(schema: unknown): Convert | undefined {
    if (!isSchema(schema) || !this.changes(schema)) return undefined;
    const target = this.schemas.follow(schema);
    const known = this.made.get(target);
    if (known) return known;
    let convert = SAME;
    this.made.set(target, (value, noted) => convert(value, noted)); // for a schema that contains itself
    convert = this.make(target);
    this.made.set(target, convert);
    return convert;
  }

  private make(schema: Schema): Convert {
    const own = this.ownChange(schema, this.schemas) ?? [];
    const ofValue = (schema.allOf ?? []).flatMap((each) => this.find(each) ?? []).concat(own);
    const ofMembers = [this.ofItems(schema) ?? [], this.ofProperties(schema) ?? []].flat();
    const choices = [...this.choices(schema)];
    if (choices.length === 0) return inTurn([...ofValue, ...ofMembers]);
    const [first, last] = [inTurn(ofValue), inTurn(ofMembers)];
    return (value, noted) => {
      const chosen = choices.map((choose) => choose(value)); // before anything is changed
      let converted = first(value, noted);
      for (const convert of chosen) if (convert) converted = convert(converted, noted);
      return last(converted, noted);
    };
  }

  private *choices(schema: Schema): Generator<Choice> {
    // A valid value fits one branch of `oneOf`, or is of the first that a discriminator names: those behind it are not tried.
    const { oneOf, anyOf = [], 'x-named': isNamed = false } = schema;
    const single: unknown = isNamed === true ? anyOf : oneOf;
    const branches = (Array.isArray(single) ? single : []).flatMap((branch: unknown) => {
      const convert = this.find(branch) ?? (isNamed === true && branch === anyOf[0] ? SAME : undefined);
      return convert ? [{ fits: this.schemas.testOf(branch), convert }] : [];
    });
    if (branches.length > 0) yield (value) => branches.find(({ fits }) => fits(value))?.convert;
    if (single !== anyOf) for (const branch of anyOf) yield* this.choice(branch, branch);
    if (schema.if !== undefined) yield* this.choice(schema.if, schema.then, schema.else);
    for (const [name, dependent] of Object.entries(schema.dependentSchemas ?? {})) {
      const convert = this.find(dependent);
      if (convert) yield (value) => (isObject(value) && Object.hasOwn(value, name) ? convert : undefined);
    }
  }

  /** `then` for values that pass the test, `otherwise` for others; none if neither changes anything. */
  private *choice(test: unknown, then: unknown, otherwise?: unknown): Generator<Choice> {
    const [ifFits, ifNot] = [this.find(then), this.find(otherwise)];
    if (!ifFits && !ifNot) return;
    const fits = this.schemas.testOf(test);
    yield (value) => (fits(value) ? ifFits : ifNot);
  }

  private ofItems(schema: Schema): Convert | undefined {
    const { prefixItems = [], items } = schema;
    const first = prefixItems.map((each) => this.find(each));
    const rest = this.find(items);
    const unevaluated = this.find(schema.unevaluatedItems);
    if (!rest && !unevaluated && first.every((each) => !each)) return undefined;
    return (list, noted) => {
      if (!isList(list)) return list;
      const left = unevaluated && unevaluatedKeys(this.schemas, schema, list, [...list.keys()]);
      for (let at = 0; at < list.length; at++) convertMember(list, at, at < first.length ? first[at] : rest, noted);
      for (const key of left ?? []) convertMember(list, key, unevaluated, noted);
      return list;
    };
  }

  private ofProperties(schema: Schema): Convert | undefined {
    const { properties = {}, patternProperties = {} } = schema;
    const named = Object.entries(properties).map(([name, each]) => ({ name, convert: this.find(each) }));
    const patterns = Object.entries(patternProperties).map(([pattern, each]) => ({
      pattern: this.schemas.patternOf(pattern),
      convert: this.find(each),
    }));
    const rest = this.find(schema.additionalProperties);
    const unevaluated = this.find(schema.unevaluatedProperties);
    const changed = named.filter(({ convert }) => convert);
    const isOpen = rest !== undefined || patterns.some(({ convert }) => convert);
    if (changed.length === 0 && !isOpen && !unevaluated) return undefined;
    return (object, noted) => {
      if (!isObject(object)) return object;
      const left = unevaluated && unevaluatedKeys(this.schemas, schema, object, Object.keys(object));
      for (const { name, convert } of changed)
        if (Object.hasOwn(object, name)) convertMember(object, name, convert, noted);
      for (const key of left ?? []) convertMember(object, key, unevaluated, noted);
      for (const name of isOpen ? Object.keys(object) : []) {
        const matching = patterns.filter(({ pattern }) => pattern.test(name));
        for (const { convert } of matching) convertMember(object, name, convert, noted);
        if (matching.length === 0 && !Object.hasOwn(properties, name)) convertMember(object, name, rest, noted);
      }
      return object;
    };
  }

  /** True if a schema, or one within it or behind a reference, changes anything. */
  private changes(schema: Schema): boolean {
    if (!this.changing.has(schema)) this.findChanging(schema);
    return this.changing.get(schema) === true;
  }

  /** Decides for all schemas in reach of one at once, as each may be in reach of each: those change anything that lead to one which does. */
  private findChanging(schema: Schema): void {
    const leadingTo = new Map<Schema, Schema[]>();
    const reached = new Set([schema]);
    const changing = new Set<Schema>();
    for (const each of reached) {
      const known = this.changing.get(each);
      if (known ?? this.ownChange(each, this.schemas)) changing.add(each);
      if (known !== undefined) continue;
      this.changing.set(each, false);
      for (const next of [this.schemas.follow(each), ...directlyWithin(each).map(([inner]) => inner)]) {
        reached.add(next);
        const before = leadingTo.get(next);
        if (before) before.push(each);
        else leadingTo.set(next, [each]);
      }
    }
    for (const each of changing) {
      this.changing.set(each, true);
      for (const before of leadingTo.get(each) ?? []) changing.add(before);
    }
  }
}

function inTurn([first = SAME, ...others]: readonly Convert[]): Convert {
  if (others.length === 0) return first;
  return (value, noted) => others.reduce((converted, convert) => convert(converted, noted), first(value, noted));
}

function convertMember<Key extends string | number>(
  members: Record<Key, unknown>,
  key: Key,
  convert: Convert | undefined,
  noted: unknown[],
): void {
  const member = members[key];
  const converted = convert ? convert(member, noted) : member;
  if (converted !== member) members[key] = converted;
}

/** True if a value is an object in terms of JSON Schema: lists and exact numbers are not. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/**
 * Changes a value as the schemas that accept it say: a function for each schema, made once. Nothing is changed while Ajv decides, and of
 * branches those are followed that the value fits, so that one that was only tried changes nothing.
 */
import type { Schema } from '../contract/document';
import { isSchema, schemasWithin } from '../contract/traverse';
import { isOfType } from './number-rules';
import { compilePattern } from './patterns';
import type { Schemas } from './schemas';
import { unevaluatedKeys } from './unevaluated';

/** Returns what takes the place of a value: objects and lists are changed in place. What the caller needs to know is added to `noted`. */
export type Convert = (value: unknown, noted: unknown[]) => unknown;

/** The change that a schema by itself makes to a value that it accepts; undefined if it makes none. */
export type OwnChange = (schema: Schema, schemas: Schemas) => Convert | undefined;

/** Converts with the schema that applies to a value, if one of several does. */
type Choice = (value: unknown) => Convert | undefined;

/** Converts the members of an object or of a list. */
type ConvertMembers<Members> = (members: Members, noted: unknown[]) => void;

const SAME: Convert = (value) => value;

export class Conversion {
  private readonly made = new Map<Schema, Convert>();
  private readonly changing = new Map<Schema, boolean>();

  /** `schemas` has the prepared schemas that `of` is given, and decides on branches. */
  constructor(
    private readonly schemas: Schemas,
    private readonly ownChange: OwnChange,
  ) {}

  /** The conversion of values that a prepared schema accepts. */
  of(schema: unknown): Convert {
    return this.find(schema) ?? SAME;
  }

  /** Undefined if neither the schema nor one within it changes anything. */
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
    const all = (schema.allOf ?? []).flatMap((each) => this.find(each) ?? []);
    const choices = [...this.choices(schema)];
    const own = this.ownChange(schema, this.schemas);
    if (own) all.push(own);
    const ofItems = this.ofItems(schema);
    const ofProperties = this.ofProperties(schema);
    return (value, noted) => {
      // Chosen before anything is changed.
      const chosen = choices.length > 0 ? choices.flatMap((choose) => choose(value) ?? []) : choices;
      let converted = value;
      for (const convert of all) converted = convert(converted, noted);
      for (const convert of chosen) converted = convert(converted, noted);
      if (ofItems && Array.isArray(converted)) ofItems(converted, noted);
      else if (ofProperties && isObject(converted)) ofProperties(converted, noted);
      return converted;
    };
  }

  private *choices(schema: Schema): Generator<Choice> {
    for (const branches of [schema.oneOf, schema.anyOf])
      for (const branch of Array.isArray(branches) ? branches : []) yield* this.choice(branch, branch);
    yield* this.choice(schema.if, schema.then, schema.else);
    for (const [name, dependent] of Object.entries(schema.dependentSchemas ?? {})) {
      const convert = this.find(dependent);
      if (convert) yield (value) => (isObject(value) && Object.hasOwn(value, name) ? convert : undefined);
    }
  }

  /** `then` for values that fit the test, `otherwise` for others; none if neither changes anything. */
  private *choice(test: unknown, then: unknown, otherwise?: unknown): Generator<Choice> {
    const [ifFits, ifNot] = [this.find(then), this.find(otherwise)];
    if (ifFits || ifNot) yield (value) => (this.schemas.accepts(test, value) ? ifFits : ifNot);
  }

  private ofItems(schema: Schema): ConvertMembers<unknown[]> | undefined {
    const { prefixItems = [], items } = schema;
    const first = prefixItems.map((each) => this.find(each));
    const rest = this.find(items);
    const unevaluated = this.find(schema.unevaluatedItems);
    if (!rest && !unevaluated && first.every((each) => !each)) return undefined;
    return (members, noted) => {
      const left = unevaluated && unevaluatedKeys(this.schemas, schema, members, [...members.keys()]);
      for (let at = 0; at < members.length; at++)
        convertMember(members, at, at < first.length ? first[at] : rest, noted);
      for (const key of left ?? []) convertMember(members, key, unevaluated, noted);
    };
  }

  private ofProperties(schema: Schema): ConvertMembers<Record<string, unknown>> | undefined {
    const { properties = {}, patternProperties = {} } = schema;
    const named = Object.entries(properties).map(([name, each]) => ({ name, convert: this.find(each) }));
    const patterns = Object.entries(patternProperties).map(([pattern, each]) => ({
      pattern: compilePattern(pattern),
      convert: this.find(each),
    }));
    const rest = this.find(schema.additionalProperties);
    const unevaluated = this.find(schema.unevaluatedProperties);
    const changed = named.filter(({ convert }) => convert);
    const isOpen = rest !== undefined || patterns.some(({ convert }) => convert);
    if (changed.length === 0 && !isOpen && !unevaluated) return undefined;
    return (members, noted) => {
      const left = unevaluated && unevaluatedKeys(this.schemas, schema, members, Object.keys(members));
      for (const { name, convert } of changed)
        if (Object.hasOwn(members, name)) convertMember(members, name, convert, noted);
      for (const key of left ?? []) convertMember(members, key, unevaluated, noted);
      if (!isOpen) return;
      for (const name of Object.keys(members)) {
        const matching = patterns.filter(({ pattern }) => pattern.test(name));
        for (const { convert } of matching) convertMember(members, name, convert, noted);
        if (matching.length === 0 && !Object.hasOwn(properties, name)) convertMember(members, name, rest, noted);
      }
    };
  }

  /** Whether a schema changes anything, or one within it or behind a reference does. */
  private changes(schema: Schema): boolean {
    const known = this.changing.get(schema);
    if (known !== undefined) return known;
    const reached = new Set([schema]);
    for (const each of reached) {
      if (this.ownChange(each, this.schemas)) {
        this.changing.set(schema, true);
        return true;
      }
      for (const [within] of schemasWithin(each, [])) reached.add(this.schemas.follow(within)).add(within);
    }
    for (const each of reached) this.changing.set(each, false);
    return false;
  }
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

/** Whether a value is an object to a schema: a list and a number are none. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return isOfType(value, 'object');
}

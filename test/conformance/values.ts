/**
 * Values from a schema of the contract: such as keep to it, such as are at the edges of what it allows, and such as break
 * one of its rules each. Where a schema combines others, what is made here is but likely to do so: whoever uses it asks the
 * oracle. What only combines (`not`, `if`, `contains`, `dependentRequired`) is kept to and not broken on purpose.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { Document, Schema } from '../../src/contract/document';
import { arrayEdges, arrayWrongs, validArray } from './arrays';
import { integers } from './integers';
import { fromYaml, type Json, writeJson } from './json';
import { numbers } from './numbers';
import { objectEdges, objectWrongs, validObject } from './objects';
import { anything, type Kind, type Sample, sample } from './samples';
import { strings } from './strings';
import { START, type Trail, type Way, waysOf } from './ways';

export class Values {
  constructor(private readonly document: Document) {}

  /** Undefined where none can be made, as within a recursive schema that was gone round often enough. */
  valid(schema: unknown, trail: Trail = START): Arbitrary<Json> | undefined {
    const kinds = waysOf(this.document, schema, trail).flatMap((way) => this.validOf(way));
    return kinds.length === 0 ? undefined : fc.oneof(...kinds);
  }

  edges(schema: unknown, trail: Trail = START): Sample[] {
    return together(waysOf(this.document, schema, trail).flatMap((way) => this.edgesOf(way)));
  }

  wrongs(schema: unknown, trail: Trail = START): Sample[] {
    if (schema === false) return [sample('there at all', 1n, 'text', null)];
    const ways = waysOf(this.document, schema, trail);
    return together([...wrongTypes(ways), ...ways.flatMap((way) => this.wrongsOf(way))]);
  }

  private validOf(way: Way): Arbitrary<Json>[] {
    const listed = enumOf(way.schema);
    if (listed) return listed.length === 0 ? [] : [fc.constantFrom(...listed)];
    const types = typesOf(way.schema);
    if (!types) return [anything];
    return types.flatMap((type) => this.kind(type, way)?.valid(way.schema) ?? []);
  }

  private edgesOf(way: Way): Sample[] {
    const listed = enumOf(way.schema);
    if (listed) return listed.map((value) => sample(writeJson(value), value));
    return (typesOf(way.schema) ?? []).flatMap((type) => this.kind(type, way)?.edges(way.schema) ?? []);
  }

  private wrongsOf(way: Way): Sample[] {
    if (enumOf(way.schema)) return [sample('not listed', 'not listed', -7n, 4_294_967_297n, true, null)];
    return (typesOf(way.schema) ?? []).flatMap((type) => this.kind(type, way)?.wrongs(way.schema) ?? []);
  }

  private kind(type: string, way: Way): Kind | undefined {
    switch (type) {
      case 'object':
        return {
          valid: () => validObject(way, this),
          edges: () => objectEdges(way, this),
          wrongs: () => objectWrongs(way, this),
        };
      case 'array':
        return {
          valid: () => validArray(way, this),
          edges: () => arrayEdges(way, this),
          wrongs: () => arrayWrongs(way, this),
        };
      default:
        return SCALARS.get(type);
    }
  }
}

const SCALARS: ReadonlyMap<string, Kind> = new Map([
  ['string', strings],
  ['integer', integers],
  ['number', numbers],
  ['boolean', only(true, false)],
  ['null', only(null)],
]);

function only(...values: Json[]): Kind {
  return {
    valid: () => fc.constantFrom(...values),
    edges: () => values.map((value) => sample(writeJson(value), value)),
    wrongs: () => [],
  };
}

/** Keywords that say of what type a value is meant to be, where nothing else does. */
const TELLING: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  items: 'array',
  prefixItems: 'array',
  pattern: 'string',
  minLength: 'string',
  maxLength: 'string',
  minimum: 'number',
  maximum: 'number',
};

function typesOf(schema: Schema): string[] | undefined {
  if (schema.type !== undefined) return [schema.type].flat();
  const told = Object.entries(TELLING).filter(([keyword]) => Object.hasOwn(schema, keyword));
  return told.length === 0 ? undefined : [...new Set(told.map(([, type]) => type))];
}

function enumOf({ enum: listed }: Schema): Json[] | undefined {
  return Array.isArray(listed) ? listed.map(fromYaml) : undefined;
}

/** Values of each type of JSON, and those that a lenient reader would take for one of another. */
const OF_TYPE: readonly [type: string, what: string, values: Json[]][] = [
  ['null', 'null', [null]],
  ['boolean', 'of type boolean', [true, false]],
  ['number', 'of type number', [7n, 0n, 1.5]],
  ['string', 'of type string', ['text', '', '-']],
  ['string', 'of type string that says a number', ['5']],
  ['string', 'of type string that says a word of JSON', ['true', 'null']],
  ['array', 'of type array', [[], [1n, 2n], ['text']]],
  ['object', 'of type object', [{}, { value: 1n }]],
];

function wrongTypes(ways: readonly Way[]): Sample[] {
  if (ways.length === 0) return [];
  const allowed = ways.flatMap(({ schema }) => schema.type ?? OF_TYPE.map(([type]) => type));
  if (allowed.includes('integer')) allowed.push('number');
  return OF_TYPE.flatMap(([type, what, values]) => (allowed.includes(type) ? [] : [sample(what, ...values)]));
}

/** Samples of the same kind, from whichever way, as one. */
function together(samples: readonly Sample[]): Sample[] {
  const byKind = new Map<string, Sample>();
  for (const each of samples) {
    const kind = `${each.at} ${each.what}`;
    const known = byKind.get(kind);
    byKind.set(kind, known ? { ...each, value: fc.oneof(known.value, each.value) } : each);
  }
  return [...byKind.values()];
}

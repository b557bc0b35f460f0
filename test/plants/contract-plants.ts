/** Plants made from the contract's own schema, so that a property that it gains is one more in the tests of every store. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { isSchema } from '../../src/engine/reading';
import type { NewPlant } from '../../src/plants/repository';
import { readContract } from '../../src/tools/conformance/contract';
import { flatten } from '../../src/tools/samples/flatten';
import { valuesOf } from '../../src/tools/samples/values';
import { fromYaml, isObject, type Json, JsonNumber } from '../../src/tools/samples/json';
import { ourContract } from './support/our-service';

const { document } = readContract(ourContract);
const SCHEMA = { $ref: '#/components/schemas/NewPlant' };
const { properties = {}, required = [] } = flatten(document, SCHEMA)[0] ?? {};

/** The names of all that a plant may have but its id. */
export const contents = Object.keys(properties).filter((name) => name !== 'id');

/** The properties that have a default, with its value. */
export const defaults = Object.fromEntries(
  Object.entries(properties).flatMap(([name, schema]) => {
    const standard: unknown = isSchema(schema) ? schema.default : undefined;
    return standard === undefined ? [] : [[name, asHandled(fromYaml(standard), schema)]];
  }),
);

/** The plant with all that it may have. */
export const fullPlant = plantOf(1);

/** The plant with another value of one property, and without it where it may be left out. */
export function plantsWithAnother(name: string): NewPlant[] {
  const changed = { ...fullPlant, [name]: anotherOf(name) };
  const { [name]: _left, ...without } = { ...fullPlant } as Record<string, unknown>;
  return required.includes(name) ? [changed] : [changed, without as unknown as NewPlant];
}

function anotherOf(name: string): unknown {
  for (let seed = 2; ; seed++) {
    const value: unknown = Reflect.get(plantOf(seed), name);
    if (!isDeepStrictEqual(value, Reflect.get(fullPlant, name))) return value;
  }
}

function plantOf(seed: number): NewPlant {
  const made = valuesOf(document, SCHEMA, 'full')?.filter(isKept);
  const [value] = made ? fc.sample(made, { seed, numRuns: 1 }) : [];
  if (!isObject(value)) throw new Error('expected the contract to say what a plant is');
  const named = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(
    named.map(([name, each]) => [name, asHandled(each, properties[name])]),
  ) as unknown as NewPlant;
}

/** No store keeps U+0000, whatever the contract says. */
function isKept(value: Json): boolean {
  return !JSON.stringify(value).includes('\\u0000');
}

/** A value as handlers get it: an int64 as a `bigint`, any other number as a double. */
function asHandled(value: Json | undefined, schema: unknown): unknown {
  const { format, items, properties: members = {} } = flatten(document, schema)[0] ?? {};
  if (value instanceof JsonNumber) return format === 'int64' ? value.integer : Number(value.text);
  if (Array.isArray(value)) return value.map((each) => asHandled(each, items));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asHandled(member, members[name])]));
}

/** Plants made from the contract's own schema, so that a property that it gains is one more in the tests of every store. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { FlatSchema } from '../../src/engine/contract/flat';
import { conjoinedSchemas, isSchema } from '../../src/engine/reading';
import type { NewPlant } from '../../src/plants/repository';
import { readContract } from '../../src/tools/conformance/contract';
import { flatten } from '../../src/tools/samples/flatten';
import { valuesOf } from '../../src/tools/samples/values';
import { fromYaml, isObject, type Json, JsonNumber } from '../../src/tools/samples/json';
import { ourContract } from './support/our-service';

const { document } = readContract(ourContract);
const SCHEMA = { $ref: '#/components/schemas/NewPlant' };
const flat = new FlatSchema(document, [SCHEMA]);
/** The schema of a property, wherever the contract names it: in one of several branches, or on a condition. */
const schemaOf = (name: string): unknown => ({ anyOf: flat.propertiesNamed(name) });
const required: readonly unknown[] = flat.schemas.flatMap((each) => each.required ?? []);

/** The names of all that a plant may have but its id. */
export const contents = flat.propertyNames.filter((name) => name !== 'id');

/** The properties that have a default in every plant, with its value. */
export const defaults = Object.fromEntries(
  [...conjoinedSchemas(document, SCHEMA)].flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) =>
      isSchema(schema) && schema.default !== undefined ? [[name, asHandled(fromYaml(schema.default), schema)]] : [],
    ),
  ),
);

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed);

/** A plant with a property, and with all others that it may have beside. */
export function plantWith(name: string): NewPlant {
  return made(name, (value) => value !== undefined);
}

/** The plant with another value of one property, and without it where it may be left out. */
export function plantsWithAnother(plant: NewPlant, name: string): NewPlant[] {
  const before: unknown = Reflect.get(plant, name);
  const another = made(name, (value) => value !== undefined && !isDeepStrictEqual(value, before));
  const changed = { ...plant, [name]: Reflect.get(another, name) as unknown };
  const { [name]: _left, ...without } = { ...plant } as Record<string, unknown>;
  return required.includes(name) ? [changed] : [changed, without as unknown as NewPlant];
}

function made(name: string, isMeant: (value: unknown) => boolean): NewPlant {
  for (const seed of SEEDS) {
    const plant = plantOf(seed);
    if (isMeant(Reflect.get(plant, name))) return plant;
  }
  throw new Error(
    `expected the contract to have plants with ${name}: name it in the properties of a plant or of one of its branches`,
  );
}

function plantOf(seed: number): NewPlant {
  const values = valuesOf(document, SCHEMA, 'full')?.filter(isKept);
  const [value] = values ? fc.sample(values, { seed, numRuns: 1 }) : [];
  if (!isObject(value)) throw new Error('expected the contract to say what a plant is');
  const named = Object.entries(value).filter(([name]) => flat.propertyNames.includes(name));
  return Object.fromEntries(
    named.map(([name, each]) => [name, asHandled(each, schemaOf(name))]),
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

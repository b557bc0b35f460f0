/** The places in values of a schema, down to some depth, each with the schemas that may be there. */
import { type Document, isSchema, type Path, pointerOf, type Schema } from '../../../engine/reading';
import { sampled } from '../../samples/arbitraries';
import { itemsOf } from '../../samples/containers';
import { flatten } from '../../samples/flatten';
import { stringsOf } from '../../samples/strings';
import { typesIn } from '../../samples/types';

/** The greatest number of places in a value of a large schema: the outermost ones. */
const PLACES_MAX = 300;
const DEPTH_MAX = 6;
/** The number of times that a schema counts within itself. */
const WITHIN_MAX = 2;

export interface Place {
  path: Path;
  /** The alternatives of its schema. */
  flats: readonly Schema[];
  /** The place that has this one, and which of its alternatives; none has that of the whole value. */
  within?: { place: Place; flat: Schema } | undefined;
}

export function placesOf(document: Document, schema: unknown): Place[] {
  const places: (Place & { around: readonly Schema[] })[] = [];
  const schemasAt = new Map<string, Set<unknown>>();
  // Places within are added on the way, each once with the same schema.
  const add = (path: Path, inner: unknown, around: readonly Schema[], within?: Place['within']): void => {
    const pointer = pointerOf(path);
    const known = schemasAt.get(pointer) ?? new Set();
    if (known.has(inner) || places.length > PLACES_MAX || path.length > DEPTH_MAX) return;
    schemasAt.set(pointer, known.add(inner));
    const flats = flatten(document, inner).filter((flat) => around.filter((each) => each === flat).length < WITHIN_MAX);
    places.push({ path, flats, around, within });
  };
  add([], schema, []);
  for (const place of places)
    for (const flat of place.flats)
      for (const [step, inner] of membersOf(flat))
        if (isSchema(inner)) add([...place.path, step], inner, [...place.around, flat], { place, flat });
  return places;
}

/** The members of a value by their steps, with their schemas, which may be `true` or `false`; a property that a request leaves out has none. */
export function membersOf(schema: Schema): [step: string | number, schema: unknown][] {
  const types = typesIn(schema) ?? [];
  const { properties = {}, patternProperties = {}, additionalProperties: other } = schema;
  const declared = Object.entries(properties).filter(([, property]: [string, unknown]) => property !== false);
  const named = Object.entries(patternProperties).flatMap(([pattern, property]) =>
    nameIn(schema, { pattern }).map((name) => [name, property] as const),
  );
  const others = nameIn(schema).filter((name) => !Object.hasOwn(properties, name));
  return [
    ...(types.includes('array') ? [...(schema.prefixItems ?? []), itemsOf(schema)].entries() : []),
    ...(types.includes('object')
      ? [...declared, ...named, ...others.map((name) => [name, isSchema(other) ? other : true] as const)]
      : []),
  ].map(([step, inner]) => [step, inner]);
}

/** A name that the object may have, like the pattern if there is one; none if none can be made. */
function nameIn({ propertyNames }: Schema, pattern: { pattern?: string } = {}): string[] {
  if (propertyNames === undefined && pattern.pattern === undefined) return ['undeclared'];
  return sampled(stringsOf({ ...(isSchema(propertyNames) ? propertyNames : {}), ...pattern }, true));
}

/**
 * A contract in words that redocly compares: it sees no change of schemas that are `true` or `false`, nor of constants that are objects, nor
 * of the order of lists of schemas, and does not know who sends what is referred to by a webhook or callback, nor which parameters of a path
 * an operation has.
 */
import { stringifyJson } from '../../engine';
import {
  type Document,
  isSchema,
  lookUp,
  operationsIn,
  partsOf,
  type Part,
  type Parameter,
  pathOf,
  resolve,
  type Schema,
  withoutExtensions,
} from '../../engine/reading';
import { HARMLESS } from './found';

/** Keywords whose value is a schema, where redocly takes no boolean for one, and those with several schemas. */
const SCHEMA: ReadonlySet<string> = new Set(
  'schema itemSchema contains propertyNames not if then else contentSchema'.split(' '),
);
const SCHEMAS: ReadonlySet<unknown> = new Set(
  'allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas'.split(' '),
);

/** Keywords beside which a property that comes is one of any name no longer. */
const OTHERS = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'];

/**
 * A copy with path items in the place of references to them, all parameters in the operations, schemas as objects, and constants and defaults
 * as text; without extensions and examples, in which redocly would follow references.
 */
export function comparable(document: Document): Document {
  const copy = withoutExtensions(structuredClone(document));
  for (const items of [copy.paths, copy.webhooks])
    for (const [name, item] of Object.entries(items ?? {})) if (items) items[name] = resolve(copy, item);
  if (copy.webhooks) copy.webhooks = inPlace(copy.webhooks, copy);
  for (const item of Object.values(copy.paths ?? {})) {
    for (const { operation } of operationsIn(item)) {
      operation.parameters = parametersOf(copy, operation.parameters ?? [], item.parameters ?? []);
      if ('callbacks' in operation) Object.assign(operation, { callbacks: inPlace(operation.callbacks, copy) });
    }
    delete item.parameters;
  }
  for (const each of partsOf(copy)) {
    for (const [key, value] of Object.entries(each.part) as [string, unknown][]) {
      if (typeof value === 'boolean' && isSchemaIn(each, key)) Reflect.set(each.part, key, value ? {} : { not: {} });
      if (!each.isMap && (key === 'const' || key === 'default')) Reflect.set(each.part, key, asText(value));
      if (!each.isMap && key === 'enum' && Array.isArray(value)) Reflect.set(each.part, key, value.map(asText));
    }
    if (!each.isMap && isSchema(each.part)) spellAlike(each.part);
    if (!each.isMap && OTHERS.some((keyword) => keyword in each.part) && !('properties' in each.part))
      Object.assign(each.part, { properties: {} });
    if (Array.isArray(each.part) && each.path.at(-1) === 'prefixItems')
      for (const [index, schema] of each.part.entries()) if (isSchema(schema)) schema.position = index;
  }
  return copy;
}

/** The parameters of an operation, and those of its path that it does not override, in the order of `operationsOf`. */
function parametersOf(document: Document, own: readonly Parameter[], shared: readonly Parameter[]): Parameter[] {
  const keyOf = (parameter: Parameter): string => {
    const { name, in: where } = resolve(document, parameter);
    return `${where} ${name}`;
  };
  const overridden = new Set(own.map(keyOf));
  return [...own, ...shared.filter((parameter) => !overridden.has(keyOf(parameter)))];
}

/** Gives two spellings one: a constant is a list of one, and an `allOf` of a reference alone is that. */
function spellAlike(part: Schema): void {
  if (part.const !== undefined && part.enum === undefined) {
    part.enum = [part.const];
    delete part.const;
  }
  const [first, ...more] = Array.isArray(part.allOf) ? part.allOf : [];
  if (!isSchema(first) || first.$ref === undefined || more.length > 0) return;
  if (Object.keys({ ...part, ...first }).some((key) => key !== 'allOf' && key !== '$ref' && !HARMLESS.has(key))) return;
  delete part.allOf;
  Object.assign(part, { ...first, ...part });
}

/** A copy of a part with the components that it refers to in it, but for schemas, and for those that contain themselves. */
function inPlace<T>(part: T, document: Document, around: readonly string[] = []): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((each: unknown) => inPlace(each, document, around)) as T;
  const reference = '$ref' in part ? String(part.$ref) : '';
  if (/^#\/components\/(?!schemas\/)/.test(reference) && !around.includes(reference)) {
    const target = lookUp(document, pathOf(reference));
    const { $ref: _, ...beside } = { ...part, $ref: reference };
    if (isSchema(target)) return inPlace({ ...target, ...beside } as T, document, [...around, reference]);
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, each]) => [key, inPlace<unknown>(each, document, around)]),
  ) as T;
}

function isSchemaIn({ part, path, isMap }: Part, key: string): boolean {
  return isMap || Array.isArray(part) ? SCHEMAS.has(path.at(-1)) : SCHEMA.has(key);
}

/** An object as text, and text that could be one as JSON. */
function asText(value: unknown): unknown {
  const isOther = typeof value === 'object' ? value !== null : typeof value === 'string' && /^["[{]/.test(value);
  return isOther ? stringifyJson(value) : value;
}

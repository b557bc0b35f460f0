/** Decides with Ajv whether a value fits a schema of the contract, on doubles in place of exact numbers. */
import Ajv2020 from 'ajv/dist/2020';
import { SchemaEnv } from 'ajv/dist/compile';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats';
import {
  applicableSchemas,
  canonicalText,
  type Document,
  isDiscriminator,
  namesOfBranch,
  placedSchemas,
  pointerOf,
  type Problem,
  reachableSchemas,
  type Schema,
  schemasWithin,
  withDoubles as asDoubles,
  withoutExtensions,
} from '../../engine/reading';
import {
  compilePattern,
  compileReferred,
  expressionOf,
  forgetInherited,
  isMiscounted,
  OWN_FORMATS,
  Steps,
  type Validator,
} from '../../engine/tooling';
import { messageOf } from '../../engine';
import { isObject, type Json, JsonNumber } from './json';

/** The patterns of a document that are no expressions. */
export function patternProblems(document: Document): Problem[] {
  return placedSchemas(document).flatMap(([{ pattern }, path]): Problem[] => {
    try {
      if (pattern !== undefined) expressionOf(pattern);
      return [];
    } catch (error) {
      return [[[...path, 'pattern'], messageOf(error)]];
    }
  });
}

export class Oracle {
  private readonly ajv = forgetInherited(
    new Ajv2020({
      strict: false,
      strictNumbers: true,
      multipleOfPrecision: 6, // 0.3 is a multiple of 0.1
      validateSchema: false,
      logger: false,
      inlineRefs: false,
      ownProperties: true,
      code: { optimize: false, regExp: compilePattern }, // optimizing takes more time than it saves
    }),
  );
  /** The place of each schema in the document, as a JSON pointer. */
  private readonly pointers: ReadonlyMap<Schema, string>;
  private readonly compiled = new Map<Schema, Validator>();
  private readonly steps = new Steps();

  constructor(document: Document) {
    this.steps.countReferences(this.ajv);
    // Ajv's own calls members of items that are named toString or valueOf.
    this.ajv.removeKeyword('uniqueItems').addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      validate: (isAsked: boolean, items: unknown[]) => !isAsked || areDistinct(exactItems.get(items) ?? []),
      error: { message: 'must NOT have duplicate items' },
    });
    addFormats(this.ajv);
    for (const [name, isOfFormat] of Object.entries(OWN_FORMATS)) this.ajv.addFormat(name, isOfFormat);
    // What references lead into, without extensions: an example may have an `$id` of its own.
    const { components, paths } = asDoubles(withoutExtensions(document)) as Document;
    for (const [schema] of placedSchemas({ components, paths })) preferNamed(schema);
    this.ajv.addSchema({ components, paths }, 'contract');
    for (const [name, schema] of Object.entries(components?.schemas ?? {}))
      this.add(`#/components/schemas/${name}`, schema);
    const placed = placedSchemas(document);
    const moved = new Set<unknown>(placed.flatMap(([schema]) => (namedBranches(schema) ? [schema.oneOf].flat() : [])));
    this.pointers = new Map(
      placed.flatMap(([schema, path]) => (moved.has(schema) ? [] : [[schema, pointerOf(path)] as const])),
    );
    this.ajv.addFormat('int32', { type: 'number', validate: (value) => isIntegerBelow(2 ** 31, value) });
    this.ajv.addFormat('int64', { type: 'number', validate: (value) => isIntegerBelow(2 ** 63, value) });
  }

  accepts(schema: Schema, value: Json): boolean {
    return this.problem(schema, value) === undefined;
  }

  /** Ajv's first error, which does not quote the value, or that it takes too many steps; undefined if the value fits. */
  problem(schema: Schema, value: Json): string | undefined {
    const validate = this.compiled.get(schema) ?? this.compile(schema);
    if (validate(withDoubles(value))) return undefined;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath ?? ''} ${error?.message ?? 'does not fit'}`.trim();
  }

  /** Adds a part of the contract, by the reference that leads to it. */
  private add(reference: string, schema: Schema): void {
    const root = this.ajv.schemas.contract;
    this.ajv.refs[keyOf(reference)] = new SchemaEnv({ schema, baseId: 'contract', ...(root && { root }) });
  }

  private compile(schema: Schema): Validator {
    compileReferred(this.ajv, schema, keyOf);
    const pointer = this.pointers.get(schema);
    const reference = `#${pointer?.split('/').map(encodeURIComponent).join('/') ?? `other${this.compiled.size}`}`;
    if (pointer === undefined) {
      const other = asDoubles(withoutExtensions(schema)) as Schema;
      for (const [each] of schemasWithin(other, [])) preferNamed(each);
      this.add(reference, other);
    }
    // By its place, so that what it refers to is compiled once.
    const compiled = this.ajv.compile({ $ref: keyOf(reference) });
    const validate = this.steps.bounded(compiled);
    this.compiled.set(schema, validate);
    return validate;
  }
}

/** The key by which Ajv knows the target of a reference. */
function keyOf(reference: string): string {
  return `contract${reference}`;
}

/**
 * Lets a value that fits the branch which it names by a discriminator fit others of its `oneOf` too. OpenAPI leaves open whether it may; where
 * branches are told apart by their names alone, no value would fit otherwise.
 */
function preferNamed(schema: Schema): void {
  const named = namedBranches(schema);
  if (!named) return;
  const { oneOf, allOf = [] } = schema;
  delete schema.oneOf;
  schema.allOf = [...allOf, { if: { anyOf: named }, else: { oneOf } }];
}

/** A schema for each branch of a discriminated `oneOf`: its values that name it. Undefined if names do not tell all branches apart. */
function namedBranches({ oneOf, discriminator }: Schema): Schema[] | undefined {
  const branches: readonly unknown[] = Array.isArray(oneOf) ? oneOf : [];
  if (!isDiscriminator(discriminator) || branches.length === 0) return undefined;
  const names = branches.map((branch) => namesOfBranch(branch, discriminator));
  if (names.some(({ length }) => length === 0) || new Set(names.flat()).size < names.flat().length) return undefined;
  const { propertyName } = discriminator;
  return branches.map((branch, index) => ({
    if: { type: 'object', required: [propertyName], properties: { [propertyName]: { enum: names[index] } } },
    then: branch,
    else: false,
  }));
}

/** True for a format that not every value has. */
export function isJudgedFormat(format: unknown): boolean {
  const check = Object.entries({ ...fullFormats, ...OWN_FORMATS }).find(([name]) => name === format)?.[1];
  return check !== undefined && check !== true && format !== 'float' && format !== 'double';
}

/** A part that Ajv would not judge or get wrong, in the schemas of a part of a document and all that they refer to; undefined if nothing. */
export function blindSpot(document: Document, part: object): string | undefined {
  const found = new Set<Schema>();
  for (const [schema] of placedSchemas(part)) reachableSchemas(document, schema, found);
  for (const schema of found) {
    const { enum: values, unevaluatedItems, unevaluatedProperties, properties = {} } = schema;
    if (Array.isArray(values) && values.length === 0) return 'an enum without values is not judged';
    if (Object.hasOwn(properties, '__proto__')) return 'a property __proto__ is not judged';
    if (isMiscounted(document, schema))
      return 'unevaluatedItems beside contains or the items of branches is not judged';
    const counts = unevaluatedItems !== undefined || unevaluatedProperties !== undefined;
    if (counts && [...applicableSchemas(document, schema)].some((each) => each.if !== undefined))
      return 'what is unevaluated beside an if is not judged';
  }
  return undefined;
}

/** The items for which doubles stand in a list: distinct integers may have the same double. */
const exactItems = new WeakMap<object, readonly Json[]>();

function areDistinct(items: readonly Json[]): boolean {
  const exact = items.map((item) => withNumbers(item, (number) => number.integer ?? doubleFor(number)));
  return new Set(exact.map(canonicalText)).size === items.length;
}

function isIntegerBelow(limit: number, value: number): boolean {
  return Number.isInteger(value) && value >= -limit && value < limit;
}

function withDoubles(value: Json): unknown {
  return withNumbers(value, (number) => doubleFor(number) + 0); // -0 is 0
}

function withNumbers(value: Json, numberFor: (number: JsonNumber) => number | bigint): unknown {
  if (value instanceof JsonNumber) return numberFor(value);
  if (Array.isArray(value)) {
    const items = value.map((each) => withNumbers(each, numberFor));
    exactItems.set(items, value);
    return items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNumbers(each, numberFor)]));
}

const TWO_63 = 2 ** 63;
/** Integers that a double has exactly. */
const SAFE = /^-?\d{1,15}$/;

/** A double on the same side of every integer as the number, as far as there is one, and not an integer if the number is a fraction. */
function doubleFor(number: JsonNumber): number {
  const { text } = number;
  const double = Number(text);
  if (SAFE.test(text)) return double; // almost always, and much faster
  const { integer } = number;
  if (integer === undefined) return Number.isInteger(double) ? fractionBeside(double, number) : double;
  if (double === TWO_63 && integer < 2n ** 63n) return TWO_63 - 1024;
  if (double === -TWO_63 && integer < -(2n ** 63n)) return -TWO_63 - 2048;
  return Math.max(-Number.MAX_VALUE, Math.min(double, Number.MAX_VALUE));
}

/** A double beside an integer, on the side of the fraction that was rounded to it; 0.5 where doubles are too far apart for fractions. */
function fractionBeside(double: number, { text, truncated }: JsonNumber): number {
  if (double === 0) return text.startsWith('-') ? -Number.MIN_VALUE : Number.MIN_VALUE;
  const isFartherFromZero = truncated === BigInt(double);
  const beside = double * (isFartherFromZero ? 1 + Number.EPSILON : 1 - Number.EPSILON);
  return Number.isInteger(beside) ? 0.5 : beside;
}

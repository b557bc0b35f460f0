/** The types that a text is read as: those that its schemas allow for the value, its items and its properties. */
import type { Document, Schema } from '../contract/document';
import { FlatSchema } from '../contract/flat';
import { constantsOf, isSchema } from '../contract/traverse';
import { readText } from '../json/number';
import { isOfFormat } from '../schema/formats';
import { PatternTime } from '../schema/pattern-time';
import { compilePattern } from '../schema/patterns';

/** The shapes of a document by the numbers of their schemas, which are counted as they are met. */
interface Known {
  numbers: Map<Schema, number>;
  shapes: Map<string, Shape>;
}

const knownOf = new WeakMap<Document, Known>();

export class Shape {
  readonly isList: boolean;
  readonly isObject: boolean;
  /** The allowed types other than list and object. */
  readonly scalars: readonly string[];
  private readonly flat: FlatSchema;
  /** The schemas that describe text. */
  private readonly texts: readonly Schema[];
  private readonly patterns: readonly [pattern: string, schema: unknown][];
  private readonly members = new Map<string, Shape>();
  private itemShape: Shape | undefined;
  private readonly itemShapes: Shape[] = [];
  private otherShape: Shape | undefined;

  /**
   * The shape of values that all of the schemas describe. There is one for each set of schemas, so that values of a recursive schema have as
   * few shapes as others, however deep requests go.
   */
  static of(document: Document, schemas: readonly unknown[]): Shape {
    const known = knownOf.get(document) ?? { numbers: new Map<Schema, number>(), shapes: new Map<string, Shape>() };
    knownOf.set(document, known);
    const { numbers, shapes } = known;
    const distinct = [...new Set(schemas.filter(isSchema))];
    for (const schema of distinct) if (!numbers.has(schema)) numbers.set(schema, numbers.size);
    const key = distinct.map((schema) => numbers.get(schema)).join();
    const shape = shapes.get(key) ?? new Shape(document, distinct);
    shapes.set(key, shape);
    return shape;
  }

  private constructor(
    private readonly document: Document,
    schemas: readonly Schema[],
  ) {
    this.flat = new FlatSchema(document, schemas);
    const { types } = this.flat;
    this.isList = types.has('array');
    this.isObject = types.has('object');
    this.scalars = [...types].filter((type) => type !== 'array' && type !== 'object');
    this.texts = this.flat.texts;
    this.patterns = this.flat.schemas.flatMap(({ patternProperties = {} }) => Object.entries(patternProperties));
  }

  get isOnlyList(): boolean {
    return this.isList && this.scalars.every((type) => type === 'null');
  }

  get isOnlyObject(): boolean {
    return this.isObject && this.scalars.every((type) => type === 'null');
  }

  /** True for a text that is a list of one item: the schemas describe lists, and none takes it as another value. */
  isListOf(text: string): boolean {
    if (!this.isList || this.texts.some((schema) => mayBe(text, schema))) return false;
    return this.isOnlyList || readText(text, this.besideText) === text;
  }

  /** The text itself if a schema accepts it as text, or else the first of the other types that can be read from it. */
  scalar(text: string): unknown {
    if (this.scalars.every((type) => type === 'string') || this.texts.some((schema) => mayBe(text, schema)))
      return text;
    return readText(text, this.besideText);
  }

  /** True if a text without characters is a value, rather than none. */
  get takesEmptyText(): boolean {
    if (this.scalars.length === 0 && !this.isList) return true;
    return this.texts.some((schema) => Number(schema.minLength ?? 0) === 0 && mayBe('', schema));
  }

  private get besideText(): string[] {
    return this.scalars.filter((type) => type !== 'string');
  }

  /** The XML Object of the schema that is nearest to the value. */
  get xml(): object | undefined {
    return this.flat.schemas.map(({ xml }) => xml).find(isSchema);
  }

  get item(): Shape {
    return (this.itemShape ??= Shape.of(this.document, this.flat.items));
  }

  /** The shape of the item at an index, which may be one of a tuple. */
  itemAt(index: number): Shape {
    const like = Math.min(index, this.flat.listed);
    return (this.itemShapes[like] ??= Shape.of(this.document, this.flat.itemsAt(like)));
  }

  get memberNames(): string[] {
    return this.flat.propertyNames;
  }

  /** True for the name of a property that a schema declares. */
  declares(name: string): boolean {
    return this.flat.propertiesNamed(name).length > 0;
  }

  /** True if properties may have any name. */
  get isOpen(): boolean {
    return (
      this.memberNames.length === 0 ||
      this.flat.schemas.some(
        ({ additionalProperties, unevaluatedProperties, patternProperties }) =>
          [additionalProperties, unevaluatedProperties].some((each) => each === true || isSchema(each)) ||
          patternProperties !== undefined,
      )
    );
  }

  member(name: string): Shape {
    const known = this.members.get(name);
    if (known) return known;
    const named = this.flat.propertiesNamed(name);
    const matching = this.patterns.filter(([pattern]) => matches(pattern, name) ?? false).map(([, schema]) => schema);
    if (named.length + matching.length === 0) return this.other;
    const shape = Shape.of(this.document, [...named, ...matching]);
    if (named.length > 0) this.members.set(name, shape); // clients may send any number of other names
    return shape;
  }

  /** The shape of properties that are neither named nor match a pattern. */
  private get other(): Shape {
    return (this.otherShape ??= Shape.of(this.document, this.flat.otherProperties));
  }
}

/** True if a schema accepts a text by its own `enum`, `const`, `pattern` and `format`, as far as that is decided here. */
function mayBe(text: string, schema: Schema): boolean {
  const { pattern, format = '' } = schema;
  const values = constantsOf(schema) ?? [];
  if (values.length > 0) return values.includes(text);
  return (pattern === undefined || (matches(pattern, text) ?? true)) && isOfFormat(text, format);
}

/** The time that texts of a request have taken, or of other values in this turn of the event loop. */
let time: PatternTime | undefined;

/** Starts the time anew, for a request. */
export function beginTexts(): void {
  time = undefined;
}

/** True if a text matches a pattern; undefined, which leaves it to validation, once texts have taken too long, and for one that is too long. */
function matches(pattern: string, text: string): boolean | undefined {
  const engine = compilePattern(pattern).engineFor(text);
  if (engine.steps(text.length) === 0) return engine.test(text);
  if (!time) setImmediate(() => (time = undefined));
  time ??= new PatternTime();
  return time.isOver || text.length > engine.lengthMax ? undefined : time.matches(engine, text);
}

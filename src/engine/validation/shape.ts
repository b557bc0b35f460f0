/** What a text is read as: the types that the schemas of its place allow, those of its items and those of its properties. */
import type { Document, Schema } from '../contract/document';
import { applicableSchemas, isSchema, typesOf } from '../contract/walk';
import { isNumber, readText } from '../json/number';
import { compilePattern } from './patterns';

export class Shape {
  readonly isList: boolean;
  readonly isObject: boolean;
  /** The other types that it may have. */
  readonly scalars: readonly string[];
  private readonly schemas: readonly Schema[];
  /** The only strings that are allowed; undefined if any may be. */
  private readonly strings: ReadonlySet<unknown> | undefined;
  private readonly members = new Map<string, Shape>();
  private itemShape: Shape | undefined;

  constructor(
    private readonly document: Document,
    schemas: readonly unknown[],
  ) {
    this.schemas = [...new Set(schemas.flatMap((schema) => [...applicableSchemas(document, schema)]))];
    const declared = typesOf(this.schemas);
    const types = declared.size > 0 ? declared : new Set(this.schemas.flatMap(impliedTypes));
    this.isList = types.has('array');
    this.isObject = types.has('object');
    this.scalars = [...types].filter((type) => type !== 'array' && type !== 'object');
    const ofStrings = this.schemas.filter((schema) => typesOf([schema]).has('string')).map(constants);
    if (ofStrings.every((values) => values.length > 0)) this.strings = new Set(ofStrings.flat());
  }

  /** A text as the first of the types that it can be; itself if it can be none. */
  scalar(text: string): unknown {
    const isText = this.scalars.length === 0 || this.strings?.has(text);
    return isText
      ? text
      : readText(text, this.strings ? this.scalars.filter((type) => type !== 'string') : this.scalars);
  }

  /** Of its items, whichever they are. */
  get item(): Shape {
    this.itemShape ??= new Shape(
      this.document,
      this.schemas.flatMap(({ items, prefixItems = [] }) => [...prefixItems, items]),
    );
    return this.itemShape;
  }

  get memberNames(): string[] {
    return this.schemas.flatMap(({ properties = {} }) => Object.keys(properties));
  }

  /** Whether it says that properties may have any name. */
  get isOpen(): boolean {
    return (
      this.memberNames.length === 0 ||
      this.schemas.some(
        ({ additionalProperties, patternProperties }) =>
          additionalProperties === true || isSchema(additionalProperties) || patternProperties !== undefined,
      )
    );
  }

  member(name: string): Shape {
    const known = this.members.get(name);
    if (known) return known;
    const named = this.schemas.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? properties[name] : [],
    );
    const matching = this.schemas.flatMap(({ patternProperties = {} }) =>
      Object.keys(patternProperties).flatMap((pattern) =>
        compilePattern(pattern).test(name) ? patternProperties[pattern] : [],
      ),
    );
    const others = this.schemas.map(({ additionalProperties }) => additionalProperties);
    const shape = new Shape(this.document, named.length + matching.length > 0 ? [...named, ...matching] : others);
    if (named.length > 0) this.members.set(name, shape); // clients may send any number of other names
    return shape;
  }
}

/** The types that a schema without `type` means. */
function impliedTypes(schema: Schema): string[] {
  if (schema.properties !== undefined || isSchema(schema.additionalProperties)) return ['object'];
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array'];
  return constants(schema).flatMap((value) => {
    if (isNumber(value)) return 'number';
    return typeof value === 'string' || typeof value === 'boolean' ? typeof value : value === null ? 'null' : [];
  });
}

function constants({ enum: values, const: value }: Schema): unknown[] {
  return [...(Array.isArray(values) ? (values as unknown[]) : []), ...(value === undefined ? [] : [value])];
}

/** What a text is read as: the types that the schemas of its place allow, those of its items and those of its properties. */
import type { Document, Schema } from '../contract/document';
import { applicableSchemas, isSchema, typesOf } from '../contract/traverse';
import { isNumber, readText } from '../json/number';
import { isOfFormat } from '../schema/formats';
import { compilePattern } from '../schema/patterns';

export class Shape {
  readonly isList: boolean;
  readonly isObject: boolean;
  /** The other types that it may have. */
  readonly scalars: readonly string[];
  private readonly schemas: readonly Schema[];
  /** Those of the schemas that are of text. */
  private readonly texts: readonly Schema[];
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
    this.texts = this.schemas.filter((schema) => typesOf([schema]).has('string'));
  }

  /** A text as itself if that is what a schema asks for, or else as the first of the other types that it can be. */
  scalar(text: string): unknown {
    if (this.scalars.every((type) => type === 'string') || this.texts.some((schema) => mayBe(text, schema)))
      return text;
    return readText(
      text,
      this.scalars.filter((type) => type !== 'string'),
    );
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

/** Whether a text is what a schema says of texts by itself. */
function mayBe(text: string, schema: Schema): boolean {
  const { pattern, format = '' } = schema;
  const values = constants(schema);
  if (values.length > 0) return values.includes(text);
  return (pattern === undefined || compilePattern(pattern).test(text)) && isOfFormat(text, format);
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

/** The fields of form bodies, which OpenAPI describes as the properties of an object. */
import { type Document, type Encoding, follow, type MediaType, type Schema } from './document';
import { FlatSchema } from './flat';
import { isMultipart, isTextual } from './media-type';
import { isReferenceAlone } from './normalize-schema';
import { isSchema } from './traverse';

export interface FormField {
  /** The declared types of its value, or of the items of a list. */
  types: readonly string[];
  /** Declared types that are never read, because the value may be text. */
  besideText: readonly string[];
  isList: boolean;
  /** True if handlers get the bytes of its value. */
  isFile: boolean;
  /** True if its value, or an item of its list, has a `pattern`. */
  hasPattern: boolean;
  /** The media types that a file, or a part without a name, may have, such as `image/*`; undefined if it may have any. */
  mediaTypes: readonly string[] | undefined;
  /** The most bytes of a file, by the `maxLength` that applies to it whatever else does. */
  bytesMax: number;
  /** The length from which on other `minLength` and `maxLength` of a file make no difference. */
  lengthsUpTo: number;
}

export interface Form {
  fields: ReadonlyMap<string, FormField>;
  /** The declaration of fields that the contract does not name. */
  others: FormField;
  /** True if any field is a file. */
  hasFiles: boolean;
}

/** The form that a media type of a request body describes. */
export function formOf(document: Document, mediaType: string, { schema = {}, encoding = {} }: MediaType): Form {
  const body = new FlatSchema(document, [schema]);
  const inParts = isMultipart(mediaType);
  const named = (name: string): FormField => fieldOf(document, body.propertiesNamed(name), encoding[name], inParts);
  const fields = new Map(body.propertyNames.map((name) => [name, named(name)]));
  const others = fieldOf(document, body.otherProperties);
  return { fields, others, hasFiles: [...fields.values(), others].some((field) => field.isFile) };
}

/** The field, or the part without a name, that schemas describe. */
export function fieldOf(
  document: Document,
  schemas: readonly unknown[],
  { contentType }: Encoding = {},
  isNamedPart = false,
): FormField {
  const own = new FlatSchema(document, schemas);
  const isList = own.types.has('array');
  const value = isList ? new FlatSchema(document, own.items) : own;
  const types = textFirst(value.types);
  const [only, ...more] = isList ? own.items : schemas;
  const bytesMax = isSchema(only) && more.length === 0 ? lengthMax(document, only) : Infinity;
  const holdsFiles = value.schemas.some(isFile) || (isNamedPart && isFileByEncoding(value.schemas, contentType));
  return {
    types,
    besideText: [...value.types].filter((type) => !types.includes(type)),
    isList,
    isFile: holdsFiles,
    hasPattern: value.schemas.some(({ pattern }) => pattern !== undefined),
    mediaTypes: (contentType ?? (holdsFiles ? mediaTypeIn(value.schemas) : undefined))
      ?.toLowerCase()
      .split(',')
      .map((each) => each.trim()),
    bytesMax,
    lengthsUpTo: 1 + Math.max(0, ...value.schemas.flatMap((each) => lengthsIn(each, bytesMax))),
  };
}

/** The least `maxLength` that applies whatever else does: of the schema, of what it refers to, and of each in its `allOf`. */
function lengthMax(document: Document, schema: Schema, seen = new Set<Schema>()): number {
  if (seen.has(schema)) return Infinity;
  seen.add(schema);
  const { maxLength = Infinity, $ref, allOf = [] } = schema;
  const others = [...($ref === undefined ? [] : [follow(document, schema)]), ...allOf].filter(isSchema);
  return Math.min(Number(maxLength), ...others.map((each) => lengthMax(document, each, seen)));
}

/** The lengths of a schema by which files of at most so many bytes differ. */
function lengthsIn({ minLength = 0, maxLength = Infinity }: Schema, bytesMax: number): number[] {
  const [least, most] = [Number(minLength), Number(maxLength)];
  return [least <= bytesMax ? least : 0, most < bytesMax ? most : 0];
}

/** The `contentMediaType` of a file, if it is the only one and says more than that it is bytes. */
function mediaTypeIn(schemas: readonly Schema[]): string | undefined {
  const [only, ...more] = new Set(
    schemas.map(({ contentMediaType }) => contentMediaType).filter((each) => typeof each === 'string'),
  );
  return more.length === 0 && only !== 'application/octet-stream' ? only : undefined;
}

/** The types that a text is read as: only text (or null) if the field may be text. */
function textFirst(types: ReadonlySet<string>): string[] {
  return [...types].filter((type) => type === 'string' || type === 'null' || !types.has('string'));
}

/** True if a schema describes text that is bytes: `format: binary`, or `contentMediaType` without an encoding, or with that of bytes as they are (OpenAPI 3.1). */
export function isFile({ type = 'string', format, contentMediaType, contentEncoding }: Schema): boolean {
  const isRaw = contentMediaType !== undefined && contentEncoding === undefined;
  // None of these says anything of an object or a list.
  return [type].flat().includes('string') && (format === 'binary' || contentEncoding === 'binary' || isRaw);
}

/**
 * True if a named part of a form is bytes although no schema of its value says so: all say nothing, of which bytes are the default, or no more than text,
 * and its encoding has other media types (OpenAPI 3.1, Encoding Object).
 */
export function isFileByEncoding(schemas: readonly Schema[], contentType?: string): boolean {
  const mediaTypes = contentType?.split(',').map((each) => each.trim()) ?? [];
  if (schemas.every(saysNothing)) return mediaTypes.length === 0 || !mediaTypes.every(isTextual);
  const mayBeText = (mediaType: string): boolean => isTextual(mediaType) || /^(?:\*|application)\/\*/.test(mediaType);
  return mediaTypes.length > 0 && !mediaTypes.some(mayBeText) && schemas.every(saysTextAlone);
}

/** True if nothing but what it is combined with, or refers to, decides on values. Handlers would get a default in place of bytes. */
function saysNothing({ allOf: _all, anyOf: _any, oneOf: _one, ...own }: Schema): boolean {
  return isReferenceAlone(own) && own.default === undefined;
}

function saysTextAlone({ type = [], minLength: _least, maxLength: _most, ...others }: Schema): boolean {
  return [type].flat().every((each) => each === 'string' || each === 'null') && saysNothing(others);
}

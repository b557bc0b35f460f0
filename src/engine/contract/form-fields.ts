/** The fields of form bodies, which OpenAPI describes as the properties of an object. */
import type { Document, MediaType, Schema } from './document';
import { FlatSchema } from './flat';

export interface FormField {
  /** The declared types of its value, or of the items of a list. */
  types: readonly string[];
  /** Declared types that are never read, because the value may be text. */
  besideText: readonly string[];
  isList: boolean;
  /** True if handlers get the bytes of its value. */
  isFile: boolean;
  /** The media types that a file may have, such as `image/*`; undefined if it may have any. */
  mediaTypes: readonly string[] | undefined;
}

export interface Form {
  fields: ReadonlyMap<string, FormField>;
  /** The declaration of fields that the contract does not name. */
  others: FormField;
}

/** The form that a media type of a request body describes. */
export function formOf(document: Document, { schema = {}, encoding = {} }: MediaType): Form {
  const body = new FlatSchema(document, [schema]);
  const fieldOf = (schemas: readonly unknown[], contentType?: string): FormField => {
    const own = new FlatSchema(document, schemas);
    const isList = own.types.has('array');
    const value = isList ? new FlatSchema(document, own.items) : own;
    const types = textFirst(value.types);
    return {
      types,
      besideText: [...value.types].filter((type) => !types.includes(type)),
      isList,
      isFile: value.schemas.some(isFile),
      mediaTypes: contentType
        ?.toLowerCase()
        .split(',')
        .map((each) => each.trim()),
    };
  };
  const named = (name: string): FormField => fieldOf(body.propertiesNamed(name), encoding[name]?.contentType);
  return {
    fields: new Map(body.propertyNames.map((name) => [name, named(name)])),
    others: fieldOf(body.otherProperties),
  };
}

/** The types that a text is read as: only text (or null) if the field may be text. */
function textFirst(types: ReadonlySet<string>): string[] {
  return [...types].filter((type) => type === 'string' || type === 'null' || !types.has('string'));
}

/** True if a schema describes bytes: `format: binary`, or `contentMediaType` without an encoding (OpenAPI 3.1). */
export function isFile({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

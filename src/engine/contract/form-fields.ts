/** What the fields of a form body are read as: OpenAPI describes a form by the schema of the object that it becomes. */
import type { Document, MediaType, Schema } from './document';
import { applicableSchemas, isSchema, typesOf } from './walk';

export interface FormField {
  /** The types of its value, or of each item of a list, as far as the contract says so. */
  types: readonly string[];
  /** Other types that the contract allows, and that are not read because it may be text. */
  besideText: readonly string[];
  isList: boolean;
  /** Whether handlers get the value's bytes. */
  isFile: boolean;
  /** The media types that a file may have, `image/*` among them; undefined where it may have any. */
  mediaTypes: readonly string[] | undefined;
}

export interface Form {
  fields: ReadonlyMap<string, FormField>;
  /** Those that the contract does not name. */
  others: FormField;
}

/** The form that a media type of a request body describes. */
export function formOf(document: Document, { schema = {}, encoding = {} }: MediaType): Form {
  const fieldOf = (schemas: unknown[], contentType?: string): FormField => {
    const own = schemas.flatMap((each) => [...applicableSchemas(document, each)]);
    const isList = typesOf(own).has('array');
    const items = isList ? own.flatMap(({ items: item }) => [...applicableSchemas(document, item)]) : own;
    const types = textFirst(typesOf(items));
    return {
      types,
      besideText: [...typesOf(items)].filter((type) => !types.includes(type)),
      isList,
      isFile: items.some(isFile),
      mediaTypes: contentType?.toLowerCase().split(/\s*,\s*/),
    };
  };
  const all = [...applicableSchemas(document, schema)];
  const names = new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)));
  const named = (name: string) => all.flatMap(({ properties = {} }) => properties[name] ?? []);
  return {
    fields: new Map([...names].map((name) => [name, fieldOf(named(name), encoding[name]?.contentType)])),
    others: fieldOf(all.flatMap(({ additionalProperties: other }) => (isSchema(other) ? [other] : []))),
  };
}

/** What may be text is text, whatever else it may be. */
function textFirst(types: ReadonlySet<string>): string[] {
  return [...types].filter((type) => type === 'string' || type === 'null' || !types.has('string'));
}

/** Whether a string's schema means bytes: `format: binary`, or a media type without an encoding as text (OpenAPI 3.1). */
export function isFile({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

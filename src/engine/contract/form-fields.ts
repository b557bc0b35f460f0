/** The fields of form bodies: OpenAPI describes a form by the schema of the object that it becomes. */
import type { Document, MediaType, Schema } from './document';
import { applicableSchemas, isSchema, typesOf } from './traverse';

export interface FormField {
  /** The declared types of its value, or of the items of a list. */
  types: readonly string[];
  /** Declared types that are never read, because the value may be text. */
  besideText: readonly string[];
  isList: boolean;
  /** Whether handlers get its bytes. */
  isFile: boolean;
  /** The media types that a file may have, such as `image/*`; undefined if it may have any. */
  mediaTypes: readonly string[] | undefined;
}

export interface Form {
  fields: ReadonlyMap<string, FormField>;
  /** What a field is read as that the contract does not name. */
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
      mediaTypes: contentType
        ?.toLowerCase()
        .split(',')
        .map((each) => each.trim()),
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

/** The types that a text is read as: if it may be text, no other. */
function textFirst(types: ReadonlySet<string>): string[] {
  return [...types].filter((type) => type === 'string' || type === 'null' || !types.has('string'));
}

/** Whether a schema means bytes: `format: binary`, or a media type without an encoding as text (OpenAPI 3.1). */
export function isFile({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

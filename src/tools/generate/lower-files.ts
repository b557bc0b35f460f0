/** Writes the files of forms as bytes, which openapi-typescript knows by their format alone. */
import {
  applicableSchemas,
  type ContractOperation,
  type Document,
  follow,
  type Form,
  isFile,
  isSchema,
  reachableSchemas,
  resolve,
  type Schema,
} from '../../engine/reading';

type Fields = Form['fields'];

/** Changes the document in place. */
export function lowerFiles(document: Document, { requestBody, forms }: ContractOperation): void {
  for (const [mediaType, { fields }] of forms) {
    const content = requestBody?.content[mediaType];
    if (!content?.schema) continue;
    for (const each of reachableSchemas(document, content.schema)) if (isFile(each)) each.format = 'binary';
    const unsaid = unsaidFiles(document, content.schema, fields);
    if (unsaid.size > 0) content.schema = withFiles(document, content.schema, unsaid);
  }
}

/** The files of a form of which no schema says that they are. */
function unsaidFiles(document: Document, schema: Schema, fields: Fields): Fields {
  const declared = [...applicableSchemas(document, schema)];
  const isSaid = (name: string): boolean =>
    declared.some(({ properties }) => [...reachableSchemas(document, properties?.[name])].some(isFile));
  return new Map([...fields].filter(([name, field]) => field.isFile && !isSaid(name)));
}

/** A copy in which these are files: other bodies, in which they are none, may have the same schemas. */
function withFiles(document: Document, schema: Schema, files: Fields, around: readonly Schema[] = []): Schema {
  if (around.includes(schema)) return schema;
  const within = (each: Schema): Schema => withFiles(document, each, files, [...around, schema]);
  if (schema.$ref !== undefined) return within(follow(document, schema));
  const copy = { ...schema };
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(schema[keyword]))
      copy[keyword] = (schema[keyword] as unknown[]).map((each) => (isSchema(each) ? within(each) : each));
  if (schema.properties)
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, asFile(document, property, files.get(name))]),
    );
  return copy;
}

function asFile(document: Document, property: Schema, field: ReturnType<Fields['get']>): Schema {
  if (!field) return property;
  const bytesOf = (schema: unknown): Schema => {
    const { minLength, maxLength } = isSchema(schema) ? resolve(document, schema) : {};
    return { type: 'string', format: 'binary', minLength, maxLength };
  };
  const { description, deprecated, readOnly, writeOnly } = property;
  const { items, minItems, maxItems, uniqueItems } = resolve(document, property);
  const list = { type: 'array', items: bytesOf(items), minItems, maxItems, uniqueItems };
  return { description, deprecated, readOnly, writeOnly, ...(field.isList ? list : bytesOf(property)) };
}

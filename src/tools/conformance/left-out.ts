/** `readOnly` and `writeOnly`: properties that a request, or an answer, leaves out even if they are required. */
import { allSchemas, applicableSchemas, type Document, isSchema, resolve, type Schema } from '../../engine/reading';

/** A copy of the document in which no value has a property of this annotation, and none is required. */
export function withoutProperties(document: Document, annotation: 'readOnly' | 'writeOnly'): Document {
  const copy = structuredClone(document);
  const schemas = allSchemas(copy);
  const namesIn = ({ properties = {} }: Schema): string[] =>
    Object.keys(properties).filter((name) => {
      const property: unknown = properties[name];
      return isSchema(property) && (property[annotation] === true || resolve(copy, property)[annotation] === true);
    });
  const names = new Map(schemas.map((schema) => [schema, namesIn(schema)]));
  for (const schema of schemas) {
    // What `required` names may stand in another schema that applies to the same value.
    const together = [...applicableSchemas(copy, schema)];
    const left = new Set(together.flatMap((each) => names.get(each) ?? []));
    if (left.size > 0)
      for (const each of together) if (each.required) each.required = each.required.filter((name) => !left.has(name));
  }
  for (const [{ properties = {} }, left] of names)
    for (const name of left) Object.assign(properties, { [name]: false });
  return copy;
}

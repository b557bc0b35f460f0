/** `readOnly` and `writeOnly` as OpenAPI 3.1 means them: a property that a request, or an answer, is to leave out. */
import { type Document, resolve, type Schema } from '../contract/document';
import { applicableSchemas, isSchema } from '../contract/traverse';

/** Changes the schemas of a document so that they refuse properties with this annotation, and require none of them. */
export function refuseAnnotated(
  document: Document,
  schemas: readonly Schema[],
  annotation: 'readOnly' | 'writeOnly',
): void {
  if (!schemas.some((schema) => schema[annotation] === true)) return;
  const namesIn = ({ properties = {} }: Schema): string[] =>
    Object.entries(properties).flatMap(([name, property]) =>
      isSchema(property) && resolve(document, property)[annotation] === true ? [name] : [],
    );
  for (const schema of schemas) {
    // What `required` names may stand in another schema of the same `allOf`.
    const together = [...applicableSchemas(document, schema)];
    const names = together.flatMap(namesIn);
    for (const each of together) {
      if (each.required) each.required = each.required.filter((name) => !names.includes(name));
    }
  }
  for (const schema of schemas) {
    for (const name of namesIn(schema)) Object.assign(schema.properties ?? {}, { [name]: false });
  }
}

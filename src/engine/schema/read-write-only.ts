/** `readOnly` and `writeOnly` as OpenAPI 3.1 defines them: properties that a request, or an answer, has to omit. */
import { type Document, resolve, type Schema } from '../contract/document';
import { applicableSchemas, isSchema } from '../contract/traverse';

/** `readOnly` properties are omitted from requests, `writeOnly` ones from answers. */
export type Annotation = 'readOnly' | 'writeOnly';

/** True if the schema of a property, or the target of its reference, has the annotation. */
export function isAnnotated(document: Document, property: unknown, annotation: Annotation): boolean {
  return isSchema(property) && (property[annotation] === true || resolve(document, property)[annotation] === true);
}

/** Changes the schemas of a document so that they refuse properties with this annotation, and require none of them. */
export function refuseAnnotated(document: Document, schemas: readonly Schema[], annotation: Annotation): void {
  if (!schemas.some((schema) => schema[annotation] === true)) return;
  const namesIn = ({ properties = {} }: Schema): string[] =>
    Object.keys(properties).filter((name) => isAnnotated(document, properties[name], annotation));
  for (const schema of schemas) {
    // The properties that `required` names may be declared in another schema of the same `allOf`.
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

/** `readOnly` and `writeOnly` as OpenAPI 3.1 defines them: properties that a request, or an answer, has to omit. */
import { type Document, follow, lookUp, pathOf, resolve, type Schema } from '../contract/document';
import { applicableSchemas, isSchema } from '../contract/traverse';

/** `readOnly` properties are omitted from requests, `writeOnly` ones from answers. */
export type Annotation = 'readOnly' | 'writeOnly';

/** True if the schema of a property, or the target of its reference, has the annotation. */
export function isAnnotated(document: Document, property: unknown, annotation: Annotation): boolean {
  return isSchema(property) && (property[annotation] === true || resolve(document, property)[annotation] === true);
}

/** The schema of a property that is left out of a request, known by its identity: any value fits. */
export const LEFT_OUT: Schema = {};

/**
 * Changes the schemas of a document so that they refuse properties with this annotation, or have another schema for them, and require
 * none of them.
 */
export function refuseAnnotated(
  document: Document,
  schemas: readonly Schema[],
  annotation: Annotation,
  instead: Schema | false = false,
): void {
  if (!schemas.some((schema) => schema[annotation] === true)) return;
  const namesIn = ({ properties = {} }: Schema): string[] =>
    Object.keys(properties).filter((name) => isAnnotated(document, properties[name], annotation));
  const annotated = schemas.flatMap((schema) => {
    const names = namesIn(schema);
    return names.length > 0 ? [{ schema, refused: Object.fromEntries(names.map((name) => [name, instead])) }] : [];
  });
  for (const schema of schemas) {
    // The properties that `required` names may be declared in another schema of the same `allOf`.
    const together = [...applicableSchemas(document, schema)];
    const names = together.flatMap(namesIn);
    for (const each of together) {
      if (each.required) each.required = each.required.filter((name) => !names.includes(name));
    }
  }
  const references = schemas.flatMap((schema) =>
    schema.$ref === undefined ? [] : [{ schema, target: follow(document, schema) }],
  );
  for (const { schema, refused } of annotated) Object.assign(schema.properties ?? {}, refused);
  for (const { schema, target } of references) keepTarget(document, schema, target);
}

/** Moves the target of a reference into the components, unless it is still where the reference leads. */
function keepTarget(document: Document, schema: Schema, target: Schema): void {
  const path = pathOf(schema.$ref ?? '#');
  if (lookUp(document, path) === target) return;
  const name = path.join('.');
  document.components = { ...document.components, schemas: { ...document.components?.schemas, [name]: target } };
  schema.$ref = `#/components/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

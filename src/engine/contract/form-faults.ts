/** The reasons why a form cannot be read as its contract declares it. */
import type { Content, Document, MediaType, Path } from './document';
import { type FormField, formOf } from './form-fields';
import { isForm, isMultipart } from './media-type';
import { applicableSchemas, typesOf } from './traverse';

export const PATTERN_OF_BYTES =
  'a pattern of bytes is not checked, because they are not held in memory: leave it out, and have the handler look at them';

/** Forms that cannot be read beside another media type that can, by media type with a reason: generators write each body in all that they know. */
export function unreadForms(document: Document, content: Content): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const [mediaType, declared] of Object.entries(content).filter(([each]) => isForm(each)))
    for (const [, fault] of formFaults(document, mediaType, declared)) faults.set(mediaType, fault);
  // A range would take them in the place of the form.
  const hasOther =
    Object.keys(content).length > faults.size && !Object.keys(content).some((each) => each.includes('*'));
  return hasOther ? faults : new Map();
}

/** Each with the path from the media type to its place. */
export function* formFaults(
  document: Document,
  mediaType: string,
  content: MediaType,
): Generator<[within: Path, fault: string]> {
  const { fields, others } = formOf(document, mediaType, content);
  const schemas = [...applicableSchemas(document, content.schema)];
  const types = typesOf(schemas);
  if (types.size > 0 && !types.has('object')) yield [[], 'a form is an object, and the schema says another type'];
  if (schemas.some(({ patternProperties }) => patternProperties !== undefined))
    yield [[], 'patternProperties of a form are not read'];
  for (const [name, field] of [...fields, ['additionalProperties', others] as const]) {
    const fault = fieldFault(field, isMultipart(mediaType));
    if (fault !== undefined) yield [[], `field ${name}: ${fault}`];
  }
  yield* encodingFaults(content, fields);
}

function fieldFault({ types, isFile, hasPattern }: FormField, inParts: boolean): string | undefined {
  if (isFile && !inParts) return 'a file needs multipart/form-data';
  if (isFile && hasPattern) return PATTERN_OF_BYTES;
  if (types.includes('array')) return 'a list of lists, or of more than lists, cannot be read from a form';
  return undefined;
}

/** A field is read in the default encoding, which may be spelt out; for a file, `contentType` lists the accepted media types. */
function* encodingFaults(
  { encoding = {} }: MediaType,
  fields: ReadonlyMap<string, FormField>,
): Generator<[within: Path, fault: string]> {
  for (const [name, { contentType, allowReserved: _, style, explode, ...others }] of Object.entries(encoding)) {
    const field = fields.get(name);
    const isObject = field !== undefined && !field.isFile && field.types.includes('object');
    const isStyled = isObject
      ? style !== undefined
      : field?.isList && ((style ?? 'form') !== 'form' || explode === false);
    if (Object.keys(others).length > 0 || isStyled || (isObject && contentType !== 'application/json'))
      yield [['encoding', name], `field ${name}: expected no encoding but a contentType`];
  }
}

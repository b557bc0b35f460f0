/** Checks form bodies: the text of every field can be read as the type that the contract declares; and that nothing is expected of bytes that is not checked. */
import { isForm, isMultipart } from '../contract/media-type';
import type { Document, MediaType, Path } from '../contract/document';
import type { FormField } from '../contract/form-fields';
import type { ContractOperation } from '../contract/operations';
import type { Problem } from '../contract/problems';
import { applicableSchemas, typesOf } from '../contract/traverse';

const PATTERN_OF_BYTES =
  'a pattern of bytes is not checked, because they are not held in memory: leave it out, and have the handler look at them';

export function* formProblems(
  document: Document,
  { at, requestBody, body, forms }: ContractOperation,
): Generator<Problem> {
  for (const [mediaType, content] of Object.entries(requestBody?.content ?? {})) {
    const form = forms.get(mediaType);
    const here: Path = [...at, 'requestBody', 'content', mediaType];
    const schemas = [...applicableSchemas(document, content.schema)];
    if (body?.bytes.includes(mediaType) && schemas.some(({ pattern }) => pattern !== undefined))
      yield [[...here, 'schema'], PATTERN_OF_BYTES];
    if (!isForm(mediaType) || !form) continue;
    const types = typesOf(schemas);
    if (types.size > 0 && !types.has('object')) yield [here, 'a form is an object, and the schema says another type'];
    if (schemas.some(({ patternProperties }) => patternProperties !== undefined))
      yield [here, 'patternProperties of a form are not read'];
    for (const [name, field] of [...form.fields, ['additionalProperties', form.others] as const]) {
      const problem = fieldProblem(field, isMultipart(mediaType));
      if (problem !== undefined) yield [here, `field ${name}: ${problem}`];
    }
    yield* encodingProblems(here, content, form.fields);
  }
}

function fieldProblem({ types, isFile, hasPattern }: FormField, inParts: boolean): string | undefined {
  if (isFile && !inParts) return 'a file needs multipart/form-data';
  if (isFile && hasPattern) return PATTERN_OF_BYTES;
  if (types.includes('array')) return 'a list of lists, or of more than lists, cannot be read from a form';
  return undefined;
}

/** A field is read in the default encoding, which may be spelt out; for a file, `contentType` lists the accepted media types. */
function* encodingProblems(
  here: Path,
  { encoding = {} }: MediaType,
  fields: ReadonlyMap<string, FormField>,
): Generator<Problem> {
  for (const [name, { contentType, allowReserved: _, style, explode, ...others }] of Object.entries(encoding)) {
    const field = fields.get(name);
    const isObject = field !== undefined && !field.isFile && field.types.includes('object');
    const isStyled = isObject
      ? style !== undefined
      : field?.isList && ((style ?? 'form') !== 'form' || explode === false);
    if (Object.keys(others).length > 0 || isStyled || (isObject && contentType !== 'application/json'))
      yield [[...here, 'encoding', name], `field ${name}: expected no encoding but a contentType`];
  }
}

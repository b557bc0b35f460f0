/** Checks form bodies: the text of every field can be read as the type that the contract declares; and that nothing is expected of bytes that is not checked. */
import type { Document, Path } from '../contract/document';
import { formFaults, PATTERN_OF_BYTES } from '../contract/form-faults';
import type { ContractOperation } from '../contract/operations';
import type { Problem } from '../contract/problems';
import { applicableSchemas } from '../contract/traverse';

export function* formProblems(
  document: Document,
  { at, requestBody, body, forms }: ContractOperation,
): Generator<Problem> {
  for (const [mediaType, content] of Object.entries(requestBody?.content ?? {})) {
    const here: Path = [...at, 'requestBody', 'content', mediaType];
    const schemas = [...applicableSchemas(document, content.schema)];
    if (body?.bytes.includes(mediaType) && schemas.some(({ pattern }) => pattern !== undefined))
      yield [[...here, 'schema'], PATTERN_OF_BYTES];
    const faults = forms.has(mediaType) ? formFaults(document, mediaType, content) : [];
    for (const [within, fault] of faults) yield [[...here, ...within], fault];
  }
}

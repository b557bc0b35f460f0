/** Checks bodies in parts without names (OpenAPI 3.2, "Encoding By Position"): all that is declared of their parts is served. */
import type { Document, MediaType, Path } from '../contract/document';
import type { FormField } from '../contract/form-fields';
import { isJson, isParts, isXml, isYaml } from '../contract/media-type';
import type { ContractOperation } from '../contract/operations';
import type { Problem } from '../contract/problems';
import { isSequence, partAt } from '../contract/sequences';

export function* partProblems(
  document: Document,
  { at, requestBody, responses }: ContractOperation,
): Generator<Problem> {
  yield* contentProblems(document, requestBody?.content, [...at, 'requestBody'], unreadable);
  for (const [status, { content }] of Object.entries(responses))
    yield* contentProblems(document, content, [...at, 'responses', status], unsendable);
}

type Fault = (part: FormField) => string | undefined;

function* contentProblems(
  document: Document,
  content: Record<string, MediaType> = {},
  at: Path,
  faultOf: Fault,
): Generator<Problem> {
  for (const [mediaType, declared] of Object.entries(content)) {
    const here = [...at, 'content', mediaType];
    if (isParts(mediaType) && isSequence(document, mediaType, declared))
      yield* encodingProblems(document, declared, here, faultOf);
    else if (/^multipart\//i.test(mediaType))
      for (const keyword of ['itemSchema', 'prefixEncoding', 'itemEncoding'])
        if (Object.hasOwn(declared, keyword))
          yield [
            [...here, keyword],
            `${keyword} is not served here: expected ${isParts(mediaType) ? 'an itemSchema, or a schema of a list, beside it' : 'the fields of a form in its schema'}`,
          ];
  }
}

function* encodingProblems(document: Document, declared: MediaType, here: Path, faultOf: Fault): Generator<Problem> {
  const { encoding, prefixEncoding = [], itemEncoding } = declared;
  if (encoding) yield [[...here, 'encoding'], 'these parts have no names: expected itemEncoding or prefixEncoding'];
  const partOf = partAt(document, declared);
  for (const [index, each] of [...prefixEncoding, itemEncoding ?? {}].entries()) {
    const place = index < prefixEncoding.length ? ['prefixEncoding', index] : itemEncoding ? ['itemEncoding'] : [];
    const isOther = (name: string): boolean => name !== 'contentType' && !name.startsWith('x-');
    const fault = Object.keys(each).some(isOther) ? 'expected no encoding but a contentType' : faultOf(partOf(index));
    if (fault !== undefined) yield [[...here, ...place], fault];
  }
}

/** Parts are read as JSON where they may be an object or a list. */
function unreadable({ mediaTypes = [], ...part }: FormField): string | undefined {
  const unread = isStructured(part) && mediaTypes.find((each) => !isJson(each) && !each.includes('*'));
  return unread ? `no reader for parts of ${unread}: expected application/json` : undefined;
}

function unsendable({ mediaTypes, ...part }: FormField): string | undefined {
  const [sent = '', ...more] = mediaTypes ?? ['application/json'];
  if (more.length > 0 || sent.includes('*')) return 'expected one media type for the parts of an answer';
  if (!isStructured(part) || isJson(sent) || isXml(sent) || isYaml(sent)) return undefined;
  return `no writer for parts of ${sent}: expected application/json`;
}

function isStructured({ types, isList, isFile }: Pick<FormField, 'types' | 'isList' | 'isFile'>): boolean {
  return !isFile && (isList || types.includes('object'));
}

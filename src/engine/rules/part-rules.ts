/** Checks bodies of items and in parts without names (OpenAPI 3.2, "Encoding By Position"): all that is declared of them is served. */
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
  yield* contentProblems(document, requestBody?.content, [...at, 'requestBody'], false);
  for (const [status, { content }] of Object.entries(responses))
    yield* contentProblems(document, content, [...at, 'responses', status], true);
}

const OF_ITEMS = ['itemSchema', 'prefixEncoding', 'itemEncoding'] as const;

function* contentProblems(
  document: Document,
  content: Record<string, MediaType> = {},
  at: Path,
  isSent: boolean,
): Generator<Problem> {
  for (const [mediaType, declared] of Object.entries(content)) {
    const here = [...at, 'content', mediaType];
    const served = isParts(mediaType)
      ? 'an itemSchema, or a schema of a list, beside it'
      : 'the fields of a form in its schema';
    if (isParts(mediaType) && isSequence(document, mediaType, declared))
      yield* encodingProblems(document, declared, here, isSent);
    else if (/^multipart\//i.test(mediaType))
      for (const keyword of OF_ITEMS.filter((each) => Object.hasOwn(declared, each)))
        yield [[...here, keyword], `${keyword} is not served here: expected ${served}`];
    else if (!isSent && declared.itemSchema !== undefined && !isSequence(document, mediaType, declared))
      yield [
        [...here, 'itemSchema'],
        `itemSchema is not held in requests of ${mediaType}: expected application/jsonl, application/x-ndjson, application/json-seq or a multipart media type`,
      ];
  }
}

function* encodingProblems(document: Document, declared: MediaType, here: Path, isSent: boolean): Generator<Problem> {
  const { encoding, prefixEncoding = [], itemEncoding } = declared;
  if (encoding) yield [[...here, 'encoding'], 'these parts have no names: expected itemEncoding or prefixEncoding'];
  const partOf = partAt(document, declared);
  for (const [index, each] of [...prefixEncoding, itemEncoding ?? {}].entries()) {
    const place = index < prefixEncoding.length ? ['prefixEncoding', index] : itemEncoding ? ['itemEncoding'] : [];
    const isOther = (name: string): boolean => name !== 'contentType' && !name.startsWith('x-');
    const fault = Object.keys(each).some(isOther)
      ? 'expected no encoding but a contentType'
      : typeFault(partOf(index), isSent);
    if (fault !== undefined) yield [[...here, ...place], fault];
  }
}

/** A media type that objects and lists are not read or written as, or too many to send. */
function typeFault({ mediaTypes = [], types, isList, isFile }: FormField, isSent: boolean): string | undefined {
  if (isSent && (mediaTypes.length > 1 || mediaTypes.some((each) => each.includes('*'))))
    return 'expected one media type for the parts of an answer';
  if (isFile || !(isList || types.includes('object'))) return undefined;
  const known = (each: string): boolean => isJson(each) || (isSent ? isXml(each) || isYaml(each) : each.includes('*'));
  const unknown = mediaTypes.find((each) => !known(each));
  return unknown && `no ${isSent ? 'writer' : 'reader'} for parts of ${unknown}: expected application/json`;
}

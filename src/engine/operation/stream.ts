/** Answers whose bodies are iterables: of items, each held to the contract, or of bytes and text. */
import type { HandlerAnswer } from '../contract/handler-types';
import { isJson } from '../contract/media-type';
import type { StreamedAnswer } from '../http/streamed-answer';
import type { Responses } from './response';
import { isEventStream, type Sequence } from './sequence';
import type { Writing } from './write-body';
import { encodable } from './write-body';

/** A place for bytes that are checked as they come. */
const NO_BYTES = new Uint8Array();

/**
 * The body of an answer that is an iterable. `report` is given each violation of the contract, or undefined, and throws unless it is to be
 * sent in spite of it.
 */
export function streamOf(
  given: HandlerAnswer,
  source: AsyncIterable<unknown>,
  responses: Responses,
  report: (problem: string | undefined) => void,
): StreamedAnswer['stream'] {
  const answer = { ...given, body: NO_BYTES };
  report(responses.problem(answer));
  const mediaType = responses.mediaTypeOf(answer) ?? 'application/octet-stream';
  const sequence = responses.sequenceOf(given.status, mediaType);
  if (!sequence && isJson(mediaType)) throw new TypeError(`expected a value for a body of ${mediaType}, got a stream`);
  const writing = sequence?.begin(mediaType) ?? { mediaType, write: bytesOf };
  return {
    ...(sequence ? checked(sequence, writing, report) : writing),
    source,
    takesComments: isEventStream(mediaType),
    length: given.body instanceof Blob && !sequence ? given.body.size : undefined,
  };
}

/** Writes items until one is not to be sent; of those that are sent in spite of a violation the first is reported. */
function checked(sequence: Sequence, writing: Writing, report: (problem: string | undefined) => void): Writing {
  let isReported = false;
  let index = 0;
  const reportFirst = (find: () => string | undefined): void => {
    if (isReported) return;
    const problem = find();
    isReported = problem !== undefined;
    report(problem);
  };
  return {
    ...writing,
    write(item) {
      reportFirst(() => sequence.problem(item, index));
      index++;
      return encodable(writing.write(item));
    },
    end() {
      reportFirst(() => sequence.endProblem(index));
      return writing.end?.() ?? '';
    },
  };
}

function bytesOf(item: unknown): string | Uint8Array {
  if (typeof item === 'string' || item instanceof Uint8Array) return encodable(item);
  throw new TypeError(`expected strings or Uint8Arrays in the body, got ${typeof item}`);
}

/** The parts of a multipart body as its items, as they come. */
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import type { BodyBuffer } from './body-buffer';
import { isInUtf8 } from './part-headers';
import { placed } from './split-items';
import type { SentPart } from './split-parts';

/** An item as it was sent, not read yet. */
export interface PartItem {
  bytes: Buffer;
  /** In lower case and without parameters. */
  mediaType: string;
}

/** The items, each in the buffer until the next one is asked for. Throws an ApiError, with the item's place, for one that is malformed or too large. */
export async function* partItems(parts: AsyncGenerator<SentPart>, buffer: BodyBuffer): AsyncGenerator<PartItem, void> {
  let number = 0;
  try {
    for await (const { mediaType, charset, content } of parts) {
      if (!isInUtf8(charset)) throw new ApiError(ErrorCode.MalformedBody, 'expected parts in UTF-8');
      for await (const piece of content) {
        const error = buffer.add(piece);
        if (error) throw placed(error, number);
      }
      yield { bytes: buffer.bytes(), mediaType };
      buffer.release();
      number++;
    }
  } catch (error) {
    throw error instanceof ApiError && error.code === ErrorCode.MalformedBody ? placed(error, number) : error;
  } finally {
    buffer.release();
  }
}

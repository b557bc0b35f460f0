/** Answers whose bodies are made while they are sent: iterables of items or of bytes. */
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import type { Answer } from './send';

/** An answer with a body that is made while it is sent. */
export interface StreamedAnswer extends Omit<Answer, 'content'> {
  stream: {
    mediaType: string;
    source: AsyncIterable<unknown>;
    /** The bytes of an item; throws if it must not be sent, or cannot be. */
    write: (item: unknown) => string | Uint8Array;
    /** The bytes behind the last item. */
    end?: (() => string | Uint8Array) | undefined;
    /** True if comments may be sent between items: an event stream. */
    takesComments: boolean;
    /** The number of bytes after which no more are asked for; undefined if only the end of the iterable tells. */
    length?: number | undefined;
  };
}

/** The iterable of a body; undefined if the body is a value. */
export function iterableOf(body: unknown): AsyncIterable<unknown> | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if (body instanceof Blob) return iterableOf(body.stream());
  if (!(Symbol.asyncIterator in body)) return undefined;
  // As a Readable it can be cancelled while it waits.
  if (body instanceof ReadableStream) return Readable.fromWeb(body, { objectMode: true, highWaterMark: 1 });
  return body as AsyncIterable<unknown>; // `write` checks each of its items
}

/** Ends an iterable whose items are not asked for; no answer depends on its failures. */
export function abandon(source: AsyncIterable<unknown>): void {
  void stopper(source, source[Symbol.asyncIterator](), () => undefined)();
}

/** The number of bytes of a body; of an iterable as far as it is known, or else as its handler says in a header that its contract declares. */
export function lengthOf(answer: Answer | StreamedAnswer): number | undefined {
  if (!('stream' in answer)) return answer.content && Buffer.byteLength(answer.content.body);
  const { headers = {}, stream } = answer;
  const [, length] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length') ?? [];
  return stream.length ?? (length === undefined ? undefined : Number(length));
}

/**
 * A function that ends the iterable, and resolves when it has ended; a Readable at once, a generator where it yields next. `failed` is called
 * with the error of an iterable that cannot be ended, or fails as it is: nobody else listens for that of a Readable whose items were not asked
 * for, such as a file that does not exist, and Node would end the process.
 */
export function stopper(
  source: AsyncIterable<unknown>,
  iterator: AsyncIterator<unknown>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    try {
      if (source instanceof Readable) source.on('error', failed).destroy();
      else await iterator.return?.();
    } catch (error) {
      failed(error);
    }
  };
  return () => (ended ??= end());
}

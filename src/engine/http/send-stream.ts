/** Writes answers whose bodies are made while they are sent, as fast as the client reads them. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ErrorCode } from '../errors/error-codes';
import type { Comments } from './comments';
import type { Exchange } from './exchange';
import { requestId } from './request-id';
import { type Answer, isOverTls, sendHead } from './send';

/** The time without an event after which an event stream is ended when the server ends; its client connects again, elsewhere. */
const LAST_EVENT_MS = 1_000;
/** The time for which items that are there already may be sent before other clients have their turn. */
const TURN_MS = 10;

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

/** Ends an iterable whose items are not asked for. */
export function abandon(source: AsyncIterable<unknown>): void {
  stopper(source, source[Symbol.asyncIterator]())().catch(() => undefined);
}

/**
 * Sends the answer: its headers with the first item or comment, so that a failure before is rejected and answered as any other. A later one
 * breaks the answer off so that the client can tell, and is logged. If the client goes, `return` of the iterable is called, and so it is
 * for an event stream that idles when the server ends. Resolves when the iterable has ended.
 */
export async function sendStream(
  exchange: Exchange,
  answer: StreamedAnswer,
  log: Logger,
  comments: Comments,
): Promise<void> {
  const { req, res, operation } = exchange;
  const { source, write, end, takesComments } = answer.stream;
  const length = lengthOf(answer);
  const iterator = source[Symbol.asyncIterator]();
  const stop = stopper(source, iterator);
  const hasGone = (): boolean => isClosed || req.socket.destroyed;
  let isClosed = false; // or ended from here
  let lastEvent: NodeJS.Timeout | undefined;
  let number = 0;
  let turnEnd = performance.now() + TURN_MS;
  const begin = (): void => {
    if (!res.headersSent) sendHead(req, res, answer, contentHeaders(answer));
  };
  const send = (bytes: string | Uint8Array): boolean => {
    begin();
    res.bodyBytes = (res.bodyBytes ?? 0) + Buffer.byteLength(bytes);
    if (length !== undefined && res.bodyBytes > length)
      throw new Error(`the body is longer than its Content-Length, ${length}`);
    return res.write(bytes);
  };
  const endIdle = (): void => {
    if (hasGone()) return;
    try {
      begin();
    } catch {
      return; // headers that cannot be sent are an error when there is a first item
    }
    isClosed = true;
    res.emit('abandon');
    stop().catch(() => undefined); // awaited below
    res.end();
  };
  res.once('close', () => {
    isClosed = true;
    clearTimeout(lastEvent);
    comments.delete(res);
    stop().catch(() => undefined); // awaited below
  });
  res.bodyBytes = 0;
  try {
    if (takesComments) {
      comments.add(res, begin);
      // Browsers connect again only with GET; to others, such as a chat's POST, a whole end would say that nothing is missing.
      if (req.method === 'GET') res.endWhenIdle = () => (lastEvent ??= setTimeout(endIdle, LAST_EVENT_MS).unref());
    }
    while (req.method !== 'HEAD' && !hasGone() && res.bodyBytes !== answer.stream.length) {
      const next = await iterator.next();
      if (hasGone() || next.done === true) break;
      number++;
      if (!send(write(next.value))) await drained(res);
      lastEvent?.refresh();
      // A client that reads faster than items are made is never waited for.
      if (performance.now() < turnEnd) continue;
      await setImmediate();
      turnEnd = performance.now() + TURN_MS;
    }
    if (hasGone()) return;
    if (req.method === 'HEAD' || !end) begin();
    else send(end());
    if (length !== undefined && res.bodyBytes < length && req.method !== 'HEAD')
      throw new Error(`the body is shorter than its Content-Length, ${length}`);
    res.end();
  } catch (error) {
    if (hasGone()) return; // perhaps the reason
    if (!res.headersSent) throw error;
    exchange.error = ErrorCode.Internal;
    exchange.isBrokenOff = true;
    log.error({ id: requestId(req), operation: operation?.id, item: number, err: error }, 'an answer is broken off');
    breakOff(res, length);
  } finally {
    clearTimeout(lastEvent);
    delete res.endWhenIdle;
    comments.delete(res);
    await stop().catch((err: unknown) => log.error({ id: requestId(req), err }, 'a body could not be ended'));
  }
}

/** The number of bytes of a body; of an iterable as far as it is known, or else as its handler says in a header that its contract declares. */
export function lengthOf(answer: Answer | StreamedAnswer): number | undefined {
  if (!('stream' in answer)) return answer.content && Buffer.byteLength(answer.content.body);
  const { headers = {}, stream } = answer;
  const [, length] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length') ?? [];
  return stream.length ?? (length === undefined ? undefined : Number(length));
}

function contentHeaders({ stream: { mediaType, takesComments, length } }: StreamedAnswer): string[] {
  return [
    ...['Content-Type', mediaType],
    ...(length === undefined ? [] : ['Content-Length', String(length)]),
    ...(takesComments ? ['X-Accel-Buffering', 'no'] : []), // nginx would collect events before it passes them on
  ];
}

/** A function that ends the iterable, and resolves when it has ended; a Readable at once, a generator where it yields next. */
function stopper(source: AsyncIterable<unknown>, iterator: AsyncIterator<unknown>): () => Promise<unknown> {
  let ended: Promise<unknown> | undefined;
  const end = async (): Promise<unknown> => (source instanceof Readable ? source.destroy() : iterator.return?.());
  return () => (ended ??= end());
}

/** Resolves when there is room for more, or the client has gone; not if it had gone before. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      res.off('drain', end).off('close', end);
      resolve();
    };
    res.on('drain', end).on('close', end);
  });
}

/** Closes the connection so that the client knows that something is missing: the last chunk, or bytes of the length. */
function breakOff(res: ServerResponse, length: number | undefined): void {
  const { socket, req } = res;
  if (!socket) return void res.destroy(); // behind other answers
  // The bytes that were written go out first: Node 26 holds them until the end of this turn.
  if (res.chunkedEncoding || length !== undefined) return void setImmediate().then(() => socket.destroySoon());
  // HTTP/1.0: the end of the connection is that of the body, unless it is reset.
  if (isOverTls(req)) socket.destroy();
  else socket.resetAndDestroy();
}

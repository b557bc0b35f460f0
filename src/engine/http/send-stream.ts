/** Sends answers whose bodies are made meanwhile, as fast as the client reads them. */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withCharset } from '../contract/media-type';
import { ErrorCode } from '../errors/error-codes';
import { Turn } from '../process/turn';
import type { Comments } from './comments';
import type { Exchange } from './exchange';
import { requestId } from './request-id';
import { sendHead } from './send';
import { lengthOf, stopper, type StreamedAnswer } from './streamed-answer';

/** The time without an event after which an event stream is ended when the server ends; its client connects again, elsewhere. */
const LAST_EVENT_MS = 1_000;

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
  await new Sending(exchange, answer, log, comments).run();
}

/** An answer on its way. */
class Sending {
  private readonly iterator: AsyncIterator<unknown>;
  private readonly stop: () => Promise<void>;
  private readonly length: number | undefined;
  private isClosed = false; // or ended from here
  private lastEvent: NodeJS.Timeout | undefined;
  /** The number of items so far. */
  private items = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly answer: StreamedAnswer,
    private readonly log: Logger,
    private readonly comments: Comments,
  ) {
    const { source } = answer.stream;
    this.length = lengthOf(answer);
    this.iterator = source[Symbol.asyncIterator]();
    this.stop = stopper(source, this.iterator, (err) =>
      log.error({ id: requestId(exchange.req), err }, 'a body could not be ended'),
    );
  }

  async run(): Promise<void> {
    const { req, res } = this.exchange;
    res.bodyBytes = 0;
    res.once('close', () => this.abandon());
    try {
      if (this.answer.stream.takesComments) this.keepOpen();
      if (req.method !== 'HEAD') await this.sendBody();
      else if (!this.hasGone()) this.begin();
      if (!this.hasGone()) res.end();
    } catch (error) {
      if (this.hasGone()) return; // perhaps the reason
      if (!res.headersSent) throw error;
      this.breakOff(error);
    } finally {
      this.release();
      await this.stop();
    }
  }

  private hasGone(): boolean {
    return this.isClosed || this.exchange.req.socket.destroyed;
  }

  /** Ends the iterable without waiting for its end: `run` does. */
  private abandon(): void {
    this.isClosed = true;
    this.release();
    void this.stop();
  }

  private release(): void {
    const { res } = this.exchange;
    clearTimeout(this.lastEvent);
    delete res.endWhenIdle;
    this.comments.delete(res);
  }

  /** Sends comments between events, and ends the answer when the server ends and no event comes. */
  private keepOpen(): void {
    const { req, res } = this.exchange;
    this.comments.add(res, () => this.begin());
    // Browsers connect again only with GET; to others, such as a chat's POST, a whole end would say that nothing is missing.
    if (req.method === 'GET')
      res.endWhenIdle = () => (this.lastEvent ??= setTimeout(() => this.endIdle(), LAST_EVENT_MS).unref());
  }

  private endIdle(): void {
    const { res } = this.exchange;
    if (this.hasGone()) return;
    try {
      this.begin();
    } catch {
      return; // headers that cannot be sent are an error when there is a first item
    }
    res.emit('abandon');
    this.abandon();
    res.end();
  }

  /** Sends the headers, if they are not sent yet; the body is text if it begins with text. */
  private begin(isText = false): void {
    const { req, res } = this.exchange;
    if (!res.headersSent) sendHead(req, res, this.answer, contentHeaders(this.answer, isText));
  }

  private async sendBody(): Promise<void> {
    const { length } = this;
    const { end } = this.answer.stream;
    await this.sendItems();
    if (this.hasGone()) return;
    if (end) this.send(end());
    else this.begin();
    if (length !== undefined && Number(this.exchange.res.bodyBytes) < length)
      throw new Error(`the body is shorter than its Content-Length, ${length}`);
  }

  private async sendItems(): Promise<void> {
    const { res } = this.exchange;
    const { write, length } = this.answer.stream;
    const turn = new Turn();
    while (!this.hasGone() && res.bodyBytes !== length) {
      const next = await this.iterator.next();
      if (this.hasGone() || next.done === true) return;
      this.items++;
      if (!this.send(write(next.value))) await drained(res);
      this.lastEvent?.refresh();
      // A client that reads faster than items are made is never waited for.
      if (turn.isOver) await turn.leave();
    }
  }

  /** False if the client has to read before more is sent. */
  private send(bytes: string | Uint8Array): boolean {
    const { length } = this;
    const { res } = this.exchange;
    this.begin(typeof bytes === 'string');
    res.bodyBytes = (res.bodyBytes ?? 0) + Buffer.byteLength(bytes);
    if (length !== undefined && res.bodyBytes > length)
      throw new Error(`the body is longer than its Content-Length, ${length}`);
    return res.write(bytes);
  }

  private breakOff(err: unknown): void {
    const { exchange, items: item } = this;
    const { req, res, operation } = exchange;
    exchange.error = ErrorCode.Internal;
    exchange.isBrokenOff = true;
    this.log.error({ id: requestId(req), operation: operation?.id, item, err }, 'an answer is broken off');
    breakOff(res, this.length);
  }
}

function contentHeaders({ stream }: StreamedAnswer, isText: boolean): string[] {
  const { mediaType, takesComments, length } = stream;
  return [
    ...['Content-Type', isText ? withCharset(mediaType) : mediaType],
    ...(length === undefined ? [] : ['Content-Length', String(length)]),
    ...(takesComments ? ['X-Accel-Buffering', 'no'] : []), // nginx would collect events before it passes them on
  ];
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
  const { socket } = res;
  if (!socket) return void res.destroy(); // behind other answers
  // The bytes that were written go out first: Node 26 holds them until the end of this turn.
  if (res.chunkedEncoding || length !== undefined) return void setImmediate().then(() => socket.destroySoon());
  socket.resetAndDestroy(); // to a client of HTTP/1.0 the end of a connection is that of an answer
}

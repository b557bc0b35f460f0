/** An HTTP client on one kept connection that sends any method, target and header as it stands. */
import { isUtf8 } from 'node:buffer';
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as wait } from 'node:timers/promises';
import { isSequence, wholeItems } from './judge/sequence';

export interface Request {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  /** Bytes that are no text, or a text. */
  body: Buffer | string | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** True if the body is not UTF-8: it is read as that. */
  isOtherText?: boolean;
  /** True if the body is longer than `LENGTH_MAX`, or may not end: it is read so far. */
  isCut?: boolean;
}

/** The time limit of a whole answer. */
const ANSWER_MS = 30_000;
/** The greatest number of characters of a body that are read. */
export const LENGTH_MAX = 10_000_000;
/** Bounds of a sequence, of which the first items are read: it may begin late, or never end. */
const FIRST_ITEM_MS = 1_000;
const ITEMS_MS = 100;
const LINES_MAX = 1_000;

/** The status of a server that limits its rate, whatever the request. */
export const TOO_MANY = 429;
/** A longer time until the next request is not waited for, nor is one more often in a row. */
const RETRY_AFTER_MAX = 10;
const RETRIES_MAX = 3;

export class Client {
  private readonly agent: Agent;
  private readonly origin: URL;

  /** `origin` is an address, http or https, of which scheme, host and port are taken; `answerMs` limits the time of a whole answer. */
  constructor(
    origin: URL | string,
    private readonly answerMs = ANSWER_MS,
  ) {
    this.origin = new URL(origin);
    const { hostname, port, protocol } = this.origin;
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`expected http or https, got ${protocol}`);
    const Kind = protocol === 'https:' ? TlsAgent : Agent;
    this.agent = new Kind({ keepAlive: true, maxSockets: 1 });
    // Between two requests Node leaves a connection without a listener for a moment (_http_client.js says where): a reset that comes
    // just then would end the process.
    const connect = this.agent.createConnection.bind(this.agent);
    this.agent.createConnection = (...args) => connect(...args)?.on('error', () => undefined);
    this.where = { hostname: hostname.replace(/^\[|\]$/g, ''), port };
  }
  private readonly where: { hostname: string; port: string };

  /** The number of times in a row that the server has limited its rate. */
  private limited = 0;

  /**
   * Sends a request, and again as long after as a server that limits its rate asks for (RFC 9110 section 10.2.3). Rejects if no answer
   * comes, or only a part of one; with a LateAnswer if that takes too long.
   */
  async send(request: Request): Promise<Answer> {
    const answer = await this.answerTo(request);
    this.limited = answer.status === TOO_MANY ? this.limited + 1 : 0;
    const seconds = Number(answer.headers['retry-after'] ?? Infinity);
    if (this.limited === 0 || this.limited > RETRIES_MAX || !(seconds <= RETRY_AFTER_MAX)) return answer;
    await wait(seconds * 1000);
    return await this.send(request);
  }

  private async answerTo(request: Request): Promise<Answer> {
    try {
      return await this.attempt(request);
    } catch (error) {
      // The server may close an idle connection at the moment it is used again (RFC 9112 section 9.3.1).
      if (error instanceof StaleConnection) return await this.attempt(request);
      throw error;
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private attempt({ method, target, headers, body }: Request): Promise<Answer> {
    const length = body === undefined ? undefined : { 'Content-Length': Buffer.byteLength(body) };
    const send = this.origin.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const sent = send({ agent: this.agent, ...this.where, method, path: target, headers: { ...headers, ...length } });
      const late = setTimeout(() => sent.destroy(new LateAnswer(this.answerMs)), this.answerMs);
      sent.on('response', (response) => {
        let text = '';
        const decoder = new StringDecoder();
        const bytes: Buffer[] = [];
        const { statusCode: status = 0, headers } = response;
        const mediaType = headers['content-type'] ?? '';
        const cut = (): void => {
          if (isSequence(mediaType)) text = wholeItems(mediaType, text);
          resolve({ status, headers, body: text, isCut: true });
          sent.destroy();
        };
        response.on('data', (chunk: Buffer) => {
          text += decoder.write(chunk);
          bytes.push(chunk);
          if (text.length > LENGTH_MAX) cut();
        });
        response.on('error', reject).on('end', () => {
          text += decoder.end();
          const isOtherText = !isUtf8(Buffer.concat(bytes));
          resolve({ status, headers, body: text, ...(isOtherText && { isOtherText }) });
        });
        if (!isSequence(mediaType)) return;
        let lines = 0;
        let soon = setTimeout(cut, FIRST_ITEM_MS);
        response.once('data', () => {
          clearTimeout(soon);
          soon = setTimeout(cut, ITEMS_MS);
        });
        response.on('data', (chunk: Buffer) => {
          lines += chunk.toString('latin1').split('\n').length - 1;
          if (lines >= LINES_MAX) cut();
        });
        sent.once('close', () => clearTimeout(soon));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET';
        reject(isStale ? new StaleConnection(error.message) : error);
      });
      sent.on('close', () => {
        clearTimeout(late);
        // Node has neither a response nor an error for 101, nor for an answer to CONNECT.
        reject(new Error('the connection became another protocol'));
      });
      sent.end(body);
    });
  }
}

/** No whole answer came in time. */
export class LateAnswer extends Error {
  constructor(answerMs: number) {
    super(`no whole answer within ${answerMs / 1000} s`);
  }
}

/** The connection was closed before an answer began. */
class StaleConnection extends Error {}

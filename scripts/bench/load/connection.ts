/**
 * A keep-alive connection with one request in flight. It parses only what the answers need: a status line, a Content-Length,
 * and a body that may arrive in pieces. A request with its own id costs autocannon 50 us of CPU, and this client 13 us: with
 * two cores for both, a slow generator would be the bottleneck.
 */
import { connect, type Socket } from 'node:net';

export interface Work {
  /** The next request; undefined when the time is over. */
  next(): string | undefined;
  /** Called with the answer to the last request. */
  answered(status: string, body: string): void;
  /** Called when the connection has ended, with a reason if something went wrong. */
  ended(reason?: string): void;
}

// All connections share one buffer, because the callback consumes the bytes synchronously.
const shared = Buffer.allocUnsafe(65_536);

export class Connection {
  readonly #socket: Socket;
  readonly #work: Work;
  #received = '';
  #done = false;

  constructor(port: number, work: Work) {
    this.#work = work;
    const onread = { buffer: shared, callback: (count: number) => this.#read(count) };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.on('error', (error) => this.end(error.message));
    this.#socket.on('close', () => this.end('connection closed by the server'));
  }

  /** Resolves when it is connected, or has failed to connect. */
  get connected(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once('connect', resolve);
      this.#socket.once('close', () => resolve());
    });
  }

  send(): void {
    if (this.#done) return;
    const request = this.#work.next();
    if (request === undefined) this.end();
    else this.#socket.write(request, 'latin1');
  }

  end(reason?: string): void {
    if (this.#done) return;
    this.#done = true;
    this.#socket.destroy();
    this.#work.ended(reason);
  }

  #read(count: number): boolean {
    this.#received += shared.toString('latin1', 0, count);
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd !== -1) this.#readAnswer(headEnd);
    return true;
  }

  #readAnswer(headEnd: number): void {
    const answer = this.#received;
    const length = /\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, headEnd))?.[1];
    if (length === undefined) return this.end('an answer without a Content-Length');
    const missing = headEnd + 4 + Number(length) - answer.length;
    if (missing > 0) return;
    if (missing < 0) return this.end('more bytes than the answer has');
    this.#received = '';
    this.#work.answered(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length), answer.slice(headEnd + 4));
    this.send();
  }
}

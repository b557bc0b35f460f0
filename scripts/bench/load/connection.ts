/**
 * A keep-alive connection with one request in flight. It parses only what the answers need: a status line, a Content-Length,
 * and a body that may arrive in pieces. A request with its own id costs autocannon several times as much CPU: with two cores
 * for both, a slow generator would be the bottleneck.
 */
import { connect, type Socket } from 'node:net';

export interface Answer {
  status: string;
  body: string;
}

const ANSWER_MS_MAX = 10_000;

// All connections share one buffer, because the callback consumes the bytes synchronously.
const shared = Buffer.allocUnsafe(65_536);

export class Connection {
  readonly #socket: Socket;
  #received = '';
  #resolve: (answer: Answer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(port: number) {
    const onread = { buffer: shared, callback: (count: number) => this.#read(count) };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.setTimeout(ANSWER_MS_MAX, () => this.#socket.destroy(new Error('no answer')));
    this.#socket.on('error', (error) => this.#reject(error));
    this.#socket.on('close', () => this.#reject(new Error('connection closed by the server')));
  }

  /** Rejects if the connection ends before the answer does. */
  exchange(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('connection closed by the server'));
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request, 'latin1');
    });
  }

  end(): void {
    this.#socket.destroy();
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
    if (length === undefined) return this.#reject(new Error('an answer without a Content-Length'));
    const missing = headEnd + 4 + Number(length) - answer.length;
    if (missing > 0) return;
    if (missing < 0) return this.#reject(new Error('more bytes than the answer has'));
    this.#received = '';
    this.#resolve({ status: answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length), body: answer.slice(headEnd + 4) });
  }
}

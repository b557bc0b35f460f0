/** HTTP as bytes on a socket, for what no client library would send; what comes back is read strictly (RFC 9112). */
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface RawAnswer {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How long a test waits for bytes before it fails. */
const PATIENCE_MS = 10_000;

/** A connection to the loopback. Its bytes are read all the time, and given away answer by answer. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private state: 'open' | 'ended' | 'reset' = 'open';
  private wake = (): void => undefined;

  private constructor(private readonly socket: Socket) {
    const closed = (state: 'ended' | 'reset') => (): void => {
      if (this.state === 'open') this.state = state;
      this.wake();
    };
    socket.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
      this.wake();
    });
    socket.on('end', closed('ended')).on('error', closed('reset')).on('close', closed('ended'));
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RawConnection(socket)));
    });
  }

  /** Sends text, each character a byte, or bytes. */
  send(bytes: string | Buffer): this {
    if (this.socket.writable) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return this;
  }

  /** Sends the bytes over and over until the server has closed; resolves to how many have left. */
  async flood(bytes: string): Promise<number> {
    const piece = Buffer.from(bytes, 'latin1');
    let left = 0;
    while (this.socket.writable) {
      await setImmediate(); // the server has to have its turn
      await new Promise<void>((resolve) => {
        this.socket.once('close', resolve);
        this.socket.write(piece, (error) => {
          if (!error) left += piece.length;
          this.socket.off('close', resolve);
          resolve();
        });
      });
    }
    return left;
  }

  /** Says that nothing more will come. */
  finish(): this {
    this.socket.end();
    return this;
  }

  /** The next answer to a request of this method; rejects where the bytes are no answer, or none comes. */
  async answer(method = 'POST'): Promise<RawAnswer> {
    for (;;) {
      const found = readAnswer(this.received, method);
      if (found) {
        this.received = this.received.subarray(found.length);
        return found.answer;
      }
      if (this.state !== 'open') throw new Error(`${this.state} after ${JSON.stringify(this.received.toString())}`);
      await this.more();
    }
  }

  /** Resolves when the server has closed, orderly or not, to what came that was not asked for. */
  async closed(): Promise<string> {
    while (this.state === 'open') await this.more();
    this.socket.destroy();
    return this.received.toString();
  }

  /** Cuts the connection. */
  destroy(): void {
    this.socket.destroy();
  }

  /** Cuts it so that the server is told that something has gone wrong. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  private more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`nothing more after ${JSON.stringify(this.received.toString())}`)),
        PATIENCE_MS,
      );
      this.wake = () => {
        clearTimeout(timer);
        this.wake = () => undefined;
        resolve();
      };
    });
  }
}

/** Sends the bytes on a connection of its own, and resolves to the first answer. */
export async function ask(port: number, bytes: string | Buffer, method = 'POST'): Promise<RawAnswer> {
  const connection = (await RawConnection.open(port)).send(bytes);
  try {
    return await connection.answer(method);
  } finally {
    connection.destroy();
  }
}

/** The same, where the answer has to be the last: the server has to close then, and to send nothing more. */
export async function lastAnswer(port: number, bytes: string | Buffer, method = 'POST'): Promise<RawAnswer> {
  const connection = (await RawConnection.open(port)).send(bytes);
  const answer = await connection.answer(method);
  const rest = await connection.closed();
  if (rest !== '') throw new Error(`after the answer came ${JSON.stringify(rest)}`);
  return answer;
}

export interface RequestParts {
  /** The request line. */
  line?: string;
  /** What is other than usual: undefined leaves a header out, a list repeats it. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  body?: string | Buffer;
}

/** The bytes of a `POST /plants` as it should be, but for what is said. */
export function plantRequest({ token }: { token: string }, { line, headers, body = '' }: RequestParts): Buffer {
  const bytes = Buffer.from(body);
  const all = {
    Host: 'localhost',
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, values = []]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  const head = `${line ?? 'POST /plants HTTP/1.1'}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

function readAnswer(bytes: Buffer, method: string): { answer: RawAnswer; length: number } | undefined {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (?<status>[1-5]\d\d) [A-Z][\w' -]*$/.exec(statusLine)?.groups?.status;
  if (status === undefined) throw new Error(`expected a status line, got ${JSON.stringify(statusLine)}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const { name, value } =
      /^(?<name>[\w-]+): (?<value>[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(line)?.groups ?? {};
    if (name === undefined || value === undefined) throw new Error(`expected a header, got ${JSON.stringify(line)}`);
    if (Object.hasOwn(headers, name.toLowerCase())) throw new Error(`header ${name} came twice`);
    headers[name.toLowerCase()] = value;
  }
  const start = end + 4;
  if (/^1|204|304/.test(status)) return { answer: { status: Number(status), headers, body: '' }, length: start };
  const length = headers['content-length'];
  if (length === undefined || headers.date === undefined) throw new Error(`expected a length and a date, got ${text}`);
  const stop = method === 'HEAD' ? start : start + Number(length);
  if (bytes.length < stop) return undefined;
  return {
    answer: { status: Number(status), headers, body: bytes.subarray(start, stop).toString('utf8') },
    length: stop,
  };
}

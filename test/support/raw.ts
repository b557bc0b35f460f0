/** HTTP as bytes on a socket, for requests that no client library sends; answers are parsed strictly (RFC 9112). */
import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A connection to the loopback interface. Bytes are read as they arrive, and returned answer by answer. */
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

  /** From another address of the loopback interface the connection is that of another client. */
  static open(port: number, localAddress = '127.0.0.1'): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RawConnection(socket)));
    });
  }

  /** Sends bytes, or text of which each character is a byte (Latin-1). */
  send(bytes: string | Buffer): this {
    if (this.socket.writable) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return this;
  }

  /** Sends the bytes repeatedly until the server has closed; resolves to the number of bytes sent. */
  async flood(bytes: string): Promise<number> {
    const piece = Buffer.from(bytes, 'latin1');
    let left = 0;
    while (this.socket.writable) {
      await setImmediate(); // let the server, in the same process, run
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

  /** Half-closes the connection. */
  finish(): this {
    this.socket.end();
    return this;
  }

  /** The next answer to a request of this method; rejects where there is none, or the bytes are not valid HTTP. */
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

  /** How often this is in what has come and is not read yet. */
  countReceived(pattern: RegExp): number {
    return this.received.toString('latin1').match(pattern)?.length ?? 0;
  }

  /** Resolves when the server has closed or reset the connection, to the bytes that were left unread. */
  async closed(): Promise<string> {
    while (this.state === 'open') await this.more();
    this.socket.destroy();
    return this.received.toString();
  }

  /** Resolves when the server has closed the connection, to true if by a reset. */
  async isReset(): Promise<boolean> {
    await this.closed();
    return this.state === 'reset';
  }

  /** Closes the connection abruptly. */
  destroy(): void {
    this.socket.destroy();
  }

  /** Closes it with a TCP reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = () => undefined;
        resolve();
      };
    });
  }
}

/** Sends the bytes on a new connection, and resolves to the first answer. */
export async function ask(port: number, bytes: string | Buffer, method = 'POST'): Promise<RawAnswer> {
  const connection = (await RawConnection.open(port)).send(bytes);
  try {
    return await connection.answer(method);
  } finally {
    connection.destroy();
  }
}

/** The same, and expects the server to close the connection after the answer. */
export async function lastAnswer(port: number, bytes: string | Buffer, method = 'POST'): Promise<RawAnswer> {
  const connection = (await RawConnection.open(port)).send(bytes);
  const answer = await connection.answer(method);
  const rest = await connection.closed();
  if (rest !== '') throw new Error(`after the answer came ${JSON.stringify(rest)}`);
  return answer;
}

/** Resolves once connections to the port are refused. */
export async function stopsAccepting(port: number): Promise<void> {
  for (;;) {
    try {
      (await RawConnection.open(port)).destroy();
    } catch {
      return;
    }
    await sleep(5);
  }
}

export interface RequestParts {
  /** The request line. */
  line?: string;
  /** Changes to the default headers: undefined removes one, a list repeats it. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  body?: string | Buffer;
}

/** The bytes of a valid `POST /plants`, with these changes. */
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
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const text = bytes.toString('latin1', 0, end);
  const [statusLine = '', ...lines] = text.split('\r\n');
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

/** A connection on which the service has already answered. */
export async function usedConnection(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await connection.answer()).toMatchObject({ status: 404, headers: { connection: 'keep-alive' } });
  return connection;
}

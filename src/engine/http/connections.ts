/**
 * The open connections of a server, and the requests on each that are not answered yet.
 *
 * Node parses all that one read from a socket has brought, and reads on while handlers are still at work. So that one client cannot
 * fill the memory with pipelined requests (RFC 9112 section 9.3.2), a connection that has `UNANSWERED_MAX` unanswered is not read
 * until half of them are answered. Those beyond, which had been read already, are bounded over all connections (admission.ts).
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Admission } from './admission';
import { closeGently } from './last-response';

const UNANSWERED_MAX = 16;

export class Connection {
  /** In the order of their requests; Node sends them in this order. */
  private readonly unanswered = new Set<ServerResponse>();
  private newest: ServerResponse | undefined;
  /** When the newest request began, and whether it came together with another. */
  private lastTurn: number | undefined;
  private hasPipelined = false;
  private isHeld = false;
  private whenAnswered: (() => void) | undefined;
  /** One listener for all responses of the connection. */
  private readonly onFinish: (this: ServerResponse) => void;

  constructor(
    readonly socket: Socket,
    private readonly admission: Admission,
  ) {
    const answered = this.answered.bind(this);
    this.onFinish = function () {
      answered(this);
    };
    // Node calls destroySoon after an answer with "Connection: close".
    socket.destroySoon = () => closeGently(socket);
    // Reading a body resumes its socket, also while the connection is held.
    socket.on('resume', () => {
      if (this.isHeld) socket.pause();
    });
    socket.once('close', () => this.close());
  }

  /** The response to the newest request, until all are answered. */
  get newestResponse(): ServerResponse | undefined {
    return this.newest;
  }

  /** The order of reading: 0 for one request at a time, 1 for a new connection, 2 for pipelining. */
  get rank(): number {
    if (this.lastTurn === undefined) return 1;
    return this.hasPipelined ? 2 : 0;
  }

  /** Registers the response to a new request. Returns false where the connection is closed, so that nobody would read it. */
  begin(res: ServerResponse): boolean {
    const turn = this.admission.currentTurn();
    this.hasPipelined = turn === this.lastTurn;
    this.lastTurn = turn;
    if (this.hasPipelined) this.admission.countPipelined(this);
    this.unanswered.add(res);
    this.newest = res;
    res.on('finish', this.onFinish);
    if (this.unanswered.size >= UNANSWERED_MAX) {
      this.hold();
      if (this.unanswered.size > UNANSWERED_MAX && !this.admission.addExcess()) this.socket.destroy();
    }
    return !this.socket.destroyed;
  }

  /**
   * Reads no more. Calls `act` once every request is answered, unless the connection has ended by then. Only the first call counts:
   * what `act` writes is the connection's last.
   */
  afterAnswers(act: () => void): void {
    if (this.whenAnswered) return;
    this.hold();
    this.whenAnswered = () => {
      if (this.socket.writable) act();
    };
    if (this.unanswered.size === 0) this.whenAnswered();
  }

  /**
   * To be called when nothing was received or sent for a while. What ends is an idle connection, or one whose client does
   * not read its answers; one that waits for a handler stays.
   */
  timeOut(): void {
    if (this.unanswered.size === 0 || this.socket.writableLength > 0) this.socket.destroy();
  }

  private hold(): void {
    this.isHeld = true;
    this.socket.pause();
  }

  private answered(res: ServerResponse): void {
    if (!this.unanswered.delete(res)) return;
    const { size } = this.unanswered;
    if (size >= UNANSWERED_MAX) this.admission.removeExcess(1);
    if (size === 0) {
      this.newest = undefined;
      this.whenAnswered?.();
    }
    if (this.isHeld && size <= UNANSWERED_MAX / 2 && !this.whenAnswered) {
      this.isHeld = false;
      this.socket.resume();
    }
  }

  private close(): void {
    this.admission.removeExcess(Math.max(0, this.unanswered.size - UNANSWERED_MAX));
    const lost = [...this.unanswered];
    this.unanswered.clear();
    // Node emits "close" for the response whose turn it was, and not for those in the queue: these have no socket yet.
    for (const res of lost) if (res.socket === null && !res.closed) res.emit('close');
  }
}

/** All open connections of a server. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly admission = new Admission(() => this.open.values());

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, new Connection(socket, this.admission));
      socket.once('close', () => this.open.delete(socket));
    });
    // With a listener, Node leaves it to us to end the connection.
    server.on('timeout', (socket: Socket) => this.of(socket)?.timeOut());
  }

  /** The connection of a socket; undefined once it is closed. */
  of(socket: Socket): Connection | undefined {
    return this.open.get(socket);
  }

  sockets(): Iterable<Socket> {
    return this.open.keys();
  }
}

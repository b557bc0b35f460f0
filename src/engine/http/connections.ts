/**
 * Limits pipelining: the open connections of a server, each with a queue of its unanswered requests.
 *
 * Node reads up to 64 KiB from a socket, and parses all requests in it at once: 1,800 of them may be pipelined there. One client must
 * neither fill the memory that way (RFC 9112 section 9.3.2) nor keep the others waiting. So 16 requests of a connection are served at a
 * time, the next ones in a later turn of the event loop, and the socket is not read until its queue is short again. As a request is being
 * served until its answer is read, however large that is, there are limits on those of all connections besides the oldest of each, and on
 * those in one turn (turns.ts), and in all queues, as well.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, ofMost } from './client-network';
import { ClientPace, isPausedByNode, LOOK_MS, type PaceLimits } from './client-pace';
import { closeGently } from './last-response';
import { isFramedInDoubt } from './refuse-malformed';
import { Shares } from './shares';
import { PIPELINED_PER_TURN_MAX, type Reading, Turns } from './turns';

export type Serve = (req: IncomingMessage, res: ServerResponse) => void;

const SERVED_MAX = 16;

/** The largest number of requests that are served at a time besides the oldest of each connection, shared between clients. */
const BESIDES_MAX = 128;

/** The largest number of requests behind the oldest of each connection, for each connection there may be: one has up to 40 KB of headers once it is parsed. */
const BEHIND_EACH_MAX = 2;

/** The largest number of those of a connection behind the first 16 while others have some too, so that of many that flood only the first is parsed to its end. */
const WAITING_BESIDE_OTHERS_MAX = 100;

export interface ConnectionLimits extends PaceLimits {
  /** The largest number of open connections; beyond it others are closed for a new one: see Connections.makeRoom. */
  connectionsMax: number;
}

export class Connection implements Reading {
  hasAnswered = false;
  hasPipelined = false;
  /** The responses that are not finished, in the order in which Node sends them; the first `served` of them are being served. */
  private readonly queue: ServerResponse[] = [];
  private served = 0;
  private isHeld = false;
  /** True behind a response that says `Connection: close`: no request is served after it (RFC 9112 section 9.6). */
  private isLast = false;
  private whenAnswered: (() => void) | undefined;
  /** The network of the client. */
  readonly client: string;
  private readonly pace: ClientPace;
  /** The listener for "finish", one function for all responses of the connection. */
  private readonly onFinish: (this: ServerResponse) => void;

  constructor(
    readonly socket: Socket,
    private readonly all: Connections,
  ) {
    this.client = networkOf(socket.remoteAddress);
    this.pace = new ClientPace(socket);
    const answered = this.answered.bind(this);
    this.onFinish = function () {
      answered(this);
    };
    // Node calls destroySoon after an answer with "Connection: close".
    socket.destroySoon = () => closeGently(socket);
    // Reading a body resumes its socket, also while the connection is held. The end of a turn resumes it also while Node has paused it for an
    // answer that is not written yet: data of TLS would then fail an assertion of Node, which ends the process.
    socket.on('resume', () => {
      if (this.isHeld || isPausedByNode(socket)) socket.pause();
    });
    // Before Node, which ends the connection of a client that sends no more.
    socket.prependListener('end', () => {
      if (this.queue[0]?.writableEnded === false) this.resetOfOld();
    });
    socket.once('close', () => this.close());
  }

  /** The response to the newest request; undefined if all are answered. */
  get newestResponse(): ServerResponse | undefined {
    return this.queue.at(-1);
  }

  /** Serves a new request, given its response, or queues it. */
  add(res: ServerResponse): void {
    if (this.socket.destroyed) return;
    this.isLast ||= this.newestResponse?.shouldKeepAlive === false;
    if (this.isLast) return this.readNoMore();
    if (this.all.isEnding || isLastOf(res.req)) res.shouldKeepAlive = false;
    if (this.queue.push(res) > 1) {
      this.hasPipelined = true;
      this.all.turns.countPipelined(this);
      if (!this.all.addBehind(this.queue.length - 1)) return this.cut();
    }
    if (this.queue.length >= this.all.servedMax) this.hold();
    if (this.served === this.queue.length - 1) this.serveNext();
  }

  /**
   * Stops reading, and calls `act` once every request is answered, if the connection is still open then. Only the first call has an effect:
   * `act` writes the last bytes of the connection.
   */
  afterAnswers(act: () => void): void {
    if (this.whenAnswered) return;
    this.hold();
    this.whenAnswered = () => {
      if (this.socket.writable) act();
    };
    if (this.queue.length === 0) this.whenAnswered();
  }

  /** Ends its event streams as soon as they idle. */
  endIdleStreams(): void {
    for (const res of this.queue) res.endWhenIdle?.();
  }

  get isIdle(): boolean {
    return this.queue.length === 0;
  }

  /** Closes the connection if its client is too slow, or may be gone; called once in `LOOK_MS`. */
  look(limits: ConnectionLimits, now: number): void {
    if (this.pace.isOver(this.newestResponse?.req, limits, now)) this.destroy();
  }

  /** See ClientPace. */
  stuckSince(now: number): number {
    return this.pace.stuckSince(this.newestResponse?.req, now);
  }

  /** See ClientPace. */
  slowRate(limits: ConnectionLimits, now: number): number {
    return this.pace.slowRate(this.newestResponse?.req, limits, now);
  }

  /**
   * Called when nothing was received or sent for a while. Ends an idle connection, or one whose client does not read its answers, but not
   * one that waits for a handler.
   */
  timeOut(): void {
    if (this.queue.length === 0 || this.socket.writableLength > 0) this.destroy();
  }

  /** Closes the connection, also amid an answer, which has not ended then. */
  destroy(): void {
    this.resetOfOld();
    this.socket.destroy();
  }

  /** Closes the connection, so that the client can tell that its answer is not whole. */
  private breakOff(): void {
    this.resetOfOld();
    this.socket.destroySoon();
  }

  /** Resets a connection of HTTP/1.0 amid an answer: to its client any other end is that of the answer. */
  private resetOfOld(): void {
    const [res] = this.queue;
    if (res?.headersSent && res.req.httpVersion === '1.0') this.socket.resetAndDestroy();
  }

  private cut(): void {
    this.destroy();
    this.readNoMore();
  }

  /**
   * Reads no more, and stops Node's parser by answering 2 (upgrade) to the next request. Otherwise the parser would go on with up to 1,800
   * requests that were read already, each of which Node keeps, and, of a closed connection, make an error with a stack for each, for which
   * all other clients would wait 0.1 s.
   */
  private readNoMore(): void {
    this.hold();
    const { parser } = this.socket as Socket & { parser?: { onIncoming: (req: IncomingMessage) => number } | null };
    if (!parser) return;
    parser.onIncoming = (req) => {
      // As Node does: otherwise it would take the socket from its listeners for an upgrade, or destroy it.
      Object.assign(req, { upgrade: false });
      return 2;
    };
  }

  private hold(): void {
    this.isHeld = true;
    this.socket.pause();
  }

  /** Serves the next request if it may be served, and returns true then. */
  private serveNext(): boolean {
    const res = this.queue[this.served];
    if (!res || this.served === this.all.servedMax) return false;
    if (this.served > 0 && !this.all.besides.take(1, this.client)) return false;
    this.served++;
    res.on('finish', this.onFinish);
    this.all.serve(res.req, res);
    return true;
  }

  /** Serves as many of the waiting requests as allowed; returns their number. */
  serveWaiting(): number {
    let count = 0;
    while (this.serveNext()) count++;
    this.release();
    return count;
  }

  /** Reads on once the queue is short again, and all of it is being served. */
  private release(): void {
    if (!this.isHeld || this.isLast || this.whenAnswered || this.queue.length > this.served) return;
    if (this.served > this.all.servedMax / 2) return;
    this.isHeld = false;
    this.all.turns.resume(this);
  }

  private answered(res: ServerResponse): void {
    if (this.queue[0] !== res) return;
    this.isLast ||= !res.shouldKeepAlive;
    this.queue.shift();
    if (this.queue.length > 0) this.all.removeBehind(1);
    if (this.served-- > 1) this.all.besides.release(1, this.client);
    this.hasAnswered = true;
    // It was destroyed while it waited for this one: from Node 24 on the connection would stay open.
    if (this.queue.at(0)?.destroyed) return this.breakOff();
    if (this.queue.length > this.served) {
      this.all.serveLater(this);
    } else if (this.whenAnswered) {
      if (this.served === 0) this.whenAnswered();
    } else this.release();
  }

  private close(): void {
    const lost = this.queue.splice(0);
    this.all.removeBehind(Math.max(0, lost.length - 1));
    this.all.besides.release(Math.max(0, this.served - 1), this.client);
    // Node emits "close" for the response that is being sent, but not for those behind it, which have no socket yet.
    for (const res of lost.slice(0, this.served)) if (res.socket === null && !res.closed) res.emit('close');
    this.served = 0;
  }
}

/** True for a request whose answer is the last of its connection, whatever it asks for. */
function isLastOf(req: IncomingMessage): boolean {
  // Node decides late whether an answer of HTTP/1.0 is the last, by its headers, and drops the beginning of the bytes behind a request with Upgrade in the same packet.
  return req.httpVersion === '1.0' || req.headers.upgrade !== undefined || isFramedInDoubt(req);
}

export class Connections {
  /** True if each answer is the last of its connection. */
  isEnding = false;
  readonly turns = new Turns();
  /** The requests that are served besides the oldest of each connection. */
  readonly besides = new Shares(BESIDES_MAX);
  private readonly open = new Map<Socket, Connection>();
  /** The number of requests behind the oldest of each connection. */
  private behind = 0;
  /** Connections with waiting requests that may be served. */
  private readonly ready = new Set<Connection>();
  private looking: NodeJS.Timeout | undefined;

  constructor(
    server: Server,
    readonly serve: Serve,
    private readonly limits: ConnectionLimits,
    readonly servedMax = SERVED_MAX,
    private readonly onFull: () => void = () => undefined,
  ) {
    server.on('connection', (socket: Socket) => {
      if (this.open.size >= limits.connectionsMax) this.makeRoom(socket);
      if (socket.destroyed) return;
      this.looking ??= setInterval(() => this.look(), LOOK_MS).unref();
      const connection = new Connection(socket, this);
      this.open.set(socket, connection);
      this.turns.accept(connection);
      socket.once('close', () => {
        this.open.delete(socket);
        this.turns.close(connection);
        if (this.open.size > 0) return;
        clearInterval(this.looking);
        this.looking = undefined;
      });
    });
    // Because of this listener Node does not end the connection itself.
    server.on('timeout', (socket: Socket) => this.of(socket)?.timeOut());
    const add: Serve = ({ socket }, res) => this.of(socket)?.add(res);
    server.on('request', add);
    server.on('checkContinue', add); // body.ts sends "100 Continue"
    server.on('checkExpectation', add); // refuse-malformed.ts refuses any other expectation
  }

  /** The connection of a socket; undefined once it is closed. */
  of(socket: Socket): Connection | undefined {
    return this.open.get(socket);
  }

  sockets(): Iterable<Socket> {
    return this.open.keys();
  }

  /** Closes all connections, also amid answers. */
  destroy(): void {
    for (const connection of this.open.values()) connection.destroy();
  }

  /**
   * Closes a connection of the client that has most with the new one, which it may be of, or of those that have as many: an idle one, if possible
   * one without any request so far, or else the one whose client has read nothing of its answers for longest or is not read, or else the one
   * whose body comes most slowly, or else the oldest if the client of the new one has fewer, or else the new one.
   */
  private makeRoom(newest: Socket): void {
    const open = [...this.open.values()].filter(({ socket }) => !socket.destroyed);
    const { among, hasMore } = ofMost(open, networkOf(newest.remoteAddress));
    const now = performance.now();
    const least =
      among.find(({ isIdle, hasAnswered }) => isIdle && !hasAnswered) ??
      among.find(({ isIdle }) => isIdle) ??
      leastOf(among, (each) => each.stuckSince(now)) ??
      leastOf(among, (each) => each.slowRate(this.limits, now)) ??
      (hasMore ? among[0] : undefined);
    if (least) least.destroy();
    else newest.destroy();
    this.onFull();
  }

  private look(): void {
    const now = performance.now();
    for (const connection of this.open.values()) connection.look(this.limits, now);
  }

  /** Ends event streams as soon as they idle: those that are sent by now. */
  endIdleStreams(): void {
    for (const connection of this.open.values()) connection.endIdleStreams();
  }

  /** Counts a request behind the oldest of its connection, given the number of these; returns false if there are too many. */
  addBehind(ofConnection: number): boolean {
    this.behind++;
    const isAlone = ofConnection === this.behind;
    const ownMax = this.servedMax + WAITING_BESIDE_OTHERS_MAX;
    const allMax = Math.max(ownMax, BEHIND_EACH_MAX * this.limits.connectionsMax);
    return (isAlone || ofConnection < ownMax) && this.behind <= allMax;
  }

  removeBehind(count: number): void {
    this.behind -= count;
  }

  /** Serves the waiting requests of a connection in the next turn of the event loop, or later if many connections have some. */
  serveLater(connection: Connection): void {
    if (this.ready.size === 0) setImmediate(() => this.serveReady());
    this.ready.add(connection);
  }

  private serveReady(): void {
    let count = 0;
    for (const connection of this.ready) {
      this.ready.delete(connection);
      count += connection.serveWaiting();
      if (count >= PIPELINED_PER_TURN_MAX) break;
    }
    if (this.ready.size > 0) setImmediate(() => this.serveReady());
  }
}

/** The connection with the least value of a measure; undefined if all have Infinity. */
function leastOf(open: readonly Connection[], measure: (connection: Connection) => number): Connection | undefined {
  let least: { value: number; connection: Connection | undefined } = { value: Infinity, connection: undefined };
  for (const connection of open) {
    const value = measure(connection);
    if (value < least.value) least = { value, connection };
  }
  return least.connection;
}

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
import { networkOf } from './client-network';
import { closeGently } from './last-response';
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

/** The interval between checks for clients that read too slowly, and the time after which one that reads nothing is seen to. */
const LOOK_MS = 1_000;
const UNREAD_MS = 3 * LOOK_MS;

export interface ConnectionLimits {
  /** The longest time in which a client reads nothing, or is not read while it waits: nobody is told then that it has gone. */
  sendMs: number;
  /** The least rate at which a client reads its answers, once `sendMs` are over. */
  sendBytesPerSecondMin: number;
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
  /** True once a response says `Connection: close`, after which no request is read (RFC 9112 section 9.6). */
  private isLast = false;
  private whenAnswered: (() => void) | undefined;
  /** The time from which the client has had unread answers, the bytes written by then and by now, and the time of the last of them. */
  private unread: { since: number; first: number; last: number; lastAt: number } | undefined;
  /** The newest request since a part of its body is missing, as the checks have seen it, and the bytes that were read by then. */
  private incomplete: { req: IncomingMessage; since: number; first: number } | undefined;
  /** The time since which the client waits and is not read, as the checks have seen it, and the bytes that were read and written by then. */
  private unheard: { since: number; moved: number } | undefined;
  /** The network of the client. */
  readonly client: string;
  /** The listener for "finish", one function for all responses of the connection. */
  private readonly onFinish: (this: ServerResponse) => void;

  constructor(
    readonly socket: Socket,
    private readonly all: Connections,
  ) {
    this.client = networkOf(socket.remoteAddress);
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
    if (this.isLast || this.socket.destroyed) return;
    // Node drops the beginning of the bytes behind a request with Upgrade in the same packet.
    if (this.all.isEnding || res.req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    this.isLast = !res.shouldKeepAlive;
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

  /** Looks how its client reads and sends, once in `LOOK_MS`. */
  look(limits: ConnectionLimits, now: number): void {
    this.refuseSlow(limits, now);
    this.refuseUnheard(limits, now);
    const req = this.newestResponse?.req;
    if (!req || req.complete) this.incomplete = undefined;
    else if (this.incomplete?.req !== req) this.incomplete = { req, since: now, first: this.socket.bytesRead };
  }

  /**
   * Closes the connection if its client reads its answers too slowly: a byte now and then would keep all answers in memory. All written
   * bytes count as read, as it is unknown how many were.
   */
  private refuseSlow({ sendMs, sendBytesPerSecondMin }: ConnectionLimits, now: number): void {
    const { writableLength, bytesWritten } = this.socket;
    if (writableLength === 0) return void (this.unread = undefined);
    const last = bytesWritten - writableLength;
    this.unread ??= { since: now, first: last, last, lastAt: now };
    if (last > this.unread.last) Object.assign(this.unread, { last, lastAt: now });
    const allowedMs = sendMs + ((bytesWritten - this.unread.first) / sendBytesPerSecondMin) * 1_000;
    if (now - this.unread.since > allowedMs) this.destroy();
  }

  /**
   * Closes the connection if its socket has not been read for long, while its client waits: the system does not say then that it has gone.
   * A body that a handler reads at its own pace is not meant.
   */
  private refuseUnheard({ sendMs }: ConnectionLimits, now: number): void {
    if (!this.isUnheard) return void (this.unheard = undefined);
    const moved = this.socket.bytesRead + this.socket.bytesWritten;
    if (this.unheard?.moved !== moved) this.unheard = { since: now, moved };
    if (now - this.unheard.since > sendMs) this.destroy();
  }

  private get isUnheard(): boolean {
    const req = this.newestResponse?.req;
    const isReading = req?.complete === false && req.readableDidRead;
    return req !== undefined && !isReading && this.isPaused && this.socket.writableLength === 0;
  }

  private get isPaused(): boolean {
    return this.socket.isPaused() || isPausedByNode(this.socket);
  }

  /** The time since which the client has read nothing of what waits for it, or waits and is not read; Infinity if neither is so, or just now. */
  stuckSince(now: number): number {
    const unread = this.socket.writableLength > 0 ? this.unread?.lastAt : undefined;
    const since = unread ?? (this.isUnheard ? this.unheard?.since : undefined) ?? Infinity;
    return now - since > UNREAD_MS ? since : Infinity;
  }

  /** The bytes a second that have come of a body, if they are fewer than a client has to read and its handler waits for more; Infinity if not. */
  slowRate({ sendBytesPerSecondMin }: ConnectionLimits, now: number): number {
    const { incomplete, socket } = this;
    const isAwaited = incomplete?.req.readableDidRead === true && !incomplete.req.complete && !this.isPaused;
    if (!isAwaited || incomplete.req !== this.newestResponse?.req) return Infinity;
    const rate = ((socket.bytesRead - incomplete.first) / (now - incomplete.since + LOOK_MS)) * 1_000;
    return rate < sendBytesPerSecondMin && now - incomplete.since > LOOK_MS ? rate : Infinity;
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

  /**
   * Closes the connection, and stops Node's parser by answering 2 (upgrade) to the next request. Otherwise the parser would go on with up
   * to 1,800 requests that were read already, and make an error with a stack for each, for which all other clients would wait 0.1 s.
   */
  private cut(): void {
    this.destroy();
    const { parser } = this.socket as Socket & { parser?: { onIncoming: () => number } | null };
    if (parser) parser.onIncoming = () => 2;
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
    if (!this.isHeld || this.whenAnswered || this.queue.length > this.served) return;
    if (this.served > this.all.servedMax / 2) return;
    this.isHeld = false;
    this.all.turns.resume(this);
  }

  private answered(res: ServerResponse): void {
    if (this.queue[0] !== res) return;
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
    const counts = new Map<string, number>();
    for (const { client } of open) counts.set(client, (counts.get(client) ?? 0) + 1);
    const another = networkOf(newest.remoteAddress);
    const own = (counts.get(another) ?? 0) + 1;
    const most = Math.max(...counts.values());
    const among = open.filter(({ client }) => (own > most ? client === another : counts.get(client) === most));
    const now = performance.now();
    const least =
      among.find(({ isIdle, hasAnswered }) => isIdle && !hasAnswered) ??
      among.find(({ isIdle }) => isIdle) ??
      leastOf(among, (each) => each.stuckSince(now)) ??
      leastOf(among, (each) => each.slowRate(this.limits, now)) ??
      (own < most ? among[0] : undefined);
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

/** True while Node's parser is paused, because an answer waits to be written. Node resumes the socket itself. */
function isPausedByNode(socket: Socket & { _paused?: boolean }): boolean {
  return socket._paused === true;
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

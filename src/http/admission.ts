/**
 * What all connections of a server together may bring.
 *
 * One read of 64 KiB can hold thousands of pipelined requests, Node's parser cannot be paused within it, and Node serves every
 * readable socket before it goes on to commits, timers and the release of closed connections. So after `PER_TURN_MAX` requests no
 * socket is read until the next turn of the event loop, and nobody waits for the requests of others longer than that takes.
 * Requests beyond what one connection may have unanswered are bounded by `EXCESS_MAX`.
 */
import type { Socket } from 'node:net';

const PER_TURN_MAX = 1_000;

/** About 10 KB each. */
const EXCESS_MAX = 4_000;

export class Admission {
  private inTurn = 0;
  private excess = 0;
  private paused: Socket[] = [];

  /** `sockets` are those of all open connections. */
  constructor(private readonly sockets: () => Iterable<Socket>) {}

  /** Counts a request that came on the socket. */
  count(socket: Socket): void {
    if (this.inTurn === 0) setImmediate(() => this.endTurn());
    if (++this.inTurn === PER_TURN_MAX) this.pauseAll(socket);
  }

  /** Adds a request that is one more than its connection may have. Returns false where that is one too many in all. */
  addExcess(): boolean {
    return ++this.excess <= EXCESS_MAX;
  }

  removeExcess(count: number): void {
    this.excess -= count;
  }

  /** The socket that was read last is resumed last, so that each gets its turn. */
  private pauseAll(last: Socket): void {
    const sockets = [...this.sockets()];
    const next = sockets.indexOf(last) + 1;
    this.paused = [...sockets.slice(next), ...sockets.slice(0, next)].filter((socket) => !socket.isPaused());
    for (const socket of this.paused) socket.pause();
  }

  private endTurn(): void {
    this.inTurn = 0;
    for (const socket of this.paused) socket.resume();
    this.paused = [];
  }
}

/**
 * What all connections of a server together may bring.
 *
 * One read of 64 KiB can hold thousands of pipelined requests, Node's parser cannot be paused within it, and Node serves every
 * readable socket before it goes on to commits, timers and the release of closed connections. So after `PIPELINED_PER_TURN_MAX`
 * pipelined requests no socket is read until the next turn of the event loop: all else waits no longer than those take.
 * Requests beyond what one connection may have unanswered are bounded by `EXCESS_MAX`.
 */
import type { Socket } from 'node:net';

const PIPELINED_PER_TURN_MAX = 250;

/** About 10 KB each. */
const EXCESS_MAX = 4_000;

export class Admission {
  private turn = 0;
  private hasBegun = false;
  private pipelined = 0;
  private excess = 0;
  private paused: Socket[] = [];

  /** `sockets` are those of all open connections. */
  constructor(private readonly sockets: () => Iterable<Socket>) {}

  /** The number of this turn of the event loop, among those with a request. */
  currentTurn(): number {
    if (!this.hasBegun) {
      this.hasBegun = true;
      setImmediate(() => this.endTurn());
    }
    return this.turn;
  }

  /** Counts a request that was not the first of its connection in this turn. */
  countPipelined(socket: Socket): void {
    if (++this.pipelined === PIPELINED_PER_TURN_MAX) this.pauseAll(socket);
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
    this.turn++;
    this.hasBegun = false;
    this.pipelined = 0;
    for (const socket of this.paused) socket.resume();
    this.paused = [];
  }
}

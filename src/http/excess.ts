/**
 * Pipelined requests beyond what a connection may have unanswered, over all connections of a server.
 *
 * One read of 64 KiB can hold thousands of requests, and Node's parser cannot be paused within it. Node also serves every readable
 * socket before it goes on to commits, timers and the release of closed connections. So there are two bounds: after
 * `PER_TURN_MAX` such requests no socket is read until the next turn of the event loop, and the connection that
 * exceeds `TOTAL_MAX` is closed.
 */
import type { Socket } from 'node:net';

const PER_TURN_MAX = 500;

/** About 10 KB each. */
const TOTAL_MAX = 4_000;

export class Excess {
  private total = 0;
  private inTurn = 0;
  private paused: Socket[] = [];

  /** `sockets` are those of all open connections. */
  constructor(private readonly sockets: () => Iterable<Socket>) {}

  /** Adds a request. Returns false where it is one too many. */
  add(): boolean {
    if (this.inTurn === 0) setImmediate(() => this.endTurn());
    if (++this.inTurn === PER_TURN_MAX) this.pauseAll();
    return ++this.total <= TOTAL_MAX;
  }

  remove(count: number): void {
    this.total -= count;
  }

  private pauseAll(): void {
    this.paused = [...this.sockets()].filter((socket) => !socket.isPaused());
    for (const socket of this.paused) socket.pause();
  }

  private endTurn(): void {
    this.inTurn = 0;
    for (const socket of this.paused) socket.resume();
    this.paused = [];
  }
}

/**
 * What all connections of a server together may bring.
 *
 * One read of 64 KiB can hold thousands of pipelined requests, Node's parser cannot be paused within it, and Node serves every
 * readable socket before it goes on to commits, timers and the release of closed connections. So after `PIPELINED_PER_TURN_MAX`
 * pipelined requests no socket is read until the next turn of the event loop: all else waits no longer than those take. Then
 * connections that do not pipeline are read first: they wait for one such read, and not for one of every other connection.
 * Requests beyond what one connection may have unanswered are bounded by `EXCESS_MAX`.
 */
import type { Socket } from 'node:net';

const PIPELINED_PER_TURN_MAX = 250;

/** About 10 KB each, and more with large headers. */
const EXCESS_MAX = 3_000;

/** A connection as it is read in its turn. */
export interface Readable {
  readonly socket: Socket;
  /** Lower ranks are read first. */
  readonly rank: number;
}

export class Admission {
  private turn = 0;
  private hasBegun = false;
  private pipelined = 0;
  private excess = 0;
  private paused: Socket[] = [];

  /** `connections` are all that are open. */
  constructor(private readonly connections: () => Iterable<Readable>) {}

  /** The number of this turn of the event loop, among those with a request. */
  currentTurn(): number {
    if (!this.hasBegun) {
      this.hasBegun = true;
      setImmediate(() => this.endTurn());
    }
    return this.turn;
  }

  /** Counts a request that was not the first of its connection in this turn. */
  countPipelined(connection: Readable): void {
    if (++this.pipelined === PIPELINED_PER_TURN_MAX) this.pauseAll(connection);
  }

  /** Adds a request that is one more than its connection may have. Returns false where that is one too many in all. */
  addExcess(): boolean {
    return ++this.excess <= EXCESS_MAX;
  }

  removeExcess(count: number): void {
    this.excess -= count;
  }

  /** Of one rank, the connection that was read last is resumed last, so that each gets its turn. */
  private pauseAll(last: Readable): void {
    const connections = [...this.connections()];
    const next = connections.indexOf(last) + 1;
    this.paused = [...connections.slice(next), ...connections.slice(0, next)]
      .filter(({ socket }) => !socket.isPaused())
      .sort((a, b) => a.rank - b.rank)
      .map(({ socket }) => socket);
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

/**
 * Decides which connections are read next, because Node reads whatever the kernel has first: a few hundred connections that pipeline would
 * keep a new connection, or a client that sends one request after the other, waiting for as long as they go on. In a turn of the event loop
 * a limited number of pipelined requests is read. Beyond it the order is: clients that wait for their answers, and connections to accept;
 * then connections without a request so far; then those that pipeline, beginning with the one that has waited longest.
 */
import type { Socket } from 'node:net';

/** The properties of a connection that decide on its turn. */
export interface Reading {
  readonly socket: Socket;
  /** True once a request of it was answered. */
  readonly hasAnswered: boolean;
  /** True once a request of it came before the answer to the previous one. */
  readonly hasPipelined: boolean;
}

/** The largest number of pipelined requests that are read in a turn: each takes 10 KB or more. */
export const PIPELINED_PER_TURN_MAX = 250;

/** The number of turns for which others wait while connections are accepted, of which Node accepts one in a turn. */
const ACCEPTING_TURNS_MAX = 100;

export class Turns {
  /** All open connections, by the time of their last pipelined request. */
  private readonly open = new Set<Reading>();
  /** Connections that wait for their turn; undefined if none has to. */
  private waiting: Reading[] | undefined;
  private accepted = 0;
  private pipelined = 0;

  accept(connection: Reading): void {
    this.accepted++;
    this.open.add(connection);
    if (!this.waiting) return;
    this.waiting.push(connection);
    process.nextTick(() => connection.socket.pause()); // deferred, because Node is about to resume it
  }

  close(connection: Reading): void {
    this.open.delete(connection);
  }

  /** Resumes a connection that was paused for another reason, when it is its turn. */
  resume(connection: Reading): void {
    if (this.waiting && !isPatient(connection)) this.waiting.push(connection);
    else connection.socket.resume();
  }

  /** Counts a pipelined request of the connection. */
  countPipelined(connection: Reading): void {
    this.open.delete(connection);
    this.open.add(connection);
    if (this.pipelined++ === 0) setImmediate(() => this.endTurn());
    if (this.pipelined !== PIPELINED_PER_TURN_MAX) return;
    const read = [...this.open].filter(({ socket }) => !socket.isPaused());
    for (const { socket } of read) socket.pause();
    this.waiting = [...(this.waiting ?? []), ...read];
  }

  private endTurn(): void {
    this.pipelined = 0;
    if (!this.waiting) return;
    for (const each of this.waiting) if (isPatient(each)) each.socket.resume();
    this.waiting = this.waiting.filter((each) => !isPatient(each));
    this.resumeOthers();
  }

  /** Resumes the others after a turn in which no connection was accepted. */
  private resumeOthers(turnsMax = ACCEPTING_TURNS_MAX): void {
    const { accepted } = this;
    setImmediate(() => {
      if (this.accepted > accepted && turnsMax > 0) return this.resumeOthers(turnsMax - 1);
      const { waiting = [] } = this;
      this.waiting = undefined;
      const byTurn = waiting.toSorted((one, other) => Number(one.hasPipelined) - Number(other.hasPipelined));
      for (const { socket } of byTurn) socket.resume();
    });
  }
}

/** True if the client sends each request after the previous answer, so that it sends one in a turn. */
function isPatient({ hasAnswered, hasPipelined }: Reading): boolean {
  return hasAnswered && !hasPipelined;
}

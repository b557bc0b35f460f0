/** The pace of a client, as one look a second sees it: it may read its answers or send its bodies slowly, or be gone without a sign. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The interval between looks, and the time after which a client that reads nothing is seen to. */
export const LOOK_MS = 1_000;
const UNREAD_MS = 3 * LOOK_MS;

export interface PaceLimits {
  /** The longest time in which a client reads nothing, or is not read while it waits: nobody is told then that it has gone. */
  sendMs: number;
  /** The least rate at which a client reads its answers, once `sendMs` are over. */
  sendBytesPerSecondMin: number;
}

/** The pace of a connection's client. The newest request is undefined if all are answered. */
export class ClientPace {
  /** The time from which the client has had unread answers, the bytes written by then and by now, and the time of the last of them. */
  private unread: { since: number; first: number; last: number; lastAt: number } | undefined;
  /** The time since which the client waits and is not read, and the bytes that were read and written by then. */
  private unheard: { since: number; moved: number } | undefined;
  /** The time since which there was a request at each look, and the bytes that were read by then. */
  private busy: { since: number; first: number } | undefined;

  constructor(private readonly socket: Socket) {}

  /** Looks at the client, and returns true if its connection is to be closed. */
  isOver(newest: IncomingMessage | undefined, limits: PaceLimits, now: number): boolean {
    if (!newest) this.busy = undefined;
    else this.busy ??= { since: now, first: this.socket.bytesRead };
    return this.readsSlowly(limits, now) || this.isUnheardFor(newest, limits, now);
  }

  /**
   * True if the client reads its answers too slowly: a byte now and then would keep all answers in memory. All written bytes count as read, as it
   * is unknown how many were.
   */
  private readsSlowly({ sendMs, sendBytesPerSecondMin }: PaceLimits, now: number): boolean {
    const { writableLength, bytesWritten } = this.socket;
    if (writableLength === 0) {
      this.unread = undefined;
      return false;
    }
    const last = bytesWritten - writableLength;
    this.unread ??= { since: now, first: last, last, lastAt: now };
    if (last > this.unread.last) Object.assign(this.unread, { last, lastAt: now });
    const allowedMs = sendMs + ((bytesWritten - this.unread.first) / sendBytesPerSecondMin) * 1_000;
    return now - this.unread.since > allowedMs;
  }

  /** True if the socket has not been read for long, while its client waits: the system does not say then that it has gone. */
  private isUnheardFor(newest: IncomingMessage | undefined, { sendMs }: PaceLimits, now: number): boolean {
    if (!this.isUnheard(newest)) {
      this.unheard = undefined;
      return false;
    }
    const moved = this.socket.bytesRead + this.socket.bytesWritten;
    if (this.unheard?.moved !== moved) this.unheard = { since: now, moved };
    return now - this.unheard.since > sendMs;
  }

  /** True if the client waits and is not read; not for a body that a handler reads at its own pace. */
  private isUnheard(newest: IncomingMessage | undefined): boolean {
    const isReading = newest?.complete === false && newest.readableDidRead;
    return newest !== undefined && !isReading && this.isPaused && this.socket.writableLength === 0;
  }

  private get isPaused(): boolean {
    return this.socket.isPaused() || isPausedByNode(this.socket);
  }

  /** The time since which the client has read nothing of what waits for it, or waits and is not read; Infinity if neither is so, or just now. */
  stuckSince(newest: IncomingMessage | undefined, now: number): number {
    const unread = this.socket.writableLength > 0 ? this.unread?.lastAt : undefined;
    const since = unread ?? (this.isUnheard(newest) ? this.unheard?.since : undefined) ?? Infinity;
    return now - since > UNREAD_MS ? since : Infinity;
  }

  /**
   * The bytes a second that have come since there was no request, if they are fewer than a client has to read, and a handler waits for more of a
   * body; Infinity if not.
   */
  slowRate(newest: IncomingMessage | undefined, { sendBytesPerSecondMin }: PaceLimits, now: number): number {
    const { busy, socket } = this;
    const isAwaited = newest?.complete === false && newest.readableDidRead && !this.isPaused;
    if (!isAwaited || !busy || now - busy.since <= LOOK_MS) return Infinity;
    const rate = ((socket.bytesRead - busy.first) / (now - busy.since + LOOK_MS)) * 1_000;
    return rate < sendBytesPerSecondMin ? rate : Infinity;
  }
}

/** True while Node's parser is paused, because an answer waits to be written. Node resumes the socket itself. */
export function isPausedByNode(socket: Socket & { _paused?: boolean }): boolean {
  return socket._paused === true;
}

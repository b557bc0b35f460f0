/** Comments in event streams, so that no proxy takes an idle one for dead. One timer serves them all. */
import type { ServerResponse } from 'node:http';

const COMMENT = ':\n\n';

export class Comments {
  private readonly open = new Map<ServerResponse, () => void>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly intervalMs = 15_000) {}

  /** Sends comments from now on; `begin` sends the headers, if they are not sent yet. */
  add(res: ServerResponse, begin: () => void): void {
    this.open.set(res, begin);
    this.timer ??= setInterval(() => this.send(), this.intervalMs).unref();
  }

  delete(res: ServerResponse): void {
    if (!this.open.delete(res) || this.open.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private send(): void {
    for (const [res, begin] of this.open) {
      if (res.writableNeedDrain) continue; // not idle
      try {
        begin();
      } catch {
        continue; // headers that cannot be sent are an error when there is a first item
      }
      res.write(COMMENT);
      res.bodyBytes = (res.bodyBytes ?? 0) + COMMENT.length;
    }
  }
}

/** The one place where an answer's bytes are written: status line, headers and body in one go, with a known length. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The body and its media type, where there is one. */
  content?: { mediaType: string; text: string } | undefined;
}

/** Sends the answer. A connection on which the rest of the request would still arrive is closed rather than drained. */
export function send(req: IncomingMessage, res: ServerResponse, { status, headers = {}, content }: Answer): void {
  const all: Record<string, string | number> = { ...headers };
  if (content) {
    all['Content-Type'] = content.mediaType;
    all['Content-Length'] = Buffer.byteLength(content.text);
  } else if (status !== 204 && status !== 304) {
    all['Content-Length'] = 0;
  }
  if (!req.complete) {
    all.Connection = 'close';
    // Node then reads on, to throw it away.
    res.once('finish', () => setImmediate(() => req.socket.pause()));
  }
  res.writeHead(status, all);
  res.end(content?.text);
}

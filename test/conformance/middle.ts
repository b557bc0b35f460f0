/** A server in front of the real one, which does something wrong on the way. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, Client, type Request } from './client';
import { isObject, type Json, type JsonObject, readJson, writeJson } from './json';
import type { Target } from './probe';

/** What becomes of a request: `forward` is what the real server makes of one, and `token` is one that it accepts. */
export type Middle = (
  request: Request,
  forward: (request: Request) => Promise<Answer>,
  token: string,
) => Promise<Answer>;

/** Listens on a free port of the loopback. */
export async function startMiddle(
  { port, token }: Target,
  middle: Middle,
): Promise<Target & { close(): Promise<void> }> {
  const client = new Client(port);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: target = '', headers } = incoming;
      const body = Buffer.concat(chunks).toString('utf8');
      const request = { method, target, headers: asSent(headers), ...(body !== '' && { body }) };
      middle(request, (each) => client.send(each), token).then(
        (answer) => {
          outgoing.writeHead(answer.status, answer.headers);
          outgoing.end(answer.body);
        },
        () => outgoing.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    token,
    close() {
      client.close();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The headers as a client would give them; those of the connection are each connection's own. */
function asSent(headers: Answer['headers']): Record<string, string> {
  const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
  return Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
}

/** Sends another request in its place. */
export function mending(mend: (request: Request, token: string) => Request): Middle {
  return (request, forward, token) => forward(mend(request, token));
}

/** The same for a header that it has. */
export function mendingHeader(name: string, mend: (value: string) => string): Middle {
  return mending(({ headers, ...request }) => {
    const { [name]: value, ...others } = headers;
    return { ...request, headers: value === undefined ? headers : { ...others, [name]: mend(value) } };
  });
}

/** The same for its body, where that is a JSON object. */
export function mendingBody(mend: (body: JsonObject) => JsonObject): Middle {
  return mending((request) => {
    const body = objectIn(request.body);
    return body ? { ...request, body: writeJson(mend(body)) } : request;
  });
}

/** The same for a property of it. */
export function mendingProperty(name: string, mend: (value: Json) => Json): Middle {
  return mendingBody(({ [name]: value, ...others }) =>
    value === undefined ? others : { ...others, [name]: mend(value) },
  );
}

/** Gives another answer in place of those of a status. */
export function altering(status: number, alter: (answer: Answer, request: Request) => Partial<Answer>): Middle {
  return async (request, forward) => {
    const answer = await forward(request);
    if (answer.status !== status) return answer;
    const { 'content-length': _length, ...headers } = answer.headers;
    return { ...answer, headers, ...alter({ ...answer, headers }, request) };
  };
}

/** The same for its body, where that is a JSON object. */
export function alteringBody(status: number, alter: (body: JsonObject, sent: JsonObject) => JsonObject): Middle {
  return altering(status, ({ body }, request) => ({
    body: writeJson(alter(objectIn(body) ?? {}, objectIn(request.body) ?? {})),
  }));
}

function objectIn(text = ''): JsonObject | undefined {
  try {
    const value = readJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

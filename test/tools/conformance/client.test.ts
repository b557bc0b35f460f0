import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type ClientRequest, createServer, type IncomingMessage } from 'node:http';
import { Client } from '../../../src/tools/conformance/client';
import { listening } from '../../support/ports';

it('goes on where a connection is reset just after an answer, when Node does not listen for errors', async () => {
  const server = createServer((_req, res) => res.end('an answer'));
  const client = new Client(`http://127.0.0.1:${await listening(server)}`);
  let closed: Promise<unknown> | undefined;
  const reset = (message: unknown): void => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    response.once('end', () => {
      closed = new Promise((resolve) => request.socket?.once('close', resolve));
      request.socket?.destroy(new Error('read ECONNRESET'));
    });
  };
  subscribe('http.client.response.finish', reset);
  const get = { method: 'GET', target: '/', headers: {}, body: undefined };
  expect(await client.send(get)).toMatchObject({ status: 200, body: 'an answer' });
  unsubscribe('http.client.response.finish', reset);
  expect(await closed).toBe(true); // by an error
  expect(await client.send(get)).toMatchObject({ status: 200, body: 'an answer' });
  client.close();
  server.close();
});

/** Ports of the loopback for servers that cannot listen on port 0. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that nobody has at this moment, below those that the kernel gives to connections and to servers on port 0: one of these
 * would be taken by another process before it is used.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort(); // somebody has it
  }
  server.close();
  await once(server, 'close');
  return port;
}

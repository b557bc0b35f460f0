/** Ports of the loopback. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Occupies a port while `use` runs, which is told when somebody connects to it; nothing is ever answered. */
export async function withPortInUse<T>(use: (port: number, connected: Promise<unknown>) => T | Promise<T>): Promise<T> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    return await use((other.address() as AddressInfo).port, once(other, 'connection'));
  } finally {
    other.close();
  }
}

/**
 * A port that nobody has at this moment, below those that the kernel gives to connections and to servers on port 0: one of these
 * would be taken by another test before it is used.
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

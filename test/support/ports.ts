/** Ports of the loopback. */
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

/** A port that nobody has at this moment. */
export function freePort(): Promise<number> {
  return withPortInUse((port) => port);
}

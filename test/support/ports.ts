/** Ports of the loopback. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
export { freePort } from '../../scripts/free-port';

/** Lets a server listen on a free port of the loopback; resolves to the port. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Occupies a port while `use` runs, which is told when somebody connects to it; nothing is ever answered. */
export async function withPortInUse<T>(use: (port: number, connected: Promise<unknown>) => T | Promise<T>): Promise<T> {
  const other = createServer();
  try {
    return await use(await listening(other), once(other, 'connection'));
  } finally {
    other.close();
  }
}

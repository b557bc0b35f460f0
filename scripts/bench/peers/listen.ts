/** Listens with what Express and `node:http` have in common, and prints the address. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { settings } from './settings';

interface Listener {
  listen(port: number, host: string): Server;
}

export function listen(listener: Listener): void {
  const server = listener.listen(settings.port, settings.host);
  server.once('listening', () => {
    console.log(`listening on http://${settings.host}:${addressOf(server).port}`);
  });
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return address;
}

/** Makes a server listen, and prints its address. */
import type { Server } from 'node:http';
import { settings } from './settings';

interface Listener {
  listen(port: number, host: string): Server;
}

export function listen(listener: Listener): void {
  const server = listener.listen(settings.port, settings.host);
  server.once('listening', () => {
    const address = server.address();
    if (typeof address === 'object') console.log(`listening on http://${settings.host}:${address?.port}`);
  });
}

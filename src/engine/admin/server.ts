/** The server on `ADMIN_PORT`: liveness, readiness and metrics. The public port serves none of them. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { messageOf } from '../errors/api-error';
import type { Serve } from '../http/connections';
import { ADMIN_CONNECTIONS_MAX } from '../http/descriptors';
import { limitConnections, optionsOf, serverLimits } from '../http/server';
import { pathOf } from '../http/target';

/** Serves one request of each connection at a time: metrics take a thousand times as long as a request to the service. */
const SERVED_MAX = 1;

/** A server, not yet listening; `ready` rejects with the reason if the service is not ready. */
export function createAdminServer(registry: Registry, ready: () => Promise<void>): Server {
  const pages: Record<string, (res: ServerResponse) => Promise<void>> = {
    '/health/live': (res) => Promise.resolve(sendJson(res, 200, { status: 'live' })),
    async '/health/ready'(res) {
      try {
        await ready();
        sendJson(res, 200, { status: 'ready' });
      } catch (error) {
        sendJson(res, 503, { status: 'not ready', reason: messageOf(error) });
      }
    },
    async '/metrics'(res) {
      const text = await registry.metrics();
      res.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    },
  };
  const serve: Serve = (req, res) => {
    const path = pathOf(req.url ?? '');
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) return sendJson(res, 404, { expected: Object.keys(pages) });
    if (req.method !== 'GET' && req.method !== 'HEAD') return sendJson(res, 405, { expected: ['GET', 'HEAD'] });
    page(res).catch((error: unknown) => sendJson(res, 500, { reason: messageOf(error) }));
  };
  const server = createServer(optionsOf(serverLimits));
  limitConnections(server, { ...serverLimits, connectionsMax: ADMIN_CONNECTIONS_MAX }, serve, SERVED_MAX);
  return server;
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
}

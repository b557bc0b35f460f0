/**
 * Memory against clients that pipeline requests and read no answer: the peak of this server beside Fastify and bare `node:http`,
 * under the same bytes.
 */
import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Exchange } from '../load/exchange';
import { findEntry, token } from '../servers/entries';
import { peakResidentMbOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';
import type { Bench } from '../run';

const servers = ['plant-store', 'fastify', 'limit'];
const connections = 1_000;
const bytesEach = 64_000;

export async function measureUnread({ entries, options, directory, store }: Bench, seconds: number): Promise<void> {
  const floods = {
    refused: new Exchange('wrong', options.ids),
    accepted: new Exchange(token, options.ids),
  };
  for (const name of servers) {
    for (const flood of ['refused', 'accepted'] as const) {
      const place = join(directory, `unread-${name}-${flood}`);
      mkdirSync(place);
      const server = await ServerProcess.start(findEntry(entries, name), place, await store.fresh(place));
      const sockets = sendPipelined(server.port, floods[flood]);
      await sleep(seconds * 1000);
      console.log(`${name}, ${flood}: ${Math.round(peakResidentMbOf(server.pid))} MB at the most`);
      for (const socket of sockets) socket.destroy();
      await server.stop();
    }
  }
}

function sendPipelined(port: number, exchange: Exchange): Socket[] {
  let index = 0;
  return Array.from({ length: connections }, () => {
    const requests: string[] = [];
    for (let bytes = 0; bytes < bytesEach; bytes += requests.at(-1)?.length ?? 0)
      requests.push(exchange.request(index++));
    const socket = connect({ port, host: '127.0.0.1' }).pause();
    socket.on('error', () => undefined); // the server may close it
    socket.write(requests.join(''));
    return socket;
  });
}

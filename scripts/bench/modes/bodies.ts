/**
 * CPU time of the most expensive valid bodies of 100 KB, beside that of Fastify: one after another on one connection, so that
 * nothing but the body makes a difference.
 */
import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { Bench } from '../run';
import { type Entry, findEntry, token } from '../servers/entries';
import { cpuSecondsOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';

/** Just below the limit of a body, with room for an id and a name. */
const FILLER_BYTES = 102_000;
const WARM_UP = 100;
const REQUESTS = 300;

const filled = (piece: string, separator = ''): string => {
  const count = Math.floor(FILLER_BYTES / (piece.length + separator.length));
  return Array<string>(count).fill(piece).join(separator);
};
const numbered = (piece: (index: string) => string): string => {
  const count = Math.floor(FILLER_BYTES / (piece('00000').length + 1));
  return Array.from({ length: count }, (_each, index) => piece(String(index).padStart(5, '0'))).join(',');
};
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** By name, what is put beside the id. */
const shapes: Readonly<Record<string, string>> = {
  'a long name': `"name":"${filled('x')}"`,
  'a long name of two-byte characters': `"name":"${filled('é').slice(0, FILLER_BYTES / 2)}"`,
  'a long name of emoji': `"name":"${filled('🌵').slice(0, FILLER_BYTES / 2)}"`,
  'a long name of escapes': `"name":"${filled('\\u0041')}"`,
  'a long name of short escapes': `"name":"${filled('\\n')}"`,
  'many short properties': `"name":"Ficus",${numbered((index) => `"${index}":0`)}`,
  'many properties with escapes': `"name":"Ficus",${numbered((index) => `"\\u0061${index}":0`)}`,
  'many short texts': `"name":"Ficus","x":[${filled('""', ',')}]`,
  'many texts with escapes': `"name":"Ficus","x":[${filled('"\\n"', ',')}]`,
  'many digits': `"name":"Ficus","x":[${filled('1', ',')}]`,
  'many fractions': `"name":"Ficus","x":[${filled('0.1', ',')}]`,
  'many large integers': `"name":"Ficus","x":[${filled('9007199254740993', ',')}]`,
  'one very long number': `"name":"Ficus","x":${filled('9')}`,
  'many words': `"name":"Ficus","x":[${filled('null', ',')}]`,
  'many empty arrays': `"name":"Ficus","x":[${filled('[]', ',')}]`,
  'many empty objects': `"name":"Ficus","x":[${filled('{}', ',')}]`,
  'many small objects': `"name":"Ficus","x":[${filled('{"a":1}', ',')}]`,
  'deep arrays': `"name":"Ficus","x":[${filled(nested(60), ',')}]`,
  'white space': `"name":"Ficus","x":[${filled('1', ' , ')}]`,
  'a run of white space': `"name":"Ficus","x":${filled(' ')}0`,
};

export async function measureBodies({ entries, directory, store }: Bench): Promise<void> {
  const start = async (entry: Entry): Promise<ServerProcess> => {
    const place = join(directory, `bodies-${entry.name}`);
    mkdirSync(place);
    return ServerProcess.start(entry, place, await store.fresh(place));
  };
  const [ours, fastify] = [await start(findEntry(entries, 'plant-store')), await start(findEntry(entries, 'fastify'))];
  let id = 0;
  console.log(`ms of CPU for a body of ${FILLER_BYTES / 1000} KB      ours  Fastify  ratio`);
  for (const [name, content] of Object.entries(shapes)) {
    const cost = async (server: ServerProcess): Promise<number> => {
      for (let count = 0; count < WARM_UP; count++) await create(server.port, ++id, content);
      const before = cpuSecondsOf(server.pid);
      for (let count = 0; count < REQUESTS; count++) await create(server.port, ++id, content);
      return ((cpuSecondsOf(server.pid) - before) * 1000) / REQUESTS;
    };
    const [own, other] = [await cost(ours), await cost(fastify)];
    const figures = [own.toFixed(2).padStart(6), other.toFixed(2).padStart(8), (own / other).toFixed(1).padStart(6)];
    console.log(`${name.padEnd(36)} ${figures.join(' ')}`);
  }
  await ours.stop();
  await fastify.stop();
  agent.destroy();
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function create(port: number, id: number, content: string): Promise<void> {
  const body = Buffer.from(`{"id":${id},${content}}`);
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path: '/plants', headers }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`expected 200, got ${response.statusCode} for ${body.length} bytes`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end(body);
  });
}

/**
 * The limit: what `node:http` and SQLite can do when nothing is checked, no token and no body, and all plants that
 * arrive while a commit is running share the next one.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen';
import { type NewPlant, PlantStore } from './plant-store';
import { settings } from './settings';

interface Waiting {
  plant: NewPlant;
  response: ServerResponse;
}

const plants = new PlantStore(settings.database);
let waiting: Waiting[] = [];

function receive(request: IncomingMessage, response: ServerResponse): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const plant = JSON.parse(text) as NewPlant;
    if (waiting.push({ plant, response }) === 1) setImmediate(commit);
  });
}

function commit(): void {
  const batch = waiting;
  waiting = [];
  plants.addAll(batch.map(({ plant }) => plant));
  for (const { plant, response } of batch) answer(plant, response);
}

function answer({ name, tag }: NewPlant, response: ServerResponse): void {
  const body = JSON.stringify({ name, tag });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

listen(createServer(receive));

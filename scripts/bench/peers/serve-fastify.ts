/** Fastify with a JSON schema and its bearer-auth plugin, as the guides of the two show it. */
import bearerAuth from '@fastify/bearer-auth';
import fastify from 'fastify';
import type { NewPlant, Plant } from './plant-store';
import { settings } from './settings';

const newPlant = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, tag: { type: 'string' } },
};

const plant = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, tag: { type: 'string' } },
};

/** Serves `POST /plants`; `add` stores a plant, and returns the answer once it is on disk. */
export async function serveFastify(add: (plant: NewPlant) => Plant | Promise<Plant>): Promise<void> {
  const app = fastify();
  await app.register(bearerAuth, { keys: new Set([settings.token]) });
  app.post<{ Body: NewPlant }>('/plants', { schema: { body: newPlant, response: { 200: plant } } }, async (request) =>
    add(request.body),
  );
  console.log(`listening on ${await app.listen({ port: settings.port, host: settings.host })}`);
}

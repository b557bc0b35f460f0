/** Fastify with a JSON schema, its bearer-auth plugin and pg, as the guides of the three show it: an insert per request. */
import bearerAuth from '@fastify/bearer-auth';
import fastify from 'fastify';
import { Pool } from 'pg';
import { settings } from './settings';

interface NewPlant {
  id: number;
  name: string;
  tag?: string;
}

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

async function main(): Promise<void> {
  const pool = new Pool({ connectionString: settings.database });
  await pool.query('CREATE TABLE IF NOT EXISTS plants (id int8 PRIMARY KEY, name text NOT NULL, tag text)');
  const app = fastify();
  await app.register(bearerAuth, { keys: new Set([settings.token]) });
  app.post<{ Body: NewPlant }>(
    '/plants',
    { schema: { body: newPlant, response: { 200: plant } } },
    async ({ body: { id, name, tag } }) => {
      await pool.query('INSERT INTO plants (id, name, tag) VALUES ($1, $2, $3)', [id, name, tag ?? null]);
      return { name, tag };
    },
  );
  console.log(`listening on ${await app.listen({ port: settings.port, host: settings.host })}`);
}

void main();

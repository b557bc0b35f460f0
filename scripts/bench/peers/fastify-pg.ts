/** Fastify with pg, as the guides of the two show it: an insert per request. */
import { Pool } from 'pg';
import { serveFastify } from './serve-fastify';
import { settings } from './settings';

async function main(): Promise<void> {
  const pool = new Pool({ connectionString: settings.database });
  await pool.query('CREATE TABLE IF NOT EXISTS plants (id int8 PRIMARY KEY, name text NOT NULL, tag text)');
  await serveFastify(async (plant) => {
    await pool.query('INSERT INTO plants (id, name, tag) VALUES ($1, $2, $3)', [
      plant.id,
      plant.name,
      plant.tag ?? null,
    ]);
    return plant; // the response schema leaves its id out
  });
}

void main();

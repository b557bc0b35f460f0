/**
 * Puts an exam that others wrote to the engine, and prints the decisions that differ; the last results lie in `results/`. Nothing is fetched.
 *
 *   npm run exams -- FOLDER
 *
 * FOLDER is a checkout of json-schema-org/JSON-Schema-Test-Suite or of uNetworking/h1spec, or has contracts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith } from '../../src/engine';
import { contracts } from './contracts';
import { h1spec } from './h1spec';
import { schemaSuite } from './schema-suite';

async function resultsOf(folder: string): Promise<string> {
  if (existsSync(join(folder, 'tests/draft2020-12'))) return schemaSuite(folder);
  return existsSync(join(folder, 'http_test.ts')) ? h1spec(folder) : contracts(folder);
}

exitWith(async () => {
  const [, , folder, ...more] = process.argv;
  if (folder === undefined || more.length > 0) throw new Error('expected one FOLDER: npm run exams -- FOLDER');
  process.stdout.write(await resultsOf(folder));
  return 0;
});

/** The servers that are compared, and how each is started. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../run-command';

/** The token that every request carries. */
export const token = 'token-of-the-bench';
export const databaseName = 'plants.db';

export interface Entry {
  name: string;
  /** Its name in the picture. */
  label: string;
  /** The arguments of Node. */
  arguments: string[];
  /** Its environment, given the directory of its files. */
  environment: (directory: string) => NodeJS.ProcessEnv;
}

export const ours = 'plant-store';

/** All of them, in the order of the report. */
export function readEntries(): Entry[] {
  const start = readStartCommand();
  const plantStore = (name: string, label: string, logLevel: NodeJS.ProcessEnv): Entry => ({
    name,
    label,
    arguments: start,
    environment: (directory) => ({ ...ourEnvironment(directory), ...logLevel }),
  });
  const peer = (name: string, label: string): Entry => ({
    name,
    label,
    // With the V8 options of our own start command, for a fair comparison.
    arguments: [
      ...start.filter((argument) => argument.startsWith('-')),
      join(__dirname, '..', 'dist', 'peers', `${name}.js`),
    ],
    environment: (directory) => ({ DATABASE: join(directory, databaseName), TOKEN: token }),
  });
  return [
    plantStore(ours, 'this server', { LOG_LEVEL: 'silent' }),
    plantStore(`${ours}-logging`, 'this server, default log', {}),
    peer('fastify', 'Fastify, JSON schema'),
    peer('fastify-openapi-glue', 'fastify-openapi-glue'),
    peer('openapi-backend', 'openapi-backend on Express'),
    peer('express-validator', 'express-openapi-validator'),
    peer('limit', 'limit: node:http, no checks'),
  ];
}

/** The arguments of `node` in the project's start script. */
function readStartCommand(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [command, ...rest] = manifest.scripts.start.split(/\s+/);
  if (command !== 'node')
    throw new Error(`expected a start script that begins with "node", got "${manifest.scripts.start}"`);
  return rest;
}

function ourEnvironment(directory: string): NodeJS.ProcessEnv {
  const tokens = join(directory, 'tokens');
  writeFileSync(tokens, `bench ${createHash('sha256').update(token).digest('hex')}\n`);
  return { HOST: '127.0.0.1', DATABASE_URL: `sqlite:${join(directory, databaseName)}`, AUTH_TOKENS_FILE: tokens };
}

/** The named ones, or all; throws where there is no server of a name. */
export function chooseEntries(entries: Entry[], names: string[] | undefined): Entry[] {
  if (names === undefined) return entries;
  for (const name of names) findEntry(entries, name);
  return entries.filter((entry) => names.includes(entry.name));
}

export function findEntry(entries: Entry[], name: string): Entry {
  const entry = entries.find((each) => each.name === name);
  if (entry === undefined)
    throw new Error(`no server "${name}"; there are ${entries.map((each) => each.name).join(', ')}`);
  return entry;
}

/** The servers that are compared, and how each is started. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../run-command';
import type { Options } from '../options';

/** The token that every request carries. */
export const token = 'token-of-the-bench';

export interface Entry {
  name: string;
  /** Its name in the picture. */
  label: string;
  /** The arguments of Node. */
  arguments: string[];
  /** Its environment, given the directory of its files and the store's DATABASE_URL. */
  environment: (directory: string, databaseUrl: string) => NodeJS.ProcessEnv;
  /** How many processes share the store and the connections; one unless given. */
  instances?: number;
}

export const ours = 'plant-store';

/** All of them, in the order of the report. */
export function readEntries(store: Options['store']): Entry[] {
  const start = readStartCommand();
  const plantStore = (name: string, label: string, others: NodeJS.ProcessEnv, instances = 1): Entry => ({
    name,
    label,
    arguments: start,
    environment: (directory, databaseUrl) => ({ ...ourEnvironment(directory), DATABASE_URL: databaseUrl, ...others }),
    instances,
  });
  const peer = (name: string, label: string): Entry => ({
    name,
    label,
    // With the V8 options of our own start command, for a fair comparison.
    arguments: [
      ...start.filter((argument) => argument.startsWith('-')),
      join(__dirname, '..', 'dist', 'peers', `${name}.js`),
    ],
    environment: (_directory, databaseUrl) => ({ DATABASE: databaseUrl.replace(/^sqlite:/, ''), TOKEN: token }),
  });
  const silent = { LOG_LEVEL: 'silent' };
  if (store === 'postgres') {
    return [
      plantStore(ours, 'this server', silent),
      plantStore(`${ours}-2`, 'this server, two instances', silent, 2),
      peer('fastify-pg', 'Fastify with pg'),
      peer('limit-pg', 'limit: node:http, no checks'),
    ];
  }
  return [
    plantStore(ours, 'this server', silent),
    plantStore(`${ours}-logging`, 'this server, default log', {}),
    peer('fastify-group-commit', 'Fastify with group commit'),
    peer('fastify', 'Fastify, JSON schema'),
    peer('express-validator', 'express-openapi-validator'),
    peer('limit', 'limit: node:http, no checks'),
  ];
}

/** The arguments of `node` in the project's start script. */
function readStartCommand(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [command, ...rest] = manifest.scripts.start.replace(/^exec /, '').split(/\s+/);
  if (command !== 'node')
    throw new Error(`expected a start script that begins with "node" or "exec node", got "${manifest.scripts.start}"`);
  return rest;
}

function ourEnvironment(directory: string): NodeJS.ProcessEnv {
  const tokens = join(directory, 'tokens');
  writeFileSync(tokens, `bench ${createHash('sha256').update(token).digest('hex')}\n`);
  return { HOST: '127.0.0.1', AUTH_TOKENS_FILE: tokens };
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

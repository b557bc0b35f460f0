/** The servers that are compared, and how each is started. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../src/tools/project/run-command';

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
  /** The number of processes that share the store and the connections; by default one. */
  instances?: number;
}

/** `npm start`: its V8 options, which the peers get as well, and its program. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
const start = scripts.start.split(' ').slice(2);

/** The servers of a kind of store, ours first. */
export const entries = {
  sqlite: [
    plantStore('plant-store', 'this server', { LOG_LEVEL: 'silent' }),
    plantStore('plant-store-logging', 'this server, default log'),
    peer('fastify-group-commit', 'Fastify with group commit'),
    peer('fastify', 'Fastify, JSON schema'),
    peer('express-validator', 'express-openapi-validator'),
    peer('limit', 'limit: node:http, no checks'),
  ],
  postgres: [
    plantStore('plant-store', 'this server', { LOG_LEVEL: 'silent' }),
    { ...plantStore('plant-store-2', 'this server, two instances', { LOG_LEVEL: 'silent' }), instances: 2 },
    peer('fastify-pg', 'Fastify with pg'),
    peer('limit-pg', 'limit: node:http, no checks'),
  ],
};

function plantStore(name: string, label: string, variables: NodeJS.ProcessEnv = {}): Entry {
  const environment = (directory: string, databaseUrl: string): NodeJS.ProcessEnv => {
    const tokens = join(directory, 'tokens');
    writeFileSync(tokens, `bench ${createHash('sha256').update(token).digest('hex')}\n`);
    return { AUTH_TOKENS_FILE: tokens, DATABASE_URL: databaseUrl, ...variables };
  };
  return { name, label, arguments: start, environment };
}

function peer(name: string, label: string, variables: NodeJS.ProcessEnv = {}): Entry {
  return {
    name,
    label,
    arguments: [
      ...start.filter((argument) => argument.startsWith('-')),
      join(__dirname, 'dist', 'peers', `${name}.js`),
    ],
    environment: (_directory, databaseUrl) => ({
      DATABASE: databaseUrl.replace(/^sqlite:/, ''),
      TOKEN: token,
      ...variables,
    }),
  };
}

/** This engine on a contract of that many operations, without a store. */
export function engineOn(contract: string, operations: number): Entry {
  const variables = { CONTRACT: contract, OPERATIONS: String(operations), LOG_LEVEL: 'silent' };
  return peer('any-contract', 'this engine', { ...variables, NODE_ENV: 'development' });
}

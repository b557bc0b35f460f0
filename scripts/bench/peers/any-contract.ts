/** This project's engine, without a store, on the contract that CONTRACT names: every operation answers with the body that it declares. */
import { join } from 'node:path';

interface Engine {
  serve(service: object, settings: object, outputs: object): Promise<unknown>;
  readVariables(variables: object, env: NodeJS.ProcessEnv, make: unknown): object;
  engineVariables: object;
  settingsOf: unknown;
  tokens(line: string, source: string): unknown;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- the bench starts every server in the root of the project, and builds it before
const engine = require(join(process.cwd(), 'dist', 'src', 'engine', 'index.js')) as Engine;

const { CONTRACT: contract = '', OPERATIONS = '1' } = process.env;
const { serve, readVariables, engineVariables, settingsOf } = engine;

const handler = (): Promise<object> => Promise.resolve({ status: 200, body: { id: 1n, name: 'Ficus' } });
const handlers = Object.fromEntries(
  Array.from({ length: Number(OPERATIONS) }, (_, index) => [`operation${index}`, handler]),
);
const outputs = { print: (text: string) => process.stdout.write(text), logTo: process.stderr };
void serve({ contract, handlers }, readVariables(engineVariables, process.env, settingsOf), outputs);

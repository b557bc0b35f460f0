/** Compares a contract of many operations with one of a single operation: the start, and each request. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSecondsOf, residentMbOf } from './process-usage';
import { brief } from './report';
import { ServerProcess } from './server-process';
import { engineOn } from './servers';

const WARM_UP = 1_000;
const REQUESTS = 5_000;

export async function measureContract(directory: string, operations: number): Promise<void> {
  const alone = await costsOf(directory, 1);
  const many = await costsOf(directory, operations);
  const rows = Object.entries(many).map(([name, cost]) => {
    const of1 = alone[name as keyof typeof alone];
    return [name, { 'of 1': brief(of1), [`of ${operations}`]: brief(cost), ratio: brief(cost / of1) }];
  });
  console.table(Object.fromEntries(rows));
}

async function costsOf(directory: string, operations: number) {
  const place = join(directory, String(operations));
  mkdirSync(place);
  const contract = join(place, 'openapi.yaml');
  writeFileSync(contract, JSON.stringify(contractOf(operations)));
  const server = await ServerProcess.start(engineOn(contract, operations), place, '');
  const { pid, port } = server;
  const [startSeconds, startMb] = [cpuSecondsOf(pid), residentMbOf(pid)];
  const costOf = async (path: string, status: number): Promise<number> => {
    const url = `http://127.0.0.1:${port}${path}`;
    for (let count = 0; count < WARM_UP; count++) await send(url, status);
    const before = cpuSecondsOf(pid);
    for (let count = 0; count < REQUESTS; count++) await send(url, status);
    return ((cpuSecondsOf(pid) - before) * 1e6) / REQUESTS;
  };
  const requestUs = await costOf(`/groups/${operations >> 1}/items/7`, 200);
  const unknownPathUs = await costOf('/nowhere/7', 404);
  await server.stop();
  return { startSeconds, startMb, requestUs, unknownPathUs };
}

async function send(url: string, status: number): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: '{"name":"Ficus","labels":["a"]}' });
  await answer.arrayBuffer();
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status} for ${url}`);
}

/** A contract in which each operation has a parameter and a body of its own, made of schemas that refer to each other. */
function contractOf(operations: number): object {
  const numbers = Array.from({ length: operations }, (_, index) => index);
  const json = (schema: object): object => ({ 'application/json': { schema } });
  const refer = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const int64 = { type: 'integer', format: 'int64' };
  const item = (index: number): object => ({
    type: 'object',
    required: ['name'],
    properties: {
      id: int64,
      name: { type: 'string', maxLength: 100 },
      parent: refer(`Item${index >> 1}`),
      labels: { type: 'array', items: { type: 'string' }, maxItems: 10 },
    },
  });
  const operation = (index: number): object => ({
    operationId: `operation${index}`,
    parameters: [{ name: 'id', in: 'path', required: true, schema: int64 }],
    requestBody: { required: true, content: json(refer(`Item${index}`)) },
    responses: {
      200: { description: 'the item', content: json(refer(`Item${index}`)) },
      default: { description: 'an error', content: json(refer('Error')) },
    },
  });
  const error = {
    type: 'object',
    required: ['error', 'message'],
    properties: { error: { type: 'integer' }, message: { type: 'string' } },
  };
  return {
    openapi: '3.1.0',
    info: { title: `${operations} operations`, version: '1.0.0' },
    paths: Object.fromEntries(numbers.map((index) => [`/groups/${index}/items/{id}`, { post: operation(index) }])),
    components: {
      schemas: { Error: error, ...Object.fromEntries(numbers.map((index) => [`Item${index}`, item(index)])) },
    },
  };
}

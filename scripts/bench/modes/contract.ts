/** What a contract of many operations costs beside one of a single operation: its start, and each request. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { Bench } from '../bench';
import { brief } from '../report/statistics';
import type { Entry } from '../servers/entries';
import { cpuSecondsOf, residentMbOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';

const WARM_UP = 1_000;
const REQUESTS = 5_000;

interface Costs {
  startSeconds: number;
  startMb: number;
  /** CPU time of a request with a body, and of one for an unknown path. */
  requestUs: number;
  unknownUs: number;
}

export async function measureContract(bench: Bench, operations: number): Promise<void> {
  console.log('operations  start, CPU s  start, MB  request, us  unknown path, us');
  const alone = await costsOf(bench, 1);
  const many = await costsOf(bench, operations);
  for (const [count, costs] of [
    [1, alone],
    [operations, many],
  ] as const) {
    const figures = [costs.startSeconds, costs.startMb, costs.requestUs, costs.unknownUs];
    console.log(`${String(count).padStart(10)}  ${figures.map((figure) => brief(figure).padStart(10)).join('  ')}`);
  }
  const ratio = (key: keyof Costs): string => brief(many[key] / alone[key]);
  console.log(`ratio: request ${ratio('requestUs')}, unknown path ${ratio('unknownUs')}`);
}

async function costsOf({ directory }: Bench, operations: number): Promise<Costs> {
  const place = join(directory, `contract-${operations}`);
  mkdirSync(place);
  const contract = join(place, 'openapi.yaml');
  writeFileSync(contract, JSON.stringify(contractOf(operations)));
  const entry: Entry = {
    name: 'any-contract',
    label: 'this engine',
    arguments: [join(__dirname, '..', 'dist', 'peers', 'any-contract.js')],
    environment: () => ({
      NODE_ENV: 'development',
      CONTRACT: contract,
      OPERATIONS: String(operations),
      LOG_LEVEL: 'silent',
    }),
  };
  const server = await ServerProcess.start(entry, place, '');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const [startSeconds, startMb] = [cpuSecondsOf(server.pid), residentMbOf(server.pid)];
    const path = `/groups/${operations >> 1}/items/7`;
    const costOf = async (target: string, status: number): Promise<number> => {
      for (let count = 0; count < WARM_UP; count++) await send(agent, server.port, target, status);
      const before = cpuSecondsOf(server.pid);
      for (let count = 0; count < REQUESTS; count++) await send(agent, server.port, target, status);
      return ((cpuSecondsOf(server.pid) - before) * 1e6) / REQUESTS;
    };
    return { startSeconds, startMb, requestUs: await costOf(path, 200), unknownUs: await costOf('/nowhere/7', 404) };
  } finally {
    agent.destroy();
    await server.stop();
  }
}

/** A contract in which each operation has a parameter and a body of its own, made of schemas that refer to each other. */
function contractOf(operations: number): object {
  const numbers = Array.from({ length: operations }, (_, index) => index);
  const json = (schema: object): object => ({ 'application/json': { schema } });
  const error = { description: 'an error', content: json({ $ref: '#/components/schemas/Error' }) };
  const item = (index: number): object => ({
    type: 'object',
    required: ['name'],
    properties: {
      id: { type: 'integer', format: 'int64' },
      name: { type: 'string', maxLength: 100 },
      parent: { $ref: `#/components/schemas/Item${index >> 1}` },
      labels: { type: 'array', items: { type: 'string' }, maxItems: 10 },
    },
  });
  const operation = (index: number): object => ({
    operationId: `operation${index}`,
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
    requestBody: { required: true, content: json({ $ref: `#/components/schemas/Item${index}` }) },
    responses: {
      200: { description: 'the item', content: json({ $ref: `#/components/schemas/Item${index}` }) },
      default: error,
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: `${operations} operations`, version: '1.0.0' },
    paths: Object.fromEntries(numbers.map((index) => [`/groups/${index}/items/{id}`, { post: operation(index) }])),
    components: {
      schemas: {
        ...Object.fromEntries(numbers.map((index) => [`Item${index}`, item(index)])),
        Error: {
          type: 'object',
          required: ['error', 'message'],
          properties: { error: { type: 'integer' }, message: { type: 'string' } },
        },
      },
    },
  };
}

function send(agent: Agent, port: number, path: string, status: number): Promise<void> {
  const body = '{"name":"Ficus","labels":["a"]}';
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path, headers }, (response) => {
      if (response.statusCode !== status)
        reject(new Error(`expected ${status}, got ${response.statusCode} for ${path}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end(body);
  });
}

/**
 * The exam on HTTP/1.1: the cases of https://github.com/uNetworking/h1spec, put to the engine over TCP. Its server echoes bodies, as the
 * suite expects.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { serve, type Upload } from '../../src/engine';
import { quietOutputs, quietSettings } from '../quiet';

interface Case {
  request: string;
  description: string;
  /** The ranges of accepted statuses. */
  expectedStatus: [number, number][];
  /** True if the server is to wait for the rest of the request. */
  expectedTimeout?: boolean;
  expectedBody?: string;
}

const CONTRACT = `
openapi: 3.1.0
info: { title: Echo, version: 1.0.0 }
paths:
  /:
    get: { operationId: get, responses: { '204': { description: Nothing. } } }
    post:
      operationId: echo
      requestBody: { content: { '*/*': {} } }
      responses: { '200': { description: The same., content: { '*/*': {} } } }
`;
/** The time that the suite waits for an answer. */
const WAIT_MS = 500;

/** The cases of a checkout. They are a literal in a file for Deno; YAML has the same syntax for it. Throws if there are none. */
function casesOf(folder: string): Case[] {
  const text = readFileSync(join(folder, 'http_test.ts'), 'utf8');
  const [, list] = /^const testCases: TestCase\[\] = (\[.*?^\]);$/ms.exec(text) ?? [];
  if (list === undefined) throw new Error('http_test.ts: expected a list testCases, got none');
  return parse(list) as Case[];
}

/** The first answer's text; undefined if there is none in time. */
function ask(port: number, request: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'));
    const finish = (answer?: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(finish, WAIT_MS);
    socket.setEncoding('utf8').once('data', finish);
    socket.once('close', () => finish('')).on('error', () => finish(''));
  });
}

function isRight({ expectedStatus, expectedTimeout = false, expectedBody }: Case, answer: string | undefined): boolean {
  if (answer === undefined || expectedTimeout) return expectedTimeout && answer === undefined;
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  const isExpected = expectedStatus.some(([min, max]) => status >= min && status <= max);
  return isExpected && (status !== 200 || expectedBody === undefined || body === expectedBody);
}

/** The results of the suite in a folder, as Markdown. */
export async function h1spec(folder: string): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'h1spec-'));
  const contract = join(scratch, 'openapi.yaml');
  writeFileSync(contract, CONTRACT);
  const handlers = {
    get: () => ({ status: 204 }),
    // As a whole: the suite knows no chunks.
    echo: async ({ body }: { body?: Upload }) => ({ status: 200, body: (await body?.bytes()) ?? '' }),
  };
  const running = await serve({ contract, handlers }, quietSettings, quietOutputs);
  try {
    const cases = casesOf(folder);
    const answers = await Promise.all(cases.map(({ request }) => ask(Number(new URL(running.baseUrl).port), request)));
    const wrong = cases.flatMap((each, index) =>
      isRight(each, answers[index])
        ? []
        : `| ${each.description} | ${(answers[index] ?? 'no answer').split('\r\n')[0]} |`,
    );
    const passed = `${cases.length - wrong.length} of ${cases.length} cases are right.`;
    return wrong.length === 0 ? `${passed}\n` : `${passed}\n\n| case | answer |\n|---|---|\n${wrong.join('\n')}\n`;
  } finally {
    await running.close();
    rmSync(scratch, { recursive: true });
  }
}

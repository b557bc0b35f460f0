/** A mock of a contract, in the process of the test. */
import request, { type Response } from 'supertest';
import { type MockOptions, startMock } from '../../../src/tools/mock/start';
import { engineVariables, settingsOf } from '../../../src/engine/settings';
import { readVariables } from '../../../src/engine/process/variables';
import { contractOf } from '../../support/contracts';

export interface TestMock {
  file: string;
  baseUrl: string;
  /** What was printed, and what was told of the contract. */
  printed: string;
  told: string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

const open = new Set<TestMock>();
afterAll(() => Promise.all([...open].map((mock) => mock.close())));

export async function mockOf(
  text: string,
  options: Partial<MockOptions> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<TestMock> {
  const file = contractOf(text);
  const told: string[] = [];
  let printed = '';
  const settings = readVariables(engineVariables, { PORT: '0', LOG_LEVEL: 'silent', ...env }, settingsOf);
  const outputs = { print: (line: string) => (printed += line), logTo: process.stderr };
  const mock = await startMock(file, { seed: 0, lenient: false, ...options }, settings, outputs, (line) =>
    told.push(line),
  );
  const { baseUrl } = mock;
  const started: TestMock = {
    file,
    baseUrl,
    printed,
    told,
    get: (path, headers = {}) => request(baseUrl).get(path).set(headers),
    async close() {
      open.delete(started);
      await mock.close();
    },
  };
  open.add(started);
  return started;
}

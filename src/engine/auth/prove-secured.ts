/** Proves before the service listens that every secured operation answers 401 to a request without a token. */
import { createServer, request, type RequestListener, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { canCome, type Contract, type ContractOperation } from '../contract/operations';
import { pathAsSent } from '../contract/paths';

/** Sends trial requests to an app; rejects with a list of the operations that answer anything but 401. Leaves nothing open. */
export async function proveSecured(app: RequestListener, contract: Contract, basePath: string): Promise<void> {
  const server = createServer(app); // which never listens
  const secured = contract.operations.filter(
    ({ method, security }) =>
      canCome(method) && security.length > 0 && security.every((each) => Object.keys(each).length > 0),
  );
  const answers = await Promise.all(
    secured.map(async (operation) => ({ operation, status: await ask(server, operation, basePath) })),
  );
  const open = answers.filter(({ status }) => status !== 401);
  if (open.length === 0) return;
  const list = open.map(({ operation: { id, at }, status }) => `  ${contract.place(at)} ${id} answered ${status}`);
  throw new Error(`expected 401 without a token from every secured operation:\n${list.join('\n')}`);
}

function ask(server: Server, { method, path }: ContractOperation, basePath: string): Promise<number | undefined> {
  const [client, served] = duplexPair();
  server.emit('connection', served);
  return new Promise((resolve, reject) => {
    const trial = request({
      method,
      path: basePath + pathAsSent(path).replaceAll(/\{[^{}]*\}/g, '0'),
      headers: { host: 'trial', connection: 'close' },
      createConnection: () => client,
    });
    trial.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    trial.on('error', reject);
    served.on('close', () => reject(new Error(`${method} ${path} got no answer`)));
    trial.end();
  });
}

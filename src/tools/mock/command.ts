/** The command `mock`: serves a contract without handlers. */
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { engineVariables, messageOf, readArguments, readVariables, type Settings, settingsOf } from '../../engine';
import { isUrl, namedContract } from '../project/named-contract';
import { typed } from '../project/typed';
import { type MockOptions, startMock } from './start';

const usage = `${typed('mock', 'CONTRACT')}
Serves a contract without handlers: requests are authenticated, validated and refused as by the real service, and answered with an
example of the contract, or else with a value made from the schema. Reads the contract again when it changes. Ctrl-C ends it.

CONTRACT       OpenAPI 3.0, 3.1 or 3.2, in YAML or JSON: a file, also of several files, or a URL of one document, read once
--port PORT    where it listens (4010; 0 picks one)
--host HOST    the address where it listens (127.0.0.1; 0.0.0.0 for all)
--token TOKEN  the only credential that is accepted, as bearer token, password or key; any well-formed one unless given
--seed NUMBER  makes other values if the contract has no examples (0); the same request has the same answer
--interval MS  the milliseconds between the items of a sequence, such as text/event-stream (0)
--lenient      serves a contract with problems without the operations that they concern, and says which
--allow-folder FOLDER
               lets references lead there too, and not only into the folder of the contract; may be repeated

A request chooses its answer by a header: Prefer: code=404 (a status that is declared), Prefer: example=NAME (one of examples),
Prefer: dynamic=true (a value made from the schema, whatever examples there are), or several of them with commas in between.

Every answer says Mock: true. Pages of any origin may call. The variables of npm start that are not about tokens are understood,
such as BASE_URL, BODY_BYTES_MAX, DOCS, TLS_CERT and LOG_LEVEL (error; with info each request is a line on stderr).`;

const text = { type: 'string' } as const;
const options = {
  ...{ port: text, host: text, token: text, seed: text, interval: text },
  lenient: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  'allow-folder': { ...text, multiple: true },
} as const;

/** Serves until it is asked to stop; resolves to 0 then. Rejects if the arguments or the contract are wrong. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [contract, ...others] = positionals;
  const expected = (what: string, got: string | undefined): never => {
    throw new TypeError(`expected ${what}, got ${got === undefined ? 'nothing' : JSON.stringify(got)}\n\n${usage}`);
  };
  if (contract === undefined || others.length > 0) return expected('one CONTRACT', positionals.join(' ') || undefined);
  if (!isUrl(contract) && (statSync(contract, { throwIfNoEntry: false })?.isDirectory() ?? true))
    return expected('CONTRACT to be a file', contract);
  const { seed = '0', interval = '0', token, lenient = false } = values;
  if (!/^-?\d{1,9}$/.test(seed)) return expected('--seed to be a whole number', seed);
  if (!/^\d{1,6}$/.test(interval)) return expected('--interval to be milliseconds', interval);
  if (token === '') return expected('--token to be a token', token);
  const settings = settingsFor(values.host, values.port);
  console.error(`Reading ${isUrl(contract) ? contract : basename(contract)}`);
  const { file, remove } = await namedContract(contract);
  try {
    await serveUntilAsked(
      resolve(file),
      { token, seed: Number(seed), intervalMs: Number(interval), lenient, allowed: values['allow-folder'] },
      settings,
    );
  } finally {
    remove();
  }
  return 0;
}

async function serveUntilAsked(file: string, mockOptions: MockOptions, settings: Settings): Promise<void> {
  const outputs = { print: (line: string) => process.stdout.write(line), logTo: process.stderr };
  const mock = await startMock(file, mockOptions, settings, outputs, (line) => console.error(line));
  await new Promise<void>((end) => {
    process.once('SIGINT', () => end()).once('SIGTERM', () => end());
  });
  await mock.close();
}

function parse(args: string[]) {
  try {
    return readArguments({ args, options, allowPositionals: true });
  } catch (error) {
    throw new TypeError(`${messageOf(error)}\n\n${usage}`, { cause: error });
  }
}

/** The settings of the environment without AUTH_*, with defaults for a mock. */
function settingsFor(host = '127.0.0.1', port = '4010'): Settings {
  const { AUTH_TOKENS_FILE: _, AUTH_JWT_ISSUER: _i, AUTH_JWT_AUDIENCE: _a, AUTH_JWKS_URL: _u, ...env } = process.env;
  const usual = { CORS_ORIGINS: '*', LOG_LEVEL: 'error' };
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const flags = { HOST: host, PORT: port, NODE_ENV: 'development' };
  return readVariables(engineVariables, { ...usual, ...given, ...flags }, settingsOf);
}

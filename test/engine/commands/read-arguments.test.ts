/** The arguments of a command that npm has started: options that npm took for its own are refused, with the line to type. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { readArguments } from '../../../src/engine/commands/read-arguments';
import { temporaryFolder } from '../../support/temporary-folder';
import { table } from '../../support/table';

const options = {
  all: { type: 'boolean' },
  json: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
} as const;
const read = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  readArguments({ args, options, allowPositionals: true }, { npm_lifecycle_event: 'mock', ...env }).values;

it.each(table`
  a flag | all=true | --all | --all
  a value | port=1 | --port | --port
  several | port=true, host=true, json=true | --json and --port and --host | --json --port --host
  a token, whose name npm 11 makes longer | token_description=s3cret | --token | --token
`)('refuses %s that npm has taken', (_what, config = '', taken, typed) => {
  const env = Object.fromEntries(config.split(', ').map((each) => `npm_config_${each}`.split('=')));
  const line = `npm run mock -- ${typed} ...`;
  expect(() => read(env, 'c.yaml')).toThrow(new Error(`npm has taken ${taken} for its own; write -- first: ${line}`));
});

it('takes what comes after --, whatever npm has as well', () => {
  expect(read({ npm_config_all: 'true', npm_config_port: '2' }, '--all', '--port=1')).toEqual({ all: true, port: '1' });
});

it('leaves alone what is set in a file of npm, what is not set, and what npx runs', () => {
  const folder = temporaryFolder();
  const npmrc = join(folder, '.npmrc');
  writeFileSync(npmrc, '; ours\njson = true\n');
  expect(read({ npm_config_json: 'true', npm_config_userconfig: npmrc })).toEqual({});
  expect(read({ npm_config_json: 'true', npm_config_local_prefix: folder })).toEqual({});
  expect(read({ npm_config_json: '', npm_config_userconfig: join(folder, 'none') })).toEqual({});
  expect(read({ npm_config_json: 'true', npm_lifecycle_event: 'npx' })).toEqual({});
});

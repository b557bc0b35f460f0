/**
 * Makes a token: prints it once, with the line for the tokens file.
 *
 *   npm run token -- NAME
 */
import '../src/node-version';
import { parseArgs } from 'node:util';
import { makeToken } from '../src/auth/tokens';
import { exitWith } from './exit-with';

const usage = `npm run token -- NAME
NAME says whose token it is: letters, digits and . _ @ -`;

function main(): number {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  const [name, ...rest] = positionals;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (name === undefined || rest.length > 0 || !/^[\w.@-]+$/.test(name)) {
    console.error(`expected one NAME, got ${JSON.stringify(positionals)}\n${usage}`);
    return 1;
  }
  const { token, line } = makeToken(name);
  console.log(
    `The token, which is shown only now:\n${token}\n\nThe line for the file that AUTH_TOKENS_FILE names:\n${line}`,
  );
  return 0;
}

exitWith(main);

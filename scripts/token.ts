/**
 * Makes tokens, and edits a tokens file: a running service reads it again within a second.
 *
 *   npm run token -- NAME [--expires DATE] [--scopes SCOPES] [--add FILE]
 *   npm run token -- NAME --revoke FILE
 *   npm run token -- --list FILE
 */
import '../src/node-version';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/engine/http/api-error';
import { EXPIRY_FORM, makeToken, parseExpiry, SCOPES, TOKEN_NAME } from '../src/engine/auth/tokens';
import { exitWith } from './exit-with';
import { addLine, listTokens, revokeTokens } from './token/tokens-file';

const usage = `npm run token -- NAME                    makes a token: prints it once, and its line for the tokens file
npm run token -- NAME --add FILE         makes a token and adds its line to FILE, which is made if it is not there
npm run token -- NAME --revoke FILE      removes every token of NAME from FILE
npm run token -- --list FILE             lists names, the ends of tokens and the beginnings of their digests

NAME             whose token it is: letters, digits and . _ @ -
--expires DATE   ${EXPIRY_FORM}
--scopes SCOPES  what the token allows where the contract names scopes: names with commas in between, or * for all
FILE             the file that AUTH_TOKENS_FILE names; a running service reads it again within a second`;

/** What is wrong with the arguments; the usage is printed with it. */
class UsageError extends Error {}

function run(args: string[]): string {
  const { name, add, revoke, list, expires, scopes, help } = readArguments(args);
  if (help) return usage;
  if (list !== undefined) return listTokens(list, Date.now());
  if (name === undefined || !TOKEN_NAME.test(name)) {
    throw new UsageError(
      `expected a NAME of letters, digits and . _ @ -, got ${name === undefined ? 'nothing' : JSON.stringify(name)}`,
    );
  }
  if (revoke !== undefined) return `revoked ${revokeTokens(revoke, name)} token(s) of ${name} in ${revoke}`;
  const { token, line } = makeToken(name, expires, scopes);
  if (add !== undefined) addLine(add, line);
  const place = add === undefined ? 'The line for the file that AUTH_TOKENS_FILE names' : `Added to ${add}`;
  return `The token, which is shown only now:\n${token}\n\n${place}:\n${line}`;
}

interface Arguments {
  name?: string | undefined;
  add?: string | undefined;
  revoke?: string | undefined;
  list?: string | undefined;
  expires?: string | undefined;
  scopes?: string | undefined;
  help?: boolean | undefined;
}

function readArguments(args: string[]): Arguments {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    options: {
      add: text,
      revoke: text,
      list: text,
      expires: text,
      scopes: text,
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  });
  if (values.help) return values;
  const { add, revoke, list, expires, scopes } = values;
  if ([add, revoke, list].filter((file) => file !== undefined).length > 1)
    throw new UsageError('expected one of --add, --revoke and --list');
  if (positionals.length > 1 || (list !== undefined && positionals.length > 0))
    throw new UsageError(`expected ${list === undefined ? 'one NAME' : 'no NAME'}, got ${positionals.join(' ')}`);
  if (expires !== undefined && (revoke ?? list) !== undefined)
    throw new UsageError('expected --expires only where a token is made');
  if (scopes !== undefined && (revoke ?? list) !== undefined)
    throw new UsageError('expected --scopes only where a token is made');
  if (scopes !== undefined && !SCOPES.test(scopes))
    throw new UsageError(`expected --scopes to be names with commas in between, or *, got ${JSON.stringify(scopes)}`);
  if (expires !== undefined && (parseExpiry(expires) ?? 0) <= Date.now())
    throw new UsageError(`expected --expires to name ${EXPIRY_FORM} that is to come, got ${JSON.stringify(expires)}`);
  return { ...values, name: positionals[0] };
}

function main(): number {
  try {
    console.log(run(process.argv.slice(2)));
    return 0;
  } catch (error) {
    console.error(messageOf(error));
    // Those of parseArgs are TypeErrors with a code.
    if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) console.error(`\n${usage}`);
    return 1;
  }
}

exitWith(main);

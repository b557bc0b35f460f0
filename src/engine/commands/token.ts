/** Makes tokens, and edits a tokens file: a running service reads it again within a second. `--help` says how. */
import { readArguments } from './read-arguments';
import { EXPIRY_FORM, makeToken, parseExpiry, SCOPES, TOKEN_NAME } from '../auth/tokens';
import { addLine, listTokens, revokeTokens } from './tokens-file';

const usage = `token NAME                           makes a token: prints it once, and its line for the tokens file
token NAME --add FILE                makes a token and adds its line to FILE, which is made if it is not there
token NAME --revoke FILE             removes every token of NAME from FILE
token --revoke FILE --digest DIGEST  removes one token, which --list shows by the beginning of its digest
token --list FILE                    lists names, the beginnings of digests, and the ends of tokens

NAME             whose token it is: letters, digits and . _ @ -
--expires DATE   ${EXPIRY_FORM}
--scopes SCOPES  what the token allows if the contract names scopes: names with commas in between, or * for all
FILE             the file that AUTH_TOKENS_FILE names; a running service reads it again within a second`;

const text = { type: 'string' } as const;
const options = { add: text, revoke: text, list: text, digest: text, expires: text, scopes: text } as const;

/** Prints the result, and returns 0; throws for wrong arguments, or an unusable file. */
export function run(args: string[]): number {
  console.log(answer(args));
  return 0;
}

function answer(args: string[]): string {
  const { values, positionals } = readArguments({
    args,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  const { add, revoke, list, digest, expires, scopes } = values;
  const [name, ...others] = positionals;
  const make = list === undefined && revoke === undefined;
  const expected = (what: string, got: string | undefined): never => {
    throw new TypeError(`expected ${what}, got ${got === undefined ? 'nothing' : JSON.stringify(got)}\n\n${usage}`);
  };
  if (values.help) return usage;
  if (others.length > 0 || (list !== undefined && name !== undefined))
    expected(`${list === undefined ? 'one' : 'no'} NAME`, positionals.join(' '));
  if ([add, revoke, list].filter((file) => file !== undefined).length > 1)
    expected('one of --add, --revoke and --list', 'several');
  if (!make && (expires ?? scopes) !== undefined)
    expected('--expires and --scopes only if a token is made', expires ?? scopes);
  if (digest !== undefined && (revoke === undefined || !/^[0-9a-f]+$/i.test(digest)))
    expected('--digest with --revoke, and the beginning of a digest', digest);
  if (list !== undefined) return listTokens(list, Date.now());
  if (name === undefined ? digest === undefined : !TOKEN_NAME.test(name))
    expected('a NAME of letters, digits and . _ @ -', name);
  if (revoke !== undefined) return revokeTokens(revoke, { name, digest: digest?.toLowerCase() });
  if (scopes !== undefined && !SCOPES.test(scopes))
    expected('--scopes to be names with commas in between, or *', scopes);
  if (expires !== undefined && (parseExpiry(expires) ?? 0) <= Date.now())
    expected(`--expires to name ${EXPIRY_FORM} that is to come`, expires);
  const { token, line } = makeToken(name ?? '', expires, scopes);
  if (add !== undefined) addLine(add, line);
  const place = add === undefined ? 'The line for the file that AUTH_TOKENS_FILE names' : `Added to ${add}`;
  // Shown because npm takes --expires for its own, without a trace, if the -- is missing.
  const end = expires === undefined ? 'never expires' : `expires ${expires}`;
  return `The token, which is shown only now and ${end}:\n${token}\n\n${place}:\n${line}`;
}

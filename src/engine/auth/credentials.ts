/** Which tokens are accepted, by the configuration: those of a file, those of an issuer, or one that is made for this run. */
import type { Logger } from 'pino';
import type { Config } from '../../config';
import { jwtVerifier } from './jwt';
import { makeToken, ONE_OFF, type TokenVerifier, tokens } from './tokens';
import { noTokensFile, openTokensFile, type TokensFile } from './tokens-file';

export interface Credentials {
  verifier: TokenVerifier;
  /** The token that was made because the configuration names none, to be shown to whoever has started the service. */
  oneOff: string | undefined;
  close(): void;
}

/** Rejects where what the configuration names cannot be used. */
export async function openCredentials(
  { tokensFile, jwt }: Pick<Config, 'tokensFile' | 'jwt'>,
  log: Logger,
): Promise<Credentials> {
  const nothing = (): void => undefined;
  if (tokensFile === undefined && jwt === undefined) {
    const { token, line } = makeToken(ONE_OFF, undefined, '*');
    return { verifier: tokens(line, 'the one-off token'), oneOff: token, close: nothing };
  }
  const ofIssuer = jwt && (await jwtVerifier(jwt));
  const ofFile = tokensFile === undefined ? noTokensFile(log) : openTokensFile(tokensFile, log);
  return { verifier: either(ofFile, ofIssuer), oneOff: undefined, close: () => ofFile.close() };
}

/** Accepts what one of the two accepts; the second is asked only about what the first does not know. */
function either(first: TokensFile, second: TokenVerifier | undefined): TokenVerifier {
  return {
    verify: async (token) => (await first.verify(token)) ?? (await second?.verify(token)) ?? null,
    onChange: (listener) => first.onChange(listener),
  };
}

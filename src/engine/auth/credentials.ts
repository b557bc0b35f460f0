/** The accepted tokens of a configuration: those of a file, those of an issuer, or a one-off token. */
import type { Logger } from 'pino';
import { type JwtOptions, jwtVerifier } from './jwt';
import { makeToken, ONE_OFF, type TokenVerifier, tokens } from './tokens';
import { noTokensFile, openTokensFile, type TokensFile } from './tokens-file';

/**
 * The accepted credentials of a service.
 *
 * @example
 * const credentials: Credentials = {
 *   verifier: { verify: (token) => database.principalOf(token) },
 *   oneOff: undefined,
 *   nextEnd: undefined,
 *   close: () => undefined,
 * };
 */
export interface Credentials {
  verifier: TokenVerifier;
  /** The token that was made for this run because the configuration names none; to be printed. */
  oneOff: string | undefined;
  /** The time when the next token of the file expires; undefined without a file. */
  nextEnd: (() => number) | undefined;
  /** False while the file on disk cannot be used, and the tokens from before stay accepted; undefined without a file. */
  isFileUsable?: (() => boolean) | undefined;
  /** The label of the one-off token in the banner, in place of `Token, for this run only`. */
  note?: string;
  close(): void;
}

/** Opens the sources of tokens that the configuration names; rejects if one cannot be used. */
export async function openCredentials(
  { tokensFile, jwt }: { tokensFile: string | undefined; jwt: JwtOptions | undefined },
  log: Logger,
): Promise<Credentials> {
  if (tokensFile === undefined && jwt === undefined) {
    const { token, line } = makeToken(ONE_OFF, undefined, '*');
    return { verifier: tokens(line, 'the one-off token'), oneOff: token, nextEnd: undefined, close: () => undefined };
  }
  const ofIssuer = jwt && (await jwtVerifier(jwt));
  const ofFile = tokensFile === undefined ? noTokensFile(log) : openTokensFile(tokensFile, log);
  return {
    verifier: either(ofFile, ofIssuer),
    oneOff: undefined,
    nextEnd: tokensFile === undefined ? undefined : () => ofFile.nextEnd(),
    isFileUsable: tokensFile === undefined ? undefined : () => ofFile.isUsable(),
    close: () => ofFile.close(),
  };
}

/** A verifier that asks the second only about tokens that the first does not know. */
function either(first: TokensFile, second: TokenVerifier | undefined): TokenVerifier {
  return second ? { verify: (token) => first.verify(token) ?? second.verify(token) } : first;
}

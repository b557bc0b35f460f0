/** The accepted tokens of a configuration: those of a file, those of an issuer, or a one-off token. */
import type { Logger } from 'pino';
import { type JwtOptions, jwtVerifier } from './jwt';
import { makeToken, ONE_OFF, type TokenVerifier, tokens } from './tokens';
import { onHangup, openTokensFile } from './tokens-file';

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
  const ofIssuer = jwt && (await jwtVerifier(jwt));
  if (tokensFile !== undefined) {
    const ofFile = openTokensFile(tokensFile, log);
    return {
      verifier: ofIssuer ? { verify: (token) => ofFile.verify(token) ?? ofIssuer.verify(token) } : ofFile,
      oneOff: undefined,
      nextEnd: () => ofFile.nextEnd(),
      isFileUsable: () => ofFile.isUsable(),
      close: () => ofFile.close(),
    };
  }
  if (ofIssuer) {
    const close = onHangup(() => log.info('there is no tokens file to read again'));
    return { verifier: ofIssuer, oneOff: undefined, nextEnd: undefined, close };
  }
  const { token, line } = makeToken(ONE_OFF, undefined, '*');
  return { verifier: tokens(line, 'the one-off token'), oneOff: token, nextEnd: undefined, close: () => undefined };
}

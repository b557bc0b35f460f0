/** Which tokens are accepted, by the configuration: those of a file, or one that is made for this run. */
import type { Logger } from 'pino';
import type { Config } from '../config';
import { makeToken, type TokenVerifier, tokens } from './tokens';
import { openTokensFile } from './tokens-file';

export interface Credentials {
  verifier: TokenVerifier;
  /** The token that was made because the configuration names none, to be shown to whoever has started the service. */
  oneOff: string | undefined;
  close(): void;
}

/** Throws where what the configuration names cannot be used. */
export function openCredentials({ tokensFile }: Pick<Config, 'tokensFile'>, log: Logger): Credentials {
  if (tokensFile === undefined) {
    const { token, line } = makeToken('one-off');
    return { verifier: tokens(line, 'the one-off token'), oneOff: token, close: () => undefined };
  }
  const file = openTokensFile(tokensFile, log);
  return { verifier: file, oneOff: undefined, close: () => file.close() };
}

/** The file of accepted tokens. It is read again on SIGHUP and when it changes, so that tokens are revoked without a restart. */
import { statSync } from 'node:fs';
import type { Logger } from 'pino';
import { messageOf } from '../errors/api-error';
import { isPassing, readRegularFile, watchFile } from '../process/watch-file';
import { parseTokens, type TokenList, tokens, verifierOf } from './tokens';

export interface TokensFile extends TokenList {
  /** False while the file on disk cannot be used. */
  isUsable(): boolean;
  close(): void;
}

/**
 * Opens a tokens file; throws if it cannot be read, has a bad line or accepts nobody. Later, a file that cannot be used is logged and
 * changes nothing. An emptied file is accepted: removing the last line revokes a token.
 */
export function openTokensFile(file: string, log: Logger): TokensFile {
  const load = (): void => {
    try {
      const accepted = parseTokens(readText(file, log), file);
      current = verifierOf(accepted);
      isUsable = true;
      log.info({ file, tokens: accepted.length }, 'read the tokens file again');
      if (accepted.length === 0) log.warn({ file }, 'the tokens file accepts no token: every token is refused');
    } catch (error) {
      isUsable = false;
      log.error(
        { file, problem: messageOf(error) },
        'cannot use the tokens file: the tokens from before stay accepted',
      );
      if (isPassing(error)) watch.again(); // or a token would stay accepted that was revoked while no descriptor was free
    }
  };
  const watch = watchFile(file, load);
  let current: TokenList;
  let isUsable = true;
  try {
    current = tokens(readText(file, log), file);
  } catch (error) {
    watch.close();
    throw error;
  }
  const stopListening = onHangup(watch.again);
  return {
    verify: (token) => current.verify(token),
    nextEnd: () => current.nextEnd(),
    isUsable: () => isUsable,
    close() {
      watch.close();
      stopListening();
    },
  };
}

/** Calls `act` on SIGHUP, which would end the process otherwise; returns a function that stops this. */
export function onHangup(act: () => void): () => void {
  process.on('SIGHUP', act);
  return () => void process.off('SIGHUP', act);
}

function readText(file: string, log: Logger): string {
  try {
    const text = readRegularFile(file).toString();
    const mode = statSync(file).mode & 0o777;
    // Node simulates these bits on Windows.
    if (mode & 0o007 && process.platform !== 'win32')
      log.warn({ file, mode: mode.toString(8) }, `other users may access the tokens file: chmod o= ${file}`);
    return text;
  } catch (cause) {
    throw new Error(`AUTH_TOKENS_FILE: expected a file that can be read, got ${messageOf(cause)}`, { cause });
  }
}

/** TLS in front of the HTTP server: it is given each decrypted connection as if it had accepted it, and knows of no difference. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext, createServer, type Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import { messageOf } from './api-error';
import { watchFile } from './watch-file';

export interface TlsFiles {
  /** PEM: the certificate, and those of the authorities between it and the root. */
  certFile: string;
  /** PEM: its private key. */
  keyFile: string;
}

/** How long a handshake may take: less than the end of the process waits for its connections. */
const HANDSHAKE_MS = 5_000;

/**
 * A server that listens in place of the HTTP server; throws where the files cannot be used. They are read again when they
 * change, so that a certificate is renewed without a restart; files that cannot be used then change nothing and are logged.
 */
export function tlsServer(server: Server, files: TlsFiles, log: Logger): TlsServer {
  const listener = createServer({ ...readPair(files), handshakeTimeout: HANDSHAKE_MS, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  const renew = (): void => {
    try {
      listener.setSecureContext(readPair(files));
      log.info(files, 'read the certificate again');
    } catch (error) {
      log.error(
        { ...files, problem: messageOf(error) },
        'cannot use the certificate: the one from before stays in use',
      );
    }
  };
  const unwatch = [files.certFile, files.keyFile].map((file) => watchFile(file, renew));
  listener.on('close', () => unwatch.forEach((end) => end()));
  // From then on Node looks for requests that take too long.
  listener.once('listening', () => server.emit('listening'));
  return listener;
}

function readPair({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(pair); // which throws where they are no PEM, or do not belong together
    return pair;
  } catch (cause) {
    throw new Error(`TLS_CERT, TLS_KEY: expected a certificate and its key in PEM, got ${messageOf(cause)}`, { cause });
  }
}

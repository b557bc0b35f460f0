/** TLS in front of the HTTP server, which gets each decrypted connection as if it had accepted it. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, createServer, DEFAULT_CIPHERS, type Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import { messageOf } from '../errors/api-error';
import { networkOf, ofMost } from './client-network';
import { isPassing, readRegularFile, watchFile } from '../process/watch-file';

export interface TlsFiles {
  /** PEM: the certificate, and the intermediate ones. */
  certFile: string;
  /** PEM: its private key. */
  keyFile: string;
}

/** Options of each connection: it is asked for a sign of life, by which a client that vanished amid a stream is found. */
export const SOCKETS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 } as const;

/** The time limit of a handshake: less than the time for which a closing server waits for connections. */
const HANDSHAKE_MS = 5_000;

/** The largest number of concurrent handshakes, and their largest share of all connections. */
const HANDSHAKES_MAX = 1_000;
const SHARE_MAX = 1 / 4;

/** The ciphers of Node, without those of TLS 1.2 that lack forward secrecy. */
const CIPHERS = `${DEFAULT_CIPHERS}:!kRSA`;

/** The largest number of concurrent handshakes among so many connections; beyond it the oldest of the client with most is closed. Those that make progress are over soon. */
export function handshakesMax(connectionsMax: number): number {
  return Math.min(HANDSHAKES_MAX, Math.ceil(connectionsMax * SHARE_MAX));
}

/**
 * A server that listens in place of the HTTP server, its connections during their handshake, `most` of them, and the time when the
 * certificate in use expires, in milliseconds since 1970. Throws if the files cannot be used. They are read again when they change, so that a certificate is
 * renewed without a restart; if the new files cannot be used, that is logged, and the old ones stay in use.
 */
export function tlsListener(
  server: Server,
  files: TlsFiles,
  log: Logger,
  most: number,
): { listener: TlsServer; handshakes: ReadonlyMap<string, Socket>; certificateEnd: () => number } {
  let pair = readPair(files);
  const listener = createServer({ ...pair, handshakeTimeout: HANDSHAKE_MS, ...SOCKETS });
  const certificateEnd = (): number => Date.parse(new X509Certificate(pair.cert).validTo);
  const warnOfEnd = (): void => {
    if (certificateEnd() <= Date.now())
      log.error(
        { ...files, ended: new Date(certificateEnd()).toISOString() },
        'the certificate has expired: clients refuse it. A new one is read without a restart',
      );
  };
  warnOfEnd();
  const handshakes = new Map<string, Socket>();
  listener.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    handshakes.set(peer, socket);
    socket.once('close', () => handshakes.delete(peer));
    if (handshakes.size > most) makeRoom(handshakes, socket);
  });
  listener.on('secureConnection', (secured) => {
    const peer = peerOf(secured); // by address, because it is another object than the socket below it
    const below = handshakes.get(peer);
    handshakes.delete(peer);
    // Node has no reset of a TLS connection. Many clients take the end of one for that of an answer, even without its last alert.
    secured.resetAndDestroy = () => {
      below?.resetAndDestroy();
      return secured.destroy();
    };
    server.emit('connection', secured);
    // A listener for data has Node read it as a stream. Without one, its parser gets what was decrypted already also while it is paused,
    // because an answer is not written yet, and refuses the request (HPE_PAUSED; seen with Node 20 to 26).
    secured.on('data', () => undefined);
  });
  listener.on('tlsClientError', ({ message }, socket) => {
    log.info({ reason: message, client: socket.remoteAddress }, 'TLS handshake refused');
    socket.destroy(); // Node leaves it open after a timeout
  });
  const renew = (): void => {
    try {
      pair = readPair(files);
      listener.setSecureContext(pair);
      log.info(files, 'read the certificate again');
      warnOfEnd();
    } catch (error) {
      log.error(
        { ...files, problem: messageOf(error) },
        'cannot use the certificate: the one from before stays in use',
      );
      if (isPassing(error)) watches[0]?.again();
    }
  };
  const watches = [files.certFile, files.keyFile].map((file) => watchFile(file, renew));
  listener.on('close', () => watches.forEach((watch) => watch.close()));
  // Makes Node start its checks for requests that take too long.
  listener.once('listening', () => server.emit('listening'));
  return { listener, handshakes, certificateEnd };
}

/** Closes the oldest handshake of the client that has most with the newest. */
function makeRoom(handshakes: ReadonlyMap<string, Socket>, newest: Socket): void {
  const others = [...handshakes.values()].filter((each) => each !== newest && !each.destroyed);
  const ofClients = others.map((socket) => ({ socket, client: networkOf(socket.remoteAddress) }));
  const [oldest] = ofMost(ofClients, networkOf(newest.remoteAddress)).among;
  (oldest?.socket ?? newest).destroy();
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** The certificate, its key and the ciphers to use them with: a server that gets a pair anew forgets the ciphers of the one before. */
function readPair({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer; ciphers: string } {
  try {
    const pair = { cert: readRegularFile(certFile), key: readRegularFile(keyFile), ciphers: CIPHERS };
    createSecureContext(pair); // throws if they are not PEM
    // It takes a key of another type than the certificate's for that of another certificate.
    if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
      throw new Error(`the key of another certificate than ${certFile}`);
    return pair;
  } catch (cause) {
    throw new Error(`TLS_CERT, TLS_KEY: expected a certificate and its key in PEM, got ${messageOf(cause)}`, { cause });
  }
}

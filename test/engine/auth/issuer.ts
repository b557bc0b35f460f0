/** An issuer of JWTs on the loopback: real keys, a real key set and its discovery document, served over HTTP. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listening } from '../../support/ports';

/** A key pair of the issuer; `kid` is its id in the key set. */
export interface SigningKey {
  kid: string;
  alg: 'ES256' | 'RS256';
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export interface Issuer {
  url: string;
  /** The keys that the key set has. */
  published: SigningKey[];
  /** How often the key set was asked for. */
  asked: number;
  /** What is answered instead of the key set. */
  fault: ((res: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

export function makeKey(kid: string, alg: SigningKey['alg'] = 'ES256'): SigningKey {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, alg, ...pair };
}

export async function startIssuer(): Promise<Issuer> {
  const server = createServer((req, res) => {
    if (issuer.fault) return issuer.fault(res);
    const isKeys = req.url === '/keys';
    if (isKeys) issuer.asked++;
    res.setHeader('Content-Type', 'application/json');
    const discovered = { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` };
    res.end(JSON.stringify(isKeys ? { keys: issuer.published.map(jwkOf) } : discovered));
  });
  const issuer: Issuer = {
    url: `http://127.0.0.1:${await listening(server)}`,
    published: [],
    asked: 0,
    fault: undefined,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return issuer;
}

function jwkOf({ kid, alg, publicKey }: SigningKey): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg };
}

/** A JWT with this header and these claims, signed with the key unless another signature is given. */
export function jwt(
  key: SigningKey,
  claims: object,
  header: object = {},
  signatureOf = (input: string) =>
    sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' }),
): string {
  const input = [{ alg: key.alg, kid: key.kid, ...header }, claims].map(encode).join('.');
  return `${input}.${signatureOf(input).toString('base64url')}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

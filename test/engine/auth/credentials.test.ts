import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { openCredentials } from '../../../src/engine/auth/credentials';
import { makeToken } from '../../../src/engine/auth/tokens';
import { newFolder } from '../../support/folders';

const log = pino({ level: 'silent' });
const jwt = { issuer: 'https://issuer.example', audience: 'plants', jwksUrl: 'http://127.0.0.1:1/keys' };
const { token, line } = makeToken('Ada');
const tokensFile = join(newFolder(), 'tokens');
writeFileSync(tokensFile, line, { mode: 0o600 });

it('are one token for this run where nothing is configured', async () => {
  const credentials = await openCredentials({ tokensFile: undefined, jwt: undefined }, log);
  expect(await credentials.verifier.verify(credentials.oneOff ?? '')).toEqual({ name: 'one-off', scopes: 'every' });
  expect(await credentials.verifier.verify(token)).toBeNull();
  credentials.close();
});

it.each([
  ['of a file', { jwt: undefined }],
  ['of a file, or of an issuer', { jwt }],
])('are those %s', async (_what, options) => {
  const credentials = await openCredentials({ tokensFile, ...options }, log);
  expect(credentials.oneOff).toBeUndefined();
  expect(await credentials.verifier.verify(token)).toMatchObject({ name: 'Ada' });
  expect(await credentials.verifier.verify('another')).toBeNull();
  credentials.close();
});

it('are those of an issuer alone', async () => {
  const credentials = await openCredentials({ tokensFile: undefined, jwt }, log);
  expect(credentials.oneOff).toBeUndefined();
  expect(await credentials.verifier.verify(token)).toBeNull();
  expect(process.emit('SIGHUP')).toBe(true); // somebody listens, so that it does not end the process
  credentials.close();
  expect(process.listenerCount('SIGHUP')).toBe(0);
});

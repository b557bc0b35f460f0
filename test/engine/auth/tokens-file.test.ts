import { execFileSync } from 'node:child_process';
import fs, { chmodSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { openCredentials } from '../../../src/engine/auth/credentials';
import { makeToken } from '../../../src/engine/auth/tokens';
import { openTokensFile, type TokensFile } from '../../../src/engine/auth/tokens-file';
import { eventually } from '../../support/eventually';
import { temporaryFolder } from '../../support/temporary-folder';
import { ask, plantRequest } from '../../support/raw';
import { startService } from '../../support/service';

const alice = makeToken('alice');
const bob = makeToken('bob');

let folder: string;
let file: string;
let opened: TokensFile | undefined;
let logged: Record<string, unknown>[];
const log = pino({ base: null, timestamp: false }, { write: (line) => void logged.push(JSON.parse(line) as never) });

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'tokens');
  opened = undefined;
  logged = [];
});
afterEach(() => {
  opened?.close();
  jest.restoreAllMocks();
});

function write(text: string, path = file): void {
  writeFileSync(path, text, { mode: 0o600 });
}

function open(text: string): TokensFile {
  write(text);
  return (opened = openTokensFile(file, log));
}

/** Who of the two is accepted. */
function accepted(tokens: TokensFile): string[] {
  return [alice, bob].flatMap(({ token }) => {
    const verdict = tokens.verify(token);
    return verdict && 'name' in verdict ? verdict.name : [];
  });
}

/** Opens the file with a clock of ours: resolves when the next look at the file, or the next ones, are over. */
function openWithLooks(text: string): { tokens: TokensFile; look: (times?: number) => Promise<void> } {
  const timers = jest.spyOn(global, 'setInterval');
  const looks = jest.spyOn(promises, 'stat');
  const tokens = open(text);
  const [call, id] = [timers.mock.calls.at(-1)?.[0], timers.mock.results.at(-1)?.value as NodeJS.Timeout];
  clearInterval(id);
  return {
    tokens,
    async look(times = 1) {
      for (let time = 0; time < times; time++) {
        call?.();
        await Promise.allSettled([looks.mock.results.at(-1)?.value]);
        await setImmediate();
      }
    },
  };
}

describe('a tokens file at the start', () => {
  it('is refused where it is not there, and watched no longer', () => {
    expect(() => openTokensFile(file, log)).toThrow(
      /^AUTH_TOKENS_FILE: expected a file that can be read, got .*ENOENT.*tokens'$/,
    );
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });

  it('is refused, without waiting, where it is no regular file', () => {
    execFileSync('mkfifo', [file]);
    for (const path of [file, folder, '/dev/zero'])
      expect(() => openTokensFile(path, log)).toThrow(
        `AUTH_TOKENS_FILE: expected a file that can be read, got ${path}, which is not a regular file`,
      );
  });

  it('is refused where it is larger than any list of tokens', () => {
    expect(() => open(`${alice.line} #`.padEnd(4 * 2 ** 20 + 1))).toThrow(`${file}, which is larger than 4 MiB`);
  });

  it('is refused with a bad line, and where it accepts nobody', () => {
    expect(() => open('alice')).toThrow(`${file}:1 expected NAME SHA256-HEX-OF-TOKEN`);
    expect(() => open('# nobody')).toThrow(`${file} accepts no token`);
  });

  it.each([
    [0o604, true],
    [0o602, true],
    [0o640, false],
    [0o600, false],
  ])('of mode %o is warned about: %p', (mode, warned) => {
    write(alice.line);
    chmodSync(file, mode);
    opened = openTokensFile(file, log);
    expect(logged).toEqual(
      warned
        ? [{ level: 40, file, mode: mode.toString(8), msg: `other users may access the tokens file: chmod o= ${file}` }]
        : [],
    );
  });
});

describe('a tokens file that changes', () => {
  const READ = { level: 30, tokens: 1, msg: 'read the tokens file again' };

  /** Removes the file, and makes it anew. */
  const remake = (make: () => void): void => {
    unlinkSync(file);
    make();
  };
  const another = (text: string): string => {
    write(text, `${file}.other`);
    return `${file}.other`;
  };

  it.each<[how: string, change: (text: string) => void]>([
    ['is written', (text) => write(text)],
    ['is replaced', (text) => renameSync(another(text), file)],
    ['becomes a link to another', (text) => remake(() => symlinkSync(another(text), file))],
    ['is removed and made again', (text) => remake(() => write(text))],
  ])('is read again when it %s', async (_how, change) => {
    const { tokens, look } = openWithLooks(alice.line);
    expect(accepted(tokens)).toEqual(['alice']);
    change(bob.line);
    await look(2);
    expect(accepted(tokens)).toEqual(['bob']);
    expect(logged).toEqual([{ ...READ, file }]);
  });

  it('is read again on SIGHUP, once however many come', async () => {
    const tokens = open(alice.line);
    for (let times = 0; times < 100; times++) process.emit('SIGHUP');
    await eventually(() => expect(logged).toEqual([{ ...READ, file }]));
    write(bob.line);
    for (let times = 0; times < 100; times++) process.emit('SIGHUP');
    await eventually(() => expect(accepted(tokens)).toEqual(['bob']));
    expect(logged).toEqual(Array(2).fill({ ...READ, file }));
  });

  it('is not read while it is written: only when it has stayed the same from one look to the next', async () => {
    const { tokens, look } = openWithLooks(alice.line);
    write('');
    await look();
    write(bob.line.slice(0, 20));
    await look();
    write(bob.line);
    await look();
    expect(accepted(tokens)).toEqual(['alice']);
    expect(logged).toEqual([]);
    await look();
    expect(accepted(tokens)).toEqual(['bob']);
    expect(logged).toEqual([{ ...READ, file }]);
  });

  it.each<[what: string, spoil: () => void, problem: () => string]>([
    ['has a bad line', () => write('bob secret'), () => `${file}:1 expected NAME SHA256-HEX-OF-TOKEN`],
    ['is gone', () => unlinkSync(file), () => 'ENOENT'],
    ['has become a pipe', () => remake(() => execFileSync('mkfifo', [file])), () => 'which is not a regular file'],
  ])('and %s keeps the tokens from before, and is logged', async (_what, spoil, problem) => {
    const { tokens, look } = openWithLooks(alice.line);
    spoil();
    await look(2);
    expect(logged).toEqual([
      {
        level: 50,
        file,
        problem: expect.stringContaining(problem()) as unknown,
        msg: 'cannot use the tokens file: the tokens from before stay accepted',
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain('secret');
    expect(accepted(tokens)).toEqual(['alice']);
    rmSync(file, { force: true });
    write(bob.line);
    await look(2);
    expect(accepted(tokens)).toEqual(['bob']);
  });

  it('is read again until it can be: a token stays revoked that was removed while no file could be opened', async () => {
    const { tokens, look } = openWithLooks(alice.line);
    write(bob.line);
    jest.spyOn(fs, 'openSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    });
    await look(2);
    expect(accepted(tokens)).toEqual(['alice']);
    await look();
    expect(accepted(tokens)).toEqual(['bob']);
  });

  it('and has no token left accepts nobody: the last token can be revoked', async () => {
    const { tokens, look } = openWithLooks(alice.line);
    write('# nobody\n');
    await look(2);
    expect(accepted(tokens)).toEqual([]);
    expect(logged).toContainEqual({ level: 40, file, msg: 'the tokens file accepts no token: every token is refused' });
  });

  it('is not read any more once it is closed', async () => {
    const { tokens, look } = openWithLooks(alice.line);
    tokens.close();
    write(bob.line);
    process.emit('SIGHUP');
    await look(2);
    expect(accepted(tokens)).toEqual(['alice']);
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });

  it('revokes a token that was accepted a moment ago', async () => {
    const tokens = open(`${alice.line}\n${bob.line}`);
    const service = await startService({ tokens });
    const create = async ({ token }: { token: string }): Promise<number> =>
      (await ask(service.port, plantRequest({ token }, { body: '{"id":1,"name":"Ficus"}' }))).status;
    expect([await create(alice), await create(bob)]).toEqual([200, 200]);
    write(bob.line);
    await eventually(async () => expect(await create(alice)).toBe(401));
    expect(await create(bob)).toBe(200);
  });
});

describe('the credentials that are accepted', () => {
  const jwt = { issuer: 'https://issuer.example', audience: 'plants', jwksUrl: 'http://127.0.0.1:1/keys' };

  it('are one token for this run where nothing is configured', async () => {
    const { verifier, oneOff = '' } = await openCredentials({ tokensFile: undefined, jwt: undefined }, log);
    expect(await verifier.verify(oneOff)).toEqual({ name: 'one-off', scopes: 'every' });
    expect(await verifier.verify(alice.token)).toBeNull();
  });

  it.each<[of: string, tokensFile: boolean, options: typeof jwt | undefined]>([
    ['of a file', true, undefined],
    ['of a file, or of an issuer', true, jwt],
    ['of an issuer alone, where somebody listens for SIGHUP as well', false, jwt],
  ])('are those %s', async (_of, hasFile, options) => {
    write(alice.line);
    const credentials = await openCredentials({ tokensFile: hasFile ? file : undefined, jwt: options }, log);
    expect(credentials.oneOff).toBeUndefined();
    expect(await credentials.verifier.verify(alice.token)).toEqual(hasFile ? { name: 'alice' } : null);
    expect(await credentials.verifier.verify('another')).toBeNull();
    expect(process.emit('SIGHUP')).toBe(true); // which would end the process otherwise
    credentials.close();
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });
});

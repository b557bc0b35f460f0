import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { bearer } from '../../../src/engine/auth/bearer';
import { makeToken } from '../../../src/engine/auth/tokens';
import { openTokensFile, type TokensFile } from '../../../src/engine/auth/tokens-file';
import { eventually } from '../../support/eventually';
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
  folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  file = join(folder, 'tokens');
  opened = undefined;
  logged = [];
});
afterEach(() => {
  opened?.close();
  rmSync(folder, { recursive: true });
});

function write(text: string, path = file): void {
  writeFileSync(path, text, { mode: 0o600 });
}

function open(text: string): TokensFile {
  write(text);
  return (opened = openTokensFile(file, log));
}

/** Who of the two is accepted. */
async function accepted(tokens: TokensFile): Promise<string[]> {
  const principals = await Promise.all([alice, bob].map(async ({ token }) => tokens.verify(token)));
  return principals.flatMap((principal) => principal?.name ?? []);
}

describe('a tokens file at the start', () => {
  it('is refused where it is not there, and watched no longer', () => {
    expect(() => openTokensFile(file, log)).toThrow(
      /^AUTH_TOKENS_FILE: expected a file that can be read, got .*ENOENT.*tokens'$/,
    );
    expect(process.listenerCount('SIGHUP')).toBe(0);
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

  it.each<[how: string, change: (text: string) => void]>([
    ['is written', (text) => write(text)],
    [
      'is replaced',
      (text) => {
        write(text, `${file}.new`);
        renameSync(`${file}.new`, file);
      },
    ],
    [
      'becomes a link to another',
      (text) => {
        write(text, `${file}.other`);
        unlinkSync(file);
        symlinkSync(`${file}.other`, file);
      },
    ],
    [
      'is removed and made again',
      (text) => {
        unlinkSync(file);
        write(text);
      },
    ],
  ])('is read again when it %s', async (_how, change) => {
    const tokens = open(alice.line);
    expect(await accepted(tokens)).toEqual(['alice']);
    change(bob.line);
    await eventually(async () => expect(await accepted(tokens)).toEqual(['bob']));
    expect(logged).toContainEqual({ ...READ, file });
  });

  it('is read again on SIGHUP, at once', async () => {
    const tokens = open(alice.line);
    write(bob.line);
    process.emit('SIGHUP');
    expect(await accepted(tokens)).toEqual(['bob']);
    expect(logged).toEqual([{ ...READ, file }]);
  });

  it.each<[what: string, spoil: () => void, problem: () => string]>([
    ['has a bad line', () => write('bob secret'), () => `${file}:1 expected NAME SHA256-HEX-OF-TOKEN`],
    ['is gone', () => unlinkSync(file), () => 'ENOENT'],
  ])('and %s keeps the tokens from before, and is logged', async (_what, spoil, problem) => {
    const tokens = open(alice.line);
    spoil();
    process.emit('SIGHUP');
    expect(logged).toEqual([
      {
        level: 50,
        file,
        problem: expect.stringContaining(problem()) as unknown,
        msg: 'cannot use the tokens file: the tokens from before stay accepted',
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain('secret');
    expect(await accepted(tokens)).toEqual(['alice']);
    write(bob.line);
    process.emit('SIGHUP');
    expect(await accepted(tokens)).toEqual(['bob']);
  });

  it('and has no token left accepts nobody: the last token can be revoked', async () => {
    const tokens = open(alice.line);
    write('# nobody\n');
    process.emit('SIGHUP');
    expect(await accepted(tokens)).toEqual([]);
    expect(logged).toContainEqual({ level: 40, file, msg: 'the tokens file accepts no token: every token is refused' });
  });

  it('is not read any more once it is closed', async () => {
    const tokens = open(alice.line);
    tokens.close();
    write(bob.line);
    process.emit('SIGHUP');
    expect(await accepted(tokens)).toEqual(['alice']);
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });

  it('revokes a token that was accepted a moment ago', async () => {
    const tokens = open(`${alice.line}\n${bob.line}`);
    const service = await startService({ verifiers: { bearerAuth: bearer(tokens, { cacheMs: 3_600_000 }) } });
    const create = async ({ token }: { token: string }): Promise<number> =>
      (await ask(service.port, plantRequest({ token }, { body: '{"id":1,"name":"Ficus"}' }))).status;
    try {
      expect([await create(alice), await create(bob)]).toEqual([200, 200]);
      write(bob.line);
      process.emit('SIGHUP');
      expect([await create(alice), await create(bob)]).toEqual([401, 200]);
    } finally {
      await service.close();
    }
  });
});

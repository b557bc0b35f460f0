import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokens } from '../../src/engine/auth/tokens';
import { runTool } from '../../scripts/run-command';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  file = join(folder, 'tokens');
});
afterEach(() => rmSync(folder, { recursive: true }));

const token = (...args: string[]) => runTool(['tsx', 'scripts/token.ts', ...args]);
const tokenIn = (output: string): string => /^[\w-]{43}$/m.exec(output)?.[0] ?? '';

describe('npm run token', () => {
  it('adds tokens to a file that it makes, lists them and revokes one', async () => {
    const alice = await token('alice', '--add', file, '--expires', '2999-12-31');
    const bob = await token('bob', '--add', file);
    expect([alice.ok, bob.ok]).toEqual([true, true]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const both = tokens(readFileSync(file, 'utf8'), file);
    expect(await both.verify(tokenIn(alice.output))).toEqual({ name: 'alice' });
    expect(await both.verify(tokenIn(bob.output))).toEqual({ name: 'bob' });

    const { ok, output } = await token('--list', file);
    const [ofAlice = '', ofBob = ''] = readFileSync(file, 'utf8').match(/(?<= )[0-9a-f]{8}/g) ?? [];
    expect({ ok, output }).toEqual({
      ok: true,
      output: `alice  expires 3000-01-01T00:00:00.000Z  ${ofAlice}\nbob    does not expire                   ${ofBob}`,
    });

    expect(await token('bob', '--revoke', file)).toMatchObject({
      ok: true,
      output: `revoked 1 token(s) of bob in ${file}`,
    });
    const rest = tokens(readFileSync(file, 'utf8'), file);
    expect(await rest.verify(tokenIn(alice.output))).toEqual({ name: 'alice' });
    expect(await rest.verify(tokenIn(bob.output))).toBeNull();
  });

  it('makes a token with scopes, and lists them', async () => {
    const alice = await token('alice', '--add', file, '--scopes', 'plants:read,plants:write');
    const scopes = ['plants:read', 'plants:write'];
    expect(await tokens(readFileSync(file, 'utf8'), file).verify(tokenIn(alice.output))).toEqual({
      name: 'alice',
      scopes,
    });
    expect((await token('--list', file)).output).toMatch(
      /^alice {2}does not expire {2}[0-9a-f]{8} {2}scopes plants:read,plants:write$/,
    );
  });

  it('leaves other lines, comments and the mode of a file as they are', async () => {
    const before = `# tokens of May\nalice ${'a'.repeat(64)} # until June`;
    writeFileSync(file, before);
    chmodSync(file, 0o640);
    const { output } = await token('bob', '--add', file);
    expect(readFileSync(file, 'utf8')).toBe(`${before}\n${output.split('\n').at(-1) ?? ''}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it.each<[args: (path: string) => string[], says: string]>([
    [() => [], 'expected a NAME of letters, digits and . _ @ -, got nothing'],
    [() => ['a b'], 'expected a NAME of letters, digits and . _ @ -, got "a b"'],
    [() => ['alice', 'bob'], 'expected one NAME, got alice bob'],
    [() => ['alice', '--nonsense'], "Unknown option '--nonsense'"],
    [(path) => ['alice', '--add', path, '--revoke', path], 'expected one of --add, --revoke and --list'],
    [() => ['alice', '--expires', '2020-01-01'], 'expected --expires to name a date'],
    [() => ['alice', '--scopes', 'a b'], 'expected --scopes to be names with commas in between, or *, got "a b"'],
    [(path) => ['alice', '--scopes', 'a', '--revoke', path], 'expected --scopes only where a token is made'],
    [(path) => ['alice', '--revoke', path], 'expected a tokens file that can be read, got ENOENT'],
  ])('refuses %s', async (args, says) => {
    const { ok, output } = await token(...args(file));
    expect(ok).toBe(false);
    expect(output).toMatch(new RegExp(`^${says.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`));
    expect(output).not.toMatch(/^ +at /m);
    expect(existsSync(file)).toBe(false);
  });

  it('refuses to edit a file with a bad line, one that somebody else edits, and to revoke what is not there', async () => {
    writeFileSync(file, 'alice');
    expect(await token('bob', '--add', file)).toMatchObject({ ok: false });
    expect(readFileSync(file, 'utf8')).toBe('alice');
    writeFileSync(file, '');
    expect((await token('bob', '--revoke', file)).output).toBe(
      `${file} has no token of bob (npm run token -- --list ${file} lists them)`,
    );
    writeFileSync(`${file}.new`, '');
    expect((await token('bob', '--add', file)).output).toBe(
      `${file} cannot be edited: somebody else edits it; if nobody does, remove ${file}.new`,
    );
  });
});

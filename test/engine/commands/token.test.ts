import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokens } from '../../../src/engine/auth/tokens';
import { run } from '../../../src/engine/commands/token';
import { newFolder } from '../../support/folders';

let file: string;
beforeEach(() => {
  file = join(newFolder(), 'tokens');
});

function token(...args: string[]): { ok: boolean; output: string } {
  let output = '';
  const print = jest.spyOn(console, 'log').mockImplementation((text: string) => (output += text));
  try {
    expect(run(args)).toBe(0);
    return { ok: true, output };
  } catch (error) {
    return { ok: false, output: (error as Error).message };
  } finally {
    print.mockRestore();
  }
}
const tokenIn = (output: string): string => /^[\w-]{43}$/m.exec(output)?.[0] ?? '';

describe('the command token', () => {
  it('adds tokens to a file that it makes, lists them and revokes one', () => {
    const alice = token('alice', '--add', file, '--expires', '2999-12-31');
    const bob = token('bob', '--add', file);
    expect([alice.ok, bob.ok]).toEqual([true, true]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const both = tokens(readFileSync(file, 'utf8'), file);
    expect(both.verify(tokenIn(alice.output))).toEqual({ name: 'alice' });
    expect(both.verify(tokenIn(bob.output))).toEqual({ name: 'bob' });

    const { ok, output } = token('--list', file);
    const [ofAlice = '', ofBob = ''] = readFileSync(file, 'utf8').match(/(?<= )[0-9a-f]{8}/g) ?? [];
    expect({ ok, output }).toEqual({
      ok: true,
      output: `alice\t${ofAlice}\texpires 3000-01-01T00:00:00.000Z\nbob\t${ofBob}\texpires never`,
    });

    expect(token('bob', '--revoke', file)).toMatchObject({
      ok: true,
      output: `revoked 1 token(s) of bob in ${file}`,
    });
    const rest = tokens(readFileSync(file, 'utf8'), file);
    expect(rest.verify(tokenIn(alice.output))).toEqual({ name: 'alice' });
    expect(rest.verify(tokenIn(bob.output))).toBeNull();
  });

  it('says of a token when it expires, or that it never does', () => {
    expect(token('alice').output).toMatch(/^The token, which is shown only now and never expires:\n/);
    expect(token('alice', '--expires', '2999-12-31').output).toMatch(/ shown only now and expires 2999-12-31:\n/);
  });

  it('makes a token with scopes, and lists them', () => {
    const { output } = token('alice', '--add', file, '--scopes', 'plants:read,plants:write');
    const principal = { name: 'alice', scopes: ['plants:read', 'plants:write'] };
    expect(tokens(readFileSync(file, 'utf8'), file).verify(tokenIn(output))).toEqual(principal);
    expect(token('--list', file).output).toMatch(
      /^alice\t[0-9a-f]{8}\texpires never\tscopes plants:read,plants:write$/,
    );
  });

  it('revokes one of two tokens of a name by the beginning of its digest', () => {
    const [abc, abd, def] = ['abc', 'abd', 'def'].map((start) => start.padEnd(64, '0'));
    writeFileSync(file, `alice ${abc} # May\r\n# alice ${abd}\r\nalice ${abd}\r\nbob ${def}\r\n`);
    for (const args of [
      ['--digest', 'ab'],
      ['--digest', 'e'],
      ['alice', '--digest', 'def'],
    ])
      expect(token('--revoke', file, ...args)).toMatchObject({ ok: false });
    expect(token('--revoke', file, '--digest', 'ab').output).toBe(
      `${file} has 2 tokens with a digest ab... (token --list ${file} lists them)`,
    );
    expect(token('--revoke', file, '--digest', 'ABC').output).toBe(`revoked 1 token(s) of alice in ${file}`);
    expect(readFileSync(file, 'utf8')).toBe(`# alice ${abd}\r\nalice ${abd}\r\nbob ${def}\r\n`);
  });

  it('leaves other lines, comments and the mode of a file as they are', () => {
    const before = `# tokens of May\nalice ${'a'.repeat(64)} # until June`;
    writeFileSync(file, before);
    chmodSync(file, 0o640);
    const { output } = token('bob', '--add', file);
    expect(readFileSync(file, 'utf8')).toBe(`${before}\n${output.split('\n').at(-1) ?? ''}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it.each<[args: (path: string) => string[], says: string]>([
    [() => [], 'expected a NAME of letters, digits and . _ @ -, got nothing'],
    [() => ['a b'], 'expected a NAME of letters, digits and . _ @ -, got "a b"'],
    [() => ['alice', 'bob'], 'expected one NAME, got "alice bob"'],
    [() => ['alice', '--nonsense'], "Unknown option '--nonsense'"],
    [(path) => ['alice', '--add', path, '--revoke', path], 'expected one of --add, --revoke and --list'],
    [() => ['alice', '--expires', '2020-01-01'], 'expected --expires to name a date'],
    [() => ['alice', '--scopes', 'a b'], 'expected --scopes to be names with commas in between, or *, got "a b"'],
    [(path) => ['alice', '--scopes', 'a', '--revoke', path], 'expected --expires and --scopes only if a token is made'],
    [() => ['alice', '--digest', 'abc'], 'expected --digest with --revoke, and the beginning of a digest'],
    [(path) => ['alice', '--revoke', path], 'expected a tokens file that can be read, got '],
  ])('refuses %s', (args, says) => {
    const { ok, output } = token(...args(file));
    expect(ok).toBe(false);
    expect(output).toMatch(new RegExp(`^${says.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`));
    expect(existsSync(file)).toBe(false);
  });

  it('refuses to edit a file with a bad line, one that somebody else edits, and to revoke what is not there', () => {
    writeFileSync(file, 'alice');
    expect(token('bob', '--add', file)).toMatchObject({ ok: false });
    expect(readFileSync(file, 'utf8')).toBe('alice');
    writeFileSync(file, '');
    expect(token('bob', '--revoke', file).output).toBe(`${file} has no token of bob (token --list ${file} lists them)`);
    writeFileSync(`${file}.new`, '');
    expect(token('bob', '--add', file).output).toBe(
      `${file} cannot be edited: somebody else edits it; if nobody does, remove ${file}.new`,
    );
  });
});

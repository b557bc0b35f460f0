/** Tokens and the text of their file: as it is read, and as the command `token` makes and edits it. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken, parseTokens, tokens } from '../../../src/engine/auth/tokens';
import { run } from '../../../src/engine/commands/token';
import { temporaryFolder } from '../../support/temporary-folder';

const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
const LINE = 'expected NAME SHA256-HEX-OF-TOKEN (the command token NAME prints such a line)';
const ANOTHER = 'expected another token than that of line 1';
const SCOPES = 'expected scopes= and names with commas in between, or *';
const END =
  'expected the token to expire at a date such as 2027-12-31 (to its end, UTC) or a time such as 2027-12-31T18:00:00Z';
/** What text is refused, and with which message behind the name of the file. */
type Refused = [what: string, text: string, message: string];
const NOBODY = ' accepts no token (the command token NAME makes one)';

describe('the text of a tokens file', () => {
  it.each([
    ['a line', `alice ${sha256('a')}`],
    ['a line in capitals', `alice ${sha256('a').toUpperCase()}`],
    ['more space', `  alice \t ${sha256('a')}  `],
    ['lines of Windows', `# tokens\r\nalice ${sha256('a')}\r\n`],
    ['a carriage return and U+2028 in a comment', `# until\rbob ${sha256('A')}\u2028bob\nalice ${sha256('a')}`],
    ['comments and empty lines', `# tokens\n\n alice ${sha256('a')} # until May\n#bob ${sha256('b')}\n`],
    ['several lines', `bob ${sha256('b')}\nalice ${sha256('a')}\ncarol ${sha256('c')}`],
  ])('is read with %s', (_what, text) => {
    expect(tokens(text, 'tokens.txt').verify('a')).toEqual({ name: 'alice' });
    expect(tokens(text, 'tokens.txt').verify('A')).toBeNull();
    expect(tokens(text, 'tokens.txt').verify(sha256('a'))).toBeNull();
  });

  it('says whose each token is, and a name may have several', () => {
    const accepted = tokens(`alice ${sha256('a')}\nbob ${sha256('b')}\nalice ${sha256('c')}`, 'tokens.txt');
    const names = [{ name: 'alice' }, { name: 'bob' }, { name: 'alice' }, null];
    expect(['a', 'b', 'c', 'd'].map((token) => accepted.verify(token))).toEqual(names);
  });

  it('is looked up in by its digest, so that a wrong token costs no more with many lines', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `user${index} ${sha256(String(index))}`);
    const costOf = (count: number): number => {
      const accepted = tokens(lines.slice(0, count).join('\n'), 'tokens.txt');
      const start = process.cpuUsage();
      for (let times = 0; times < 2_000; times++) accepted.verify('wrong');
      return process.cpuUsage(start).user;
    };
    costOf(1);
    // Comparing with each takes thousands of times as long.
    expect(costOf(20_000)).toBeLessThan(100 * Math.max(costOf(1), 1_000));
  });

  it.each<Refused>([
    ['no digest', 'alice', `:1 ${LINE}`],
    ['no name', sha256('a'), `:1 ${LINE}`],
    ['a token', 'alice secret', `:1 ${LINE}`],
    ['a digest that is cut', `alice ${sha256('a').slice(1)}`, `:1 ${LINE}`],
    ['a digest that is no hexadecimal number', `alice ${sha256('a').slice(1)}g`, `:1 ${LINE}`],
    ['something behind', `alice ${sha256('a')} 2027-12-31 bob`, `:1 ${LINE}`],
    ['a name of two words', `alice b ${sha256('a')}`, `:1 ${LINE}`],
    ['a name with a colon', `alice: ${sha256('a')}`, `:1 ${LINE}`],
    ['two of them behind a carriage return', `alice ${sha256('a')}\rbob ${sha256('b')}`, `:1 ${LINE}`],
    ['a digest behind a line separator', `alice\u2028${sha256('a')}`, `:1 ${LINE}`],
    ['a comment within', `ali#ce ${sha256('a')}`, `:1 ${LINE}`],
    ['several bad lines', 'bob secret\n\n# fine\ncarol', `:1 ${LINE}\ntokens.txt:4 ${LINE}`],
    [
      'very many bad lines',
      'bob\n'.repeat(21),
      `${Array.from({ length: 20 }, (_, index) => `${index ? 'tokens.txt' : ''}:${index + 1} ${LINE}`).join('\n')}\nand perhaps others`,
    ],
    // Whose it is, and how long, would be a matter of order.
    ['a token twice', `a ${sha256('a')}\n#\nb ${sha256('a').toUpperCase()}`, ':3 ' + ANOTHER],
    ...['', '\n \n', '# alice'].map((text): Refused => [`nobody in ${JSON.stringify(text)}`, text, NOBODY]),
    ...['a,', ',', 'a,,b', '"a"'].map((of): Refused => [
      `scopes=${of}`,
      `alice ${sha256('a')} scopes=${of}`,
      `:1 ${SCOPES}`,
    ]),
    ...['2027-02-30', '2027-13-01', '2027-1-1', 'tomorrow', '2027-12-31T18:00', '2027-12-31T25:00:00Z', '0'].map(
      (end): Refused => [`the end ${end}`, `alice ${sha256('a')} ${end}`, `:1 ${END}`],
    ),
  ])('is refused with %s, with the number of the line and none of its text', (_what, text, message) => {
    expect(() => tokens(text, 'tokens.txt')).toThrow(new Error(`tokens.txt${message}`));
  });

  it('accepts a token up to its end, and says whose it was', () => {
    const text = `past ${sha256('p')} 2020-01-01\nfuture ${sha256('f')} 2999-12-31\nlater ${sha256('l')} 2999-12-31T18:00:00Z`;
    const accepted = tokens(text, 'tokens.txt');
    expect(accepted.verify('p')).toEqual({ refused: 'token of past, expired 2020-01-02T00:00:00.000Z', expired: true });
    expect(accepted.verify('f')).toEqual({ name: 'future' });
    expect(accepted.verify('l')).toEqual({ name: 'later' });
  });

  it('accepts a token no more once it has ended, however often it was accepted before', () => {
    const accepted = tokens(`alice ${sha256('a')} 2027-12-31T18:00:00Z`, 'tokens.txt');
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-12-31T17:59:59Z'));
    for (const _time of ['first', 'second']) expect(accepted.verify('a')).toEqual({ name: 'alice' });
    now.mockReturnValue(Date.parse('2027-12-31T18:00:00Z'));
    expect(accepted.verify('a')).toEqual({
      refused: 'token of alice, expired 2027-12-31T18:00:00.000Z',
      expired: true,
    });
    now.mockRestore();
  });

  it('remembers the texts of a thousand tokens at most', () => {
    const lines = Array.from({ length: 1_100 }, (_, index) => `t${index} ${sha256(String(index))}`);
    const accepted = tokens(lines.join('\n'), 'tokens.txt');
    const remembered = jest.spyOn(Map.prototype, 'set');
    for (let index = 0; index < lines.length; index++) accepted.verify(String(index));
    expect(remembered).toHaveBeenCalledTimes(1_000);
    remembered.mockRestore();
    expect(accepted.verify('1099')).toEqual({ name: 't1099' });
  });

  it('is read with the end of each token, for a date the end of that day in UTC', () => {
    const text = `a ${sha256('a')} 2027-12-31\nb ${sha256('b')} 2027-12-31T18:00:00Z # soon\nc ${sha256('c')}`;
    expect(parseTokens(text, 'tokens.txt').map(({ name, expires }) => [name, expires])).toEqual([
      ['a', Date.UTC(2028, 0, 1)],
      ['b', Date.UTC(2027, 11, 31, 18)],
      ['c', Infinity],
    ]);
  });

  it.each<[what: string, end: string, scopes: readonly string[] | 'every' | undefined]>([
    ['one', 'scopes=read', ['read']],
    ['several', '2999-12-31 scopes=plants:read,plants:write', ['plants:read', 'plants:write']],
    ['one among which a star is only a name', 'scopes=*,read', ['*', 'read']],
    ['all of them', 'scopes=* # the owner', 'every'],
  ])('is read with the scopes of each token: %s', (_what, end, scopes) => {
    const accepted = tokens(`alice ${sha256('a')} ${end}`, 'tokens.txt');
    expect(accepted.verify('a')).toEqual({ name: 'alice', scopes });
  });
});

it('a token is another each time, and its line accepts it and does not show it', () => {
  const { token, line } = makeToken('alice');
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(line).toBe(`alice ${sha256(token)}`);
  expect(makeToken('alice').token).not.toBe(token);
});

describe('the command token', () => {
  let file: string;
  beforeEach(() => {
    file = join(temporaryFolder(), 'tokens');
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
    const listed = `alice\t${ofAlice}\texpires 3000-01-01T00:00:00.000Z\nbob\t${ofBob}\texpires never`;
    expect({ ok, output }).toEqual({ ok: true, output: listed });

    expect(token('bob', '--revoke', file)).toMatchObject({ ok: true, output: `revoked 1 token(s) of bob in ${file}` });
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

  it('refuses to edit a file whose bytes it would not keep, and to put one in the place of a link that leads nowhere', () => {
    const latin1 = Buffer.from(`# für Ada\nalice ${'a'.repeat(64)}\n`, 'latin1');
    writeFileSync(file, latin1);
    expect(token('bob', '--add', file).output).toBe(
      'expected a tokens file that can be read, got bytes that are no UTF-8, which an edit would not keep',
    );
    expect(readFileSync(file).equals(latin1)).toBe(true);
    rmSync(file);
    symlinkSync(`${file}.gone`, file);
    expect(token('bob', '--add', file)).toMatchObject({ ok: false });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
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

it('makes tokens of 43 characters, of which none is an option of a command line', () => {
  for (let count = 0; count < 2_000; count++) expect(makeToken('ada').token).toMatch(/^[A-Za-z0-9_][\w-]{42}$/);
});

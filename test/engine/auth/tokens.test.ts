import { createHash } from 'node:crypto';
import { makeToken, parseExpiry, parseTokens, tokens } from '../../../src/engine/auth/tokens';

const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
const EXPECTED = 'expected NAME SHA256-HEX-OF-TOKEN (npm run token -- NAME prints such a line)';

describe('the text of a tokens file', () => {
  it.each([
    ['a line', `alice ${sha256('a')}`],
    ['a line in capitals', `alice ${sha256('a').toUpperCase()}`],
    ['more space', `  alice \t ${sha256('a')}  `],
    ['lines of Windows', `# tokens\r\nalice ${sha256('a')}\r\n`],
    ['comments and empty lines', `# tokens\n\n alice ${sha256('a')} # until May\n#bob ${sha256('b')}\n`],
    ['several lines', `bob ${sha256('b')}\nalice ${sha256('a')}\ncarol ${sha256('c')}`],
  ])('is read with %s', async (_what, text) => {
    expect(await tokens(text, 'tokens.txt').verify('a')).toEqual({ name: 'alice' });
    expect(await tokens(text, 'tokens.txt').verify('A')).toBeNull();
    expect(await tokens(text, 'tokens.txt').verify(sha256('a'))).toBeNull();
  });

  it('says whose each token is, and a name may have several', async () => {
    const accepted = tokens(`alice ${sha256('a')}\nbob ${sha256('b')}\nalice ${sha256('c')}`, 'tokens.txt');
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(async (token) => accepted.verify(token)))).toEqual([
      { name: 'alice' },
      { name: 'bob' },
      { name: 'alice' },
      null,
    ]);
  });

  it.each([
    ['no digest', 'alice'],
    ['no name', sha256('a')],
    ['a token', 'alice secret'],
    ['a digest that is cut', `alice ${sha256('a').slice(1)}`],
    ['a digest that is no hexadecimal number', `alice ${sha256('a').slice(1)}g`],
    ['something behind', `alice ${sha256('a')} 2027-12-31 bob`],
    ['a name of two words', `alice b ${sha256('a')}`],
    ['a name with a colon', `alice: ${sha256('a')}`],
    ['a comment within', `ali#ce ${sha256('a')}`],
  ])('is refused with %s', (_what, line) => {
    expect(() => tokens(line, 'tokens.txt')).toThrow(new Error(`tokens.txt:1 ${EXPECTED}`));
  });

  it('is refused with the number of every bad line, and none of their text', () => {
    const text = `bob secret\nalice ${sha256('a')}\n\n# fine\ncarol`;
    expect(() => tokens(text, 'tokens.txt')).toThrow(new Error(`tokens.txt:1 ${EXPECTED}\ntokens.txt:5 ${EXPECTED}`));
  });

  it.each(['', '\n \n', '# alice'])('is refused where it accepts nobody: %p', (text) => {
    expect(() => tokens(text, 'tokens.txt')).toThrow(
      new Error('tokens.txt accepts no token (npm run token -- NAME makes one)'),
    );
  });

  it('accepts a token up to its end', async () => {
    const text = `past ${sha256('p')} 2020-01-01\nfuture ${sha256('f')} 2999-12-31\nlater ${sha256('l')} 2999-12-31T18:00:00Z`;
    const accepted = tokens(text, 'tokens.txt');
    expect(await accepted.verify('p')).toBeNull();
    expect(await accepted.verify('f')).toEqual({ name: 'future' });
    expect(await accepted.verify('l')).toEqual({ name: 'later' });
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
  ])('is read with the scopes of each token: %s', async (_what, end, scopes) => {
    const accepted = tokens(`alice ${sha256('a')} ${end}`, 'tokens.txt');
    expect(await accepted.verify('a')).toEqual({ name: 'alice', scopes });
  });

  it.each(['scopes=a,', 'scopes=,', 'scopes=a,,b', 'scopes="a"'])('is refused with %p', (scopes) => {
    expect(() => tokens(`alice ${sha256('a')} ${scopes}`, 'tokens.txt')).toThrow(
      new Error('tokens.txt:1 expected scopes= and names with commas in between, or *'),
    );
  });

  it.each(['2027-02-30', '2027-13-01', '2027-1-1', 'tomorrow', '2027-12-31T18:00', '2027-12-31T25:00:00Z', '0'])(
    'is refused with the end %p',
    (end) => {
      expect(parseExpiry(end)).toBeUndefined();
      expect(() => tokens(`alice ${sha256('a')} ${end}`, 'tokens.txt')).toThrow(
        new Error(
          'tokens.txt:1 expected the token to expire at a date such as 2027-12-31 (to its end, UTC) or a time such as 2027-12-31T18:00:00Z',
        ),
      );
    },
  );
});

describe('makeToken', () => {
  it('makes a token that its line accepts, and that the line does not show', async () => {
    const { token, line } = makeToken('alice');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(line).toBe(`alice ${sha256(token)}`);
    expect(await tokens(line, 'the test').verify(token)).toEqual({ name: 'alice' });
  });

  it('makes a token with an end', () => {
    const { line } = makeToken('alice', '2999-12-31');
    expect(line).toMatch(/^alice [0-9a-f]{64} 2999-12-31$/);
  });

  it('makes another token each time', () => {
    expect(makeToken('alice').token).not.toBe(makeToken('alice').token);
  });
});

import { createHash } from 'node:crypto';
import { makeToken, parseExpiry, parseTokens, tokens } from '../../../src/engine/auth/tokens';

const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
const EXPECTED = 'expected NAME SHA256-HEX-OF-TOKEN (the command token NAME prints such a line)';

describe('the text of a tokens file', () => {
  it.each([
    ['a line', `alice ${sha256('a')}`],
    ['a line in capitals', `alice ${sha256('a').toUpperCase()}`],
    ['more space', `  alice \t ${sha256('a')}  `],
    ['lines of Windows', `# tokens\r\nalice ${sha256('a')}\r\n`],
    [
      'a carriage return and U+2028 in a comment',
      `# until May\rbob ${sha256('A')}\u2028bob ${sha256('A')}\nalice ${sha256('a')}`,
    ],
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

  it('is refused with one token twice: whose it is and how long would be a matter of order', () => {
    const text = `alice ${sha256('a')}\n# bob\nbob ${sha256('a').toUpperCase()} 2999-12-31`;
    expect(() => tokens(text, 'tokens.txt')).toThrow(
      new Error('tokens.txt:3 expected another token than that of line 1'),
    );
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

  it.each([
    ['no digest', 'alice'],
    ['no name', sha256('a')],
    ['a token', 'alice secret'],
    ['a digest that is cut', `alice ${sha256('a').slice(1)}`],
    ['a digest that is no hexadecimal number', `alice ${sha256('a').slice(1)}g`],
    ['something behind', `alice ${sha256('a')} 2027-12-31 bob`],
    ['a name of two words', `alice b ${sha256('a')}`],
    ['a name with a colon', `alice: ${sha256('a')}`],
    ['two of them behind a carriage return', `alice ${sha256('a')}\rbob ${sha256('b')}`],
    ['a digest behind a line separator', `alice\u2028${sha256('a')}`],
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
      new Error('tokens.txt accepts no token (the command token NAME makes one)'),
    );
  });

  it('accepts a token up to its end, and says whose it was', () => {
    const text = `past ${sha256('p')} 2020-01-01\nfuture ${sha256('f')} 2999-12-31\nlater ${sha256('l')} 2999-12-31T18:00:00Z`;
    const accepted = tokens(text, 'tokens.txt');
    expect(accepted.verify('p')).toEqual({ refused: 'token of past, expired 2020-01-02T00:00:00.000Z', expired: true });
    expect(accepted.verify('f')).toEqual({ name: 'future' });
    expect(accepted.verify('l')).toEqual({ name: 'later' });
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
  it('makes a token that its line accepts, and that the line does not show', () => {
    const { token, line } = makeToken('alice');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(line).toBe(`alice ${sha256(token)}`);
    expect(tokens(line, 'the test').verify(token)).toEqual({ name: 'alice' });
  });

  it('makes a token with an end', () => {
    const { line } = makeToken('alice', '2999-12-31');
    expect(line).toMatch(/^alice [0-9a-f]{64} 2999-12-31$/);
  });

  it('makes another token each time', () => {
    expect(makeToken('alice').token).not.toBe(makeToken('alice').token);
  });
});

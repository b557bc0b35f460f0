import { DEPTH_MAX } from '../../../src/engine/json/json';
import { expectError } from '../../support/errors';
import { ask, plantRequest } from '../../support/raw';
import { startService, type TestService } from '../../support/service';
import { table } from '../../support/table';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});

let id = 0;

describe('POST /plants', () => {
  it.each([
    ['an emoji', '🌵'],
    ['an emoji of several code points', '👩🏽‍🌾'],
    ['combining marks, as they were composed', 'e\u0301 é'],
    ['right-to-left text and its marks', '\u202Bצבר\u202C'],
    ['the last code point', '\u{10FFFF}'],
    ['code points that are no characters', '\uFFFE\uFFFF\u{1FFFF}'],
    ['a replacement character', '\uFFFD'],
    ['a byte order mark', '\uFEFFFicus'],
    ['control characters', '\u0001\b\t\n\r\u001F\u007F\u0085'],
    ['line and paragraph separators', '\u2028\u2029'],
    ['quotes and backslashes', '"\'`\\'],
    ['what SQL has a meaning for', "'; DROP TABLE plants; --"],
    ['what a shell or HTML has a meaning for', '$(x) <script>&amp;%00%s'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['hasOwnProperty', 'hasOwnProperty'],
    ['nothing', ''],
    ['spaces around', '  Ficus  '],
  ])('keeps %s in a name and a tag', async (_what, text) => {
    const plant = { id: ++id, name: text, tag: text };
    const answer = await ask(service.port, plantRequest(service, { body: JSON.stringify(plant) }));
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify({ name: text, tag: text }) });
    expect(service.rows()).toContainEqual({ id: BigInt(id), name: text, tag: text });
  });

  it('reads every escape of JSON', async () => {
    const body = `{"\\u0069d":${++id},"n\\u0061me":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83c\\udf35"}`;
    const answer = await ask(service.port, plantRequest(service, { body }));
    expect(answer).toMatchObject({ status: 200, body: '{"name":"\\"\\\\/\\b\\f\\n\\r\\té🌵"}' });
    expect(service.rows()).toContainEqual({ id: BigInt(id), name: '"\\/\b\f\n\r\té🌵', tag: null });
  });

  it('keeps a name that fills the largest body', async () => {
    const [before, after] = [`{"id":${++id},"name":"`, '"}'];
    const name = 'x'.repeat(102_400 - before.length - after.length);
    const answer = await ask(service.port, plantRequest(service, { body: before + name + after }));
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify({ name }) });
    expect(service.rows()).toContainEqual({ id: BigInt(id), name, tag: null });
  });

  it.each([
    ['an ASCII byte above 0x7F', [0x80]],
    ['a lone continuation byte', [0xbf]],
    ['a sequence that is cut', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong U+0000', [0xc0, 0x80]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0xbc]],
    ['a pair of surrogates in UTF-8 (CESU-8)', [0xed, 0xa0, 0xbc, 0xed, 0xbc, 0xb5]],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['the byte order mark of UTF-16', [0xff, 0xfe]],
  ])('refuses %s in a name, and stores nothing', async (_what, bytes) => {
    const body = Buffer.concat([Buffer.from('{"id":0,"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
    await refuses(body, 40001, 'expected UTF-8, got bytes of another encoding, such as Latin-1');
  });

  it.each(table`
    UTF-16 | ${Buffer.from('{"id":0,"name":"Ficus"}', 'utf16le').toString()}
      | expected a key at line 1, column 2: got UTF-16: expected UTF-8
    a byte order mark | ${'\uFEFF{"id":0,"name":"Ficus"}'} | expected a value at line 1, column 1: got a byte order mark
    bytes behind | {"id":0,"name":"Ficus"}} | expected the end of the text at line 1, column 24
    a lone surrogate in the name | {"id":0,"name":"\ud83c"} | expected no lone surrogate at line 1, column 16
    a lone surrogate where the contract names nothing | {"x":"\udf35"} | expected no lone surrogate at line 1, column 6
    a duplicate key, escaped | {"id":0,"name":"Ficus","\u0069d":0} | expected no duplicate key at line 1, column 24
    too many levels | ${nested(DEPTH_MAX + 1)} | expected at most ${DEPTH_MAX} levels of nesting at line 1, column 69
  `)('refuses %s, and stores nothing', async (_what, body, expected) => {
    await refuses(body, 40001, `expected JSON: ${expected}`);
  });

  /** A plant with a property that nests until the whole has so many levels. */
  function nested(levels: number): string {
    return `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},"id":0,"name":"Ficus"}`;
  }

  it('takes as many levels as it promises', async () => {
    const body = nested(DEPTH_MAX).replace('"id":0', `"id":${++id}`);
    const answer = await ask(service.port, plantRequest(service, { body }));
    expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(service.rows()).toContainEqual({ id: BigInt(id), name: 'Ficus', tag: null });
  });

  it.each(table`
    U+0000 in a name | {"id":0,"name":"Fi\u0000cus"} | /body/name: expected text that matches ^[^\u0000]*$, got "Fi?cus"
    U+0000 in a tag | {"id":0,"name":"Ficus","tag":"\u0000"}
      | /body/tag: expected text that matches ^[^\u0000]*$, got "?"
    a name behind __proto__ | {"id":0,"__proto__":{"name":"Ficus"}} | /body/name: expected a value, got nothing
    a name behind constructor | {"id":0,"constructor":{"prototype":{"name":"Ficus"}}}
      | /body/name: expected a value, got nothing
    a plant behind __proto__ | {"__proto__":{"id":0,"name":"Ficus"}}
      | /body/name: expected a value, got nothing; /body/id: expected a value, got nothing
  `)('refuses %s, and stores nothing', async (_what, body, message) => {
    await refuses(body, 40002, message);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', 'length'])(
    'takes %s for a property like any other, and inherits nothing',
    async (key) => {
      const body = `{${JSON.stringify(key)}:{"name":"Hedera","tag":"x"},"id":${++id},"name":"Ficus"}`;
      const answer = await ask(service.port, plantRequest(service, { body }));
      expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
      expect(service.rows()).toContainEqual({ id: BigInt(id), name: 'Ficus', tag: null });
      expect(Object.prototype).not.toHaveProperty('name');
    },
  );

  async function refuses(body: string | Buffer, error: number, message: string): Promise<void> {
    const rows = service.rows();
    const answer = await ask(service.port, plantRequest(service, { body }));
    expectError(answer, error, message);
    expect(service.rows()).toEqual(rows);
  }
});

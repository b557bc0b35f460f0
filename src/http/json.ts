/**
 * JSON without loss (RFC 8259, read strictly): what `JSON.parse` rounds, drops or lets pass is kept or refused here.
 *
 * - A number whose double may not be the number that was written keeps its source text beside the double.
 * - Duplicate keys, lone surrogates and nesting deeper than `DEPTH_MAX` are refused.
 * - Objects have no prototype, so that `__proto__` is a key like any other and nothing is ever inherited.
 */

/** How deep arrays and objects may nest. */
export const DEPTH_MAX = 64;

/** The source texts of numbers, by the array or object that holds them, then by index or key. */
export type NumberSources = Map<object, Map<string | number, string>>;

/** What a text says. */
export type Json = {
  value: unknown;
  /** Present where a number was not a plain integer of at most 15 digits; a number at the top is held by this object. */
  sources?: NumberSources;
};

/** Thrown for a text that is no JSON; `message` is ours, and `at` is the offset in UTF-16 units. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(
    expected: string,
    readonly at: number,
  ) {
    super(`expected ${expected} at offset ${at}`);
  }
}

/** Reads the JSON text; throws a JsonSyntaxError for anything else. */
export function parseJson(text: string): Json {
  return new Parser(text).parse();
}

/** Writes a value as JSON; a `bigint` as the integer it is. What JSON cannot say is written as `JSON.stringify` does. */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === undefined) return 'null';
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`;
  let members = '';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${stringifyJson(member)}`;
  }
  return `{${members}}`;
}

/** An object without a prototype that V8 still lays out as an object, not as the dictionary of `Object.create(null)`. */
class JsonObject {
  [key: string]: unknown;
}
Object.setPrototypeOf(JsonObject.prototype, null);
Reflect.deleteProperty(JsonObject.prototype, 'constructor');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const HEX4 = /[0-9a-fA-F]{4}/y;

class Parser {
  private at = 0;
  private depth = 0;
  private sources: NumberSources | undefined;

  constructor(private readonly text: string) {}

  parse(): Json {
    const json: Json = { value: undefined };
    this.space();
    json.value = this.value(json, 'value');
    this.space();
    if (this.at < this.text.length) this.fail('the end of the text');
    if (this.sources) json.sources = this.sources;
    return json;
  }

  private value(holder: object, key: string | number): unknown {
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number(holder, key);
    }
  }

  private object(): JsonObject {
    const object = new JsonObject();
    this.enter();
    if (this.text[this.at] !== '}') {
      for (;;) {
        if (this.text.charCodeAt(this.at) !== QUOTE) this.fail('a key');
        const keyAt = this.at;
        const key = this.string();
        if (key in object) {
          this.at = keyAt;
          this.fail('no duplicate key');
        }
        this.space();
        if (this.text[this.at] !== ':') this.fail('":"');
        this.at++;
        this.space();
        object[key] = this.value(object, key);
        if (!this.more('}')) break;
      }
    }
    this.leave();
    return object;
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    this.enter();
    if (this.text[this.at] !== ']') {
      do array.push(this.value(array, array.length));
      while (this.more(']'));
    }
    this.leave();
    return array;
  }

  private enter(): void {
    if (++this.depth > DEPTH_MAX) this.fail(`at most ${DEPTH_MAX} levels of nesting`);
    this.at++;
    this.space();
  }

  private leave(): void {
    this.depth--;
    this.at++;
  }

  /** Whether a comma comes, and so another member; `end` is what else may stand here. */
  private more(end: string): boolean {
    this.space();
    const next = this.text[this.at];
    if (next === end) return false;
    if (next !== ',') this.fail(`"," or "${end}"`);
    this.at++;
    this.space();
    return true;
  }

  private string(): string {
    let start = ++this.at;
    let value = '';
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) {
        value += this.text.slice(start, this.at++);
        return value;
      }
      // NaN at the end of the text is not greater either.
      if (!(code >= 0x20))
        this.fail(this.at < this.text.length ? 'control characters to be escaped' : 'the end of a string');
      if (code === BACKSLASH) {
        value += this.text.slice(start, this.at) + this.escape();
        start = this.at;
      } else {
        this.at++;
      }
    }
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? '';
    if (letter === 'u') return this.unicodeEscape();
    const character = ESCAPES[letter];
    if (character === undefined) this.fail('an escape sequence');
    this.at += 2;
    return character;
  }

  private unicodeEscape(): string {
    const unit = this.hex4();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit <= 0xdbff && this.text.startsWith('\\u', this.at)) {
      const low = this.hex4();
      if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(unit, low);
    }
    return this.fail('no lone surrogate');
  }

  private hex4(): number {
    HEX4.lastIndex = this.at + 2;
    const digits = HEX4.exec(this.text)?.[0];
    if (digits === undefined) this.fail('four hexadecimal digits');
    this.at += 6;
    return Number.parseInt(digits, 16);
  }

  private number(holder: object, key: string | number): number {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) this.fail('a value');
    const source = match[0];
    this.at += source.length;
    if (source.length > 15 || match[1] !== undefined || match[2] !== undefined) this.remember(holder, key, source);
    return Number(source);
  }

  private remember(holder: object, key: string | number, source: string): void {
    this.sources ??= new Map();
    const held = this.sources.get(holder);
    if (held) held.set(key, source);
    else this.sources.set(holder, new Map([[key, source]]));
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('a value');
    this.at += word.length;
    return value;
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private fail(expected: string): never {
    throw new JsonSyntaxError(expected, this.at);
  }
}

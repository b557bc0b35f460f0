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
export type NumberSources = Map<object, Map<string, string>>;

/** What a text says. */
export type Json = {
  value: unknown;
  /** Present where a number was not a plain integer of at most 15 digits; a number at the top is held by this object. */
  sources?: NumberSources;
};

/** Thrown for a text that is no JSON; `message` is ours, and the offset in it counts UTF-16 units. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** Reads the JSON text; throws a JsonSyntaxError for anything else. */
export function parseJson(text: string): Json {
  return new Parser(text).parse();
}

/** Writes a value as JSON; a `bigint` as the integer it is, and all else as `JSON.stringify` does. */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (isNothing(value)) return 'null';
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => !isNothing(member));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringifyJson(member)}`).join(',')}}`;
}

/** Whether JSON has no word for it: it is left out of objects, and null in arrays. */
function isNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** An object without a prototype that V8 still lays out as an object, not as the dictionary of `Object.create(null)`. */
class JsonObject {
  [key: string]: unknown;
}
Object.setPrototypeOf(JsonObject.prototype, null);
Reflect.deleteProperty(JsonObject.prototype, 'constructor');

const SPACE = /[ \t\n\r]+/y;
const CHARACTERS = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /^-?[0-9]{1,15}$/;
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class Parser {
  private at = 0;
  private depth = 0;
  private sources: NumberSources | undefined;

  constructor(private readonly text: string) {}

  parse(): Json {
    const json: Json = { value: undefined };
    this.space();
    json.value = this.value(json, 'value');
    if (this.at < this.text.length) this.fail('the end of the text');
    if (this.sources) json.sources = this.sources;
    return json;
  }

  /** The value that begins here, and the space behind it; `holder` and `key` are where it will stand. */
  private value(holder: object, key: string): unknown {
    const value = this.bareValue(holder, key);
    this.space();
    return value;
  }

  private bareValue(holder: object, key: string): unknown {
    const first = this.text[this.at];
    if (first === '"') return this.string('a string');
    if (first === '{') return this.object();
    if (first === '[') return this.array();
    const source = this.token(NUMBER);
    if (source !== undefined) {
      if (!PLAIN.test(source)) this.remember(holder, key, source);
      return Number(source);
    }
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    return this.fail('a value');
  }

  private object(): JsonObject {
    const object = new JsonObject();
    this.members('}', () => {
      const start = this.at;
      const key = this.string('a key');
      if (key in object) this.fail('no duplicate key', start);
      this.space();
      this.punctuation(':');
      object[key] = this.value(object, key);
    });
    return object;
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    this.members(']', () => array.push(this.value(array, String(array.length))));
    return array;
  }

  /** What stands between brackets, a comma between each two. */
  private members(end: string, member: () => void): void {
    if (++this.depth > DEPTH_MAX) this.fail(`at most ${DEPTH_MAX} levels of nesting`);
    this.at++;
    this.space();
    if (this.text[this.at] !== end) {
      member();
      while (this.text[this.at] !== end) {
        this.punctuation(',', end);
        member();
      }
    }
    this.at++;
    this.depth--;
  }

  private string(expected: string): string {
    const start = this.at;
    if (this.text[this.at++] !== '"') this.fail(expected, start);
    this.token(CHARACTERS);
    const escaped = this.text[this.at] === '\\';
    while (this.text[this.at] === '\\') {
      if (this.token(ESCAPE) === undefined) this.fail('an escape sequence');
      this.token(CHARACTERS);
    }
    if (this.text[this.at++] !== '"') this.fail('the end of a string', this.at - 1);
    if (!escaped) return this.text.slice(start + 1, this.at - 1);
    const value = JSON.parse(this.text.slice(start, this.at)) as string;
    return value.isWellFormed() ? value : this.fail('no lone surrogate', start);
  }

  private punctuation(mark: string, end?: string): void {
    if (this.text[this.at] !== mark) this.fail(end === undefined ? `"${mark}"` : `"${mark}" or "${end}"`);
    this.at++;
    this.space();
  }

  private space(): void {
    if (this.text.charCodeAt(this.at) <= 0x20) this.token(SPACE);
  }

  private token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.text)?.[0];
    if (token !== undefined) this.at += token.length;
    return token;
  }

  private remember(holder: object, key: string, source: string): void {
    this.sources ??= new Map();
    const held = this.sources.get(holder);
    if (held) held.set(key, source);
    else this.sources.set(holder, new Map([[key, source]]));
  }

  private fail(expected: string, at = this.at): never {
    throw new JsonSyntaxError(`expected ${expected} at offset ${at}`);
  }
}

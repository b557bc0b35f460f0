/**
 * A strict JSON parser (RFC 8259): what `JSON.parse` rounds, drops or lets pass is kept or refused here.
 *
 * - A number that a double misrepresents is kept exact (`number.ts`).
 * - Duplicate keys, lone surrogates and nesting deeper than `DEPTH_MAX` are refused.
 * - Objects have no prototype, so that `__proto__` is an ordinary key and nothing is inherited.
 */
import { ExactNumber, readNumber } from './number';

/** How deep arrays and objects may nest. */
export const DEPTH_MAX = 64;

/** A parsed text. */
export interface Json {
  value: unknown;
  /** Whether there is an ExactNumber anywhere in the value. */
  hasExactNumbers: boolean;
}

/** Thrown for a text that is not JSON; the offset in `message` counts UTF-16 units. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** Parses a JSON text; throws a JsonSyntaxError for anything else. */
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

/** Whether JSON cannot say it: left out of objects, and null in arrays. */
function isNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** Objects without a prototype that keep V8's hidden classes; `Object.create(null)` makes slower dictionaries. */
class JsonObject {
  [key: string]: unknown;
}
Object.setPrototypeOf(JsonObject.prototype, null);
Reflect.deleteProperty(JsonObject.prototype, 'constructor');

// What ends a run of characters is searched for: for `[^...]+` V8 may keep a stack that grows with the run, and ends at 64 MB.
const NOT_SPACE = /[^ \t\n\r]/g;
const NOT_PLAIN = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class Parser {
  private at = 0;
  private depth = 0;
  private hasExactNumbers = false;

  constructor(private readonly text: string) {}

  parse(): Json {
    this.space();
    const value = this.value();
    if (this.at < this.text.length) this.fail('the end of the text');
    return { value, hasExactNumbers: this.hasExactNumbers };
  }

  /** The value that begins here, and the white space after it. */
  private value(): unknown {
    const value = this.bareValue();
    this.space();
    return value;
  }

  private bareValue(): unknown {
    const first = this.text[this.at];
    if (first === '"') return this.string('a string');
    if (first === '{') return this.object();
    if (first === '[') return this.array();
    const source = this.token(NUMBER);
    if (source !== undefined) {
      const number = readNumber(source);
      if (number instanceof ExactNumber) this.hasExactNumbers = true;
      return number;
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
      if (Object.hasOwn(object, key)) this.fail('no duplicate key', start);
      this.space();
      this.punctuation(':');
      object[key] = this.value();
    });
    return object;
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    this.members(']', () => array.push(this.value()));
    return array;
  }

  /** Members separated by commas, up to the closing bracket. */
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
    this.skipTo(NOT_PLAIN);
    const escaped = this.text[this.at] === '\\';
    while (this.text[this.at] === '\\') {
      if (this.token(ESCAPE) === undefined) this.fail('an escape sequence');
      this.skipTo(NOT_PLAIN);
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
    if (this.text.charCodeAt(this.at) <= 0x20) this.skipTo(NOT_SPACE);
  }

  private skipTo(character: RegExp): void {
    character.lastIndex = this.at;
    this.at = character.test(this.text) ? character.lastIndex - 1 : this.text.length;
  }

  private token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.text)?.[0];
    if (token !== undefined) this.at += token.length;
    return token;
  }

  private fail(expected: string, at = this.at): never {
    throw new JsonSyntaxError(`expected ${expected} at offset ${at}`);
  }
}

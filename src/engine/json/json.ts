/**
 * A strict JSON parser (RFC 8259): it keeps or refuses what `JSON.parse` rounds, drops or accepts.
 *
 * - A number that a double misrepresents is kept exact (`number.ts`).
 * - Duplicate keys, lone surrogates and nesting deeper than `DEPTH_MAX` are refused.
 * - Objects have no prototype, so that `__proto__` is an ordinary key and nothing is inherited.
 */
import { ExactNumber, readNumber } from './number';

/** The deepest nesting of arrays and objects. */
export const DEPTH_MAX = 64;

/** A JSON text that was parsed. */
export interface Json {
  value: unknown;
  /** True if there is an ExactNumber anywhere in the value. */
  hasExactNumbers: boolean;
}

/** Thrown for a text that is not JSON; the offset in `message` counts UTF-16 units. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(
    readonly expected: string,
    readonly offset: number,
  ) {
    super(`expected ${expected} at offset ${offset}`);
  }
}

/**
 * Parses a JSON text; throws a JsonSyntaxError for anything else.
 *
 * @example
 * const { value } = parseJson('{"id": 9007199254740993}'); // { id: ExactNumber }
 */
export function parseJson(text: string): Json {
  return new Parser(text).parse();
}

/**
 * Writes a value as JSON: a `bigint` as an integer, an ExactNumber as it was written, and all else as `JSON.stringify` does. Throws a TypeError for a stream, a map, a
 * promise or bytes, whose internals `JSON.stringify` would write, and for a number that JSON does not have, of which it makes null.
 *
 * @example
 * stringifyJson({ id: 9007199254740993n }); // '{"id":9007199254740993}'
 */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (isNothing(value)) return 'null';
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`expected data to write as JSON, got ${value}`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${[...(value as unknown[])].map(stringifyJson).join(',')}]`; // gaps, too
  if (value instanceof ExactNumber) return value.text;
  if (!isPlain(value) && !isData(value))
    throw new TypeError(`expected data to write as JSON, got ${value.constructor.name}`);
  // A date, for example. A client's key of this name is data.
  if (saysItself(value)) return stringifyJson(value.toJSON());
  let members = '';
  for (const [key, member] of Object.entries(value)) {
    if (!isNothing(member)) members += `${members && ','}${JSON.stringify(key)}:${stringifyJson(member)}`;
  }
  return `{${members}}`;
}

/** The text of a value where nothing is quoted; that of null is empty. Throws a TypeError for an object or a list. */
export function scalarText(value: unknown): string {
  if (value === null || typeof value === 'string') return value ?? '';
  if (typeof value === 'object' && !(value instanceof ExactNumber))
    throw new TypeError('expected a text, a number, a boolean or null, got an object or a list');
  return stringifyJson(value);
}

/** The value as JSON has it, with what its members say of themselves (`toJSON`) in their place. */
export function asWritten(value: unknown): unknown {
  return saysAny(value) ? parseJson(stringifyJson(value)).value : value;
}

function saysAny(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return saysItself(value) || Object.values(value).some(saysAny);
}

function saysItself(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** True for values that JSON cannot express: they are left out of objects, and null in arrays. */
function isNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** True for an instance of a class that is plain data: its properties are its value. */
function isData(value: object): boolean {
  if (ArrayBuffer.isView(value)) return false;
  if (saysItself(value)) return true;
  const isStream = Symbol.asyncIterator in value || ('pipe' in value && typeof value.pipe === 'function');
  return !isStream && Object.prototype.toString.call(value) === '[object Object]';
}

/** Objects without a prototype that keep V8's hidden classes; `Object.create(null)` makes slower dictionaries. */
class JsonObject {
  [key: string]: unknown;
}
Object.setPrototypeOf(JsonObject.prototype, null);
Reflect.deleteProperty(JsonObject.prototype, 'constructor');

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
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
    const number = this.fewDigits() ?? this.number();
    if (number !== undefined) return number;
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

  /** Fast path: only digits, and so few that a double is exact. */
  private fewDigits(): number | undefined {
    const { text, at: start } = this;
    let [end, value, code] = [start, 0, text.charCodeAt(start)];
    for (; code >= 0x30 && code <= 0x39; code = text.charCodeAt(++end)) value = 10 * value + code - 0x30;
    const isMore = code === 0x2e || code === 0x45 || code === 0x65; // a point or an exponent
    const isZeroFirst = text[start] === '0' && end - start > 1;
    if (end === start || end - start > 15 || isMore || isZeroFirst) return undefined;
    this.at = end;
    return value;
  }

  private number(): number | ExactNumber | undefined {
    const end = this.endOfNumber();
    if (end === this.at) return undefined;
    const number = readNumber(this.text.slice(this.at, end));
    if (number instanceof ExactNumber) this.hasExactNumbers = true;
    this.at = end;
    return number;
  }

  /** The end of the number that begins here: in `01`, for example, behind the `0`. */
  private endOfNumber(): number {
    const { text } = this;
    const whole = text[this.at] === '-' ? this.at + 1 : this.at;
    let end = text[whole] === '0' ? whole + 1 : this.endOfDigits(whole);
    if (end === whole) return this.at;
    if (text[end] === '.') end = this.endOfDigits(end + 1, end);
    if (text[end] !== 'e' && text[end] !== 'E') return end;
    const sign = text[end + 1];
    return this.endOfDigits(sign === '+' || sign === '-' ? end + 2 : end + 1, end);
  }

  /** The end of the digits from `start` on, or `none` if there is no digit. */
  private endOfDigits(start: number, none = start): number {
    let end = start;
    for (let code = this.text.charCodeAt(end); code >= 0x30 && code <= 0x39;) code = this.text.charCodeAt(++end);
    return end === start ? none : end;
  }

  /** Reads character by character: V8 may run `[^...]+` with a stack, which overflows at 64 MB. */
  private string(expected: string): string {
    const { text, at: start } = this;
    if (text[start] !== '"') this.fail(expected);
    let [at, escaped] = [start + 1, false];
    for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(at)) {
      if (code === 0x5c) {
        escaped = true;
        at += 2;
      } else if (code >= 0x20) {
        at++;
      } else {
        this.assertEscapes(start, at);
        this.fail('the end of a string', at);
      }
    }
    this.at = at + 1;
    return escaped ? this.unescape(start) : text.slice(start + 1, at);
  }

  /** The string with escapes that begins at `start` and has just been read. */
  private unescape(start: number): string {
    let value: string;
    try {
      value = JSON.parse(this.text.slice(start, this.at)) as string;
    } catch (error) {
      this.assertEscapes(start, this.at);
      throw error;
    }
    return value.isWellFormed() ? value : this.fail('no lone surrogate', start);
  }

  private assertEscapes(start: number, end: number): void {
    for (let at = this.text.indexOf('\\', start); at >= 0 && at < end; at = this.text.indexOf('\\', ESCAPE.lastIndex)) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(this.text)) this.fail('an escape sequence', at);
    }
  }

  private punctuation(mark: string, end?: string): void {
    if (this.text[this.at] !== mark) this.fail(end === undefined ? `"${mark}"` : `"${mark}" or "${end}"`);
    this.at++;
    this.space();
  }

  private space(): void {
    let at = this.at;
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
      at++;
    }
    this.at = at;
  }

  private fail(expected: string, at = this.at): never {
    throw new JsonSyntaxError(expected, at);
  }
}

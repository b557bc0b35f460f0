/** Reads YAML files, with the line and column of everything in them. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  Composer,
  type Document as YamlDocument,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type CST,
  type Pair,
  Parser,
  type YAMLMap,
  YAMLParseError,
} from 'yaml';
import { messageOf } from '../errors/api-error';
import { JsonSyntaxError, parseJson } from '../json/json';
import { ExactNumber, toBigInt } from '../json/number';
import type { Path, PlacePart } from './document';
import { resolveIdentifiers } from './identifiers';
import type { Contract } from './operations';
import { ContractProblems } from './problems';
import { linkAliases, repeatedNodes } from './yaml-aliases';
import { yamlErrors } from './yaml-errors';

/** The greatest number of nodes that the aliases of a file may repeat: more is an attack ("billion laughs"). */
export const ALIASES_MAX = 100_000;

/** The greatest depth of a document, six times that of the deepest of 1,600 published ones: what walks it calls itself for each level. */
export const DEPTH_MAX = 200;

/** The most tokens within one another: those of values, of the document around them, and of keys and the like in the last one. */
const TOKENS_MAX = DEPTH_MAX + 10;

/** A YAML file as a value, with the place of each part; throws ContractProblems if it is not YAML. Places begin with `name`. */
export function readYaml(file: string, name = basename(file)): { value: unknown; place: Contract['place'] } {
  const text = readText(file, name);
  // The nodes take more memory than all else: they may be collected, and are made again if a place is asked for.
  let kept: WeakRef<YamlText> | undefined;
  const yaml = (): YamlText => {
    const made = kept?.deref() ?? new YamlText(text, name);
    kept = new WeakRef(made);
    return made;
  };
  const place: Contract['place'] = (path, part) => yaml().place(path, part);
  const value = withNumbers(valueOfJson(text) ?? yaml().value(), [], (path, problem) => {
    throw new ContractProblems([`${place(path)} ${problem}`]);
  });
  if (/\$(?:id|anchor|dynamicRef)\b/.test(text)) resolveIdentifiers(value);
  return { value, place };
}

/** The text of a file; throws ContractProblems if it is not UTF-8: its other characters would become U+FFFD. */
function readText(file: string, name: string): string {
  const bytes = readFileSync(file);
  const text = bytes.toString();
  if (isUtf8(bytes)) return text;
  const before = text.slice(0, text.indexOf('\ufffd')).split('\n');
  throw new ContractProblems([`${name}:${before.length}:${(before.at(-1) ?? '').length + 1} expected UTF-8`]);
}

/** The value of a text that is JSON, which is YAML and takes a fraction of the time; undefined for any other. */
function valueOfJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined; // it is parsed as YAML then, which reports the error
    throw error;
  }
}

/** The refusal of what tags of YAML make, such as `!!set` and `!!timestamp`: it would be read as an empty object. */
const NO_JSON = 'expected a value as JSON has it, got one of the kind';

/**
 * The value with its numbers as doubles, or as `bigint` where a double is not exact; its members are replaced in place. `refuse` throws for
 * a number beyond them, for a value that is too deep, and for one that JSON does not have.
 */
function withNumbers(value: unknown, path: string[], refuse: (path: Path, problem: string) => never): unknown {
  if (value instanceof ExactNumber) return withNumbers(toBigInt(value) ?? value.double, path, refuse);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number' && !Number.isFinite(value))
    return refuse(path, `expected a number of at most ${Number.MAX_VALUE}, got ${value}`);
  if (typeof value !== 'object' || value === null) return value;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind !== 'Object' && kind !== 'Array')
    return refuse(path, `${NO_JSON} ${kind}: leave out its tag, or put it in quotes`);
  if (path.length === DEPTH_MAX) return refuse(path, `expected at most ${DEPTH_MAX} levels, got more`);
  for (const key of Object.keys(value)) {
    path.push(key);
    Reflect.set(value, key, withNumbers(Reflect.get(value, key), path, refuse));
    path.pop();
  }
  return value;
}

/** A text as YAML nodes, which have their offsets. */
class YamlText {
  private readonly lines = new LineCounter();
  private readonly document: YamlDocument.Parsed;
  private readonly hasAliases: boolean;

  constructor(
    private readonly text: string,
    private readonly name: string,
  ) {
    const options = {
      prettyErrors: false,
      intAsBigInt: true,
      stringKeys: true, // of 1.0 and null as well: OpenAPI has them of the failsafe schema
      merge: true,
      uniqueKeys: false, // yaml-errors.ts looks for them: the parser compares each key with all before it
    };
    const [document, another] = new Composer(options).compose(this.tokens(), true, text.length);
    if (!document) throw new Error('a composer that is told to makes a document of any text');
    const [start = 0, end = 0] = another?.range ?? [];
    if (another)
      document.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'expected one document in a file'));
    this.hasAliases = linkAliases(document);
    this.document = document;
  }

  /** The tokens of the text; throws ContractProblems for what is nested too deeply before it is composed, for which `yaml` calls itself for each level. */
  private *tokens(): Generator<CST.Token, void> {
    const parser = new Parser(this.lines.addNewLine);
    this.lines.addNewLine(0);
    for (const lexeme of new Lexer().lex(this.text)) {
      yield* parser.next(lexeme);
      if (parser.stack.length > TOKENS_MAX)
        throw new ContractProblems([
          `${this.at(parser.offset)} it is nested too deeply: expected at most ${DEPTH_MAX} levels`,
        ]);
    }
    yield* parser.end();
  }

  value(): unknown {
    const problems = yamlErrors(this.text, this.document).map(({ offset, text }) => `${this.at(offset)} ${text}`);
    if (problems.length > 0) throw new ContractProblems(problems);
    const repeated = this.hasAliases ? repeatedNodes(this.document) : 0;
    if (repeated > ALIASES_MAX)
      throw new ContractProblems([
        `${this.at(0)} expected aliases that repeat at most ${ALIASES_MAX} values, got ${repeated}`,
      ]);
    try {
      return this.document.toJS({ maxAliasCount: -1 });
    } catch (error) {
      throw new ContractProblems([`${this.at(0)} ${messageOf(error)}`]); // a merge of what is no object
    }
  }

  /**
   * The place of a path, or of the nearest thing to it that there is: of its value, or of its name if that is the part in question, or the
   * value begins on a later line.
   */
  place(path: Path, part?: PlacePart): string {
    let node: unknown = this.document.contents;
    let start = isNode(node) ? node.range?.[0] : undefined;
    for (const [index, step] of path.entries()) {
      if (isAlias(node)) node = node.resolve(this.document);
      const member = isMap(node)
        ? (memberOf(node, step) ?? (LISTS.has(step) ? memberOf(node, 'oneOf') : undefined))
        : undefined;
      if (isSeq(node)) node = node.items[Number(step)];
      else node = member?.value;
      const value = isNode(node) ? node.range?.[0] : undefined;
      const name = isNode(member?.key) ? member.key.range?.[0] : undefined;
      const isName =
        name !== undefined && ((part === 'name' && index === path.length - 1) || this.isBelow(name, value));
      start = (isName ? name : value) ?? start;
      if (value === undefined) break;
    }
    return this.at(start ?? 0);
  }

  private isBelow(name: number, value: number | undefined): boolean {
    return value === undefined || this.lines.linePos(value).line > this.lines.linePos(name).line;
  }

  private at(offset: number): string {
    const { line, col } = this.lines.linePos(offset);
    return `${this.name}:${line}:${col}`;
  }
}

/** Keywords that may be written as a `oneOf` of constants (see normalize-schema.ts). */
const LISTS: ReadonlySet<unknown> = new Set(['enum', 'x-enum-varnames']);

function memberOf({ items }: YAMLMap, step: string | number): Pair | undefined {
  return items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
}

/** The value with a double in place of every `bigint`, for libraries that do not know them; only what holds one is copied. */
export function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  let copy: object | undefined;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    const read = withDoubles(member);
    if (read === member) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    Reflect.set(copy, key, read);
  }
  return copy ?? value;
}

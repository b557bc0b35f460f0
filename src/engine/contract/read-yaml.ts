/** `openapi.yaml` as text: read as YAML, with the line and column of everything in it. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import { messageOf } from '../http/api-error';
import { JsonSyntaxError, parseJson } from '../json/json';
import { ExactNumber, toBigInt } from '../json/number';
import { type Path, pointerOf } from './document';
import type { Contract } from './operations';

/**
 * Something wrong with a contract, or worth telling, and where; an empty path is the whole document. What is the same at many
 * places has one text, and what differs between them in `detail`.
 */
export type Problem = [path: Path, text: string, detail?: string];

/** What is wrong with a contract, all of it: a line each, with its place. */
export class ContractProblems extends Error {
  override readonly name = 'ContractProblems';

  constructor(
    readonly problems: readonly string[],
    /** Where they are, if it is a document that has them. */
    readonly paths: readonly Path[] = [],
  ) {
    super(`the contract is not fit to be served:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** How many times the parts of a file may be repeated by its aliases, all in all: more would be no contract, but an attack. */
const ALIASES_MAX = 100_000;

/** A YAML file as a value, with the place of each part; throws ContractProblems if it is no YAML. `name` is for places. */
export function readYaml(file: string, name = basename(file)): { value: unknown; place: Contract['place'] } {
  const text = readFileSync(file, 'utf8');
  // Its nodes take more room than all else: they are made again if a place is asked for after they have been let go.
  let kept: WeakRef<YamlText> | undefined;
  const yaml = (): YamlText => {
    const made = kept?.deref() ?? new YamlText(text, name);
    kept = new WeakRef(made);
    return made;
  };
  return { value: valueOfJson(text) ?? yaml().value(), place: (path) => yaml().place(path) };
}

/** JSON is YAML that can be read in a fraction of the time; undefined for what is none. */
function valueOfJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return withIntegers(parseJson(text).value);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined; // which is then said of it as YAML
    throw error;
  }
}

function withIntegers(value: unknown): unknown {
  if (value instanceof ExactNumber) return toBigInt(value) ?? value.double;
  if (Array.isArray(value)) return value.map(withIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withIntegers(member)]));
}

/** A text as nodes of YAML that know where they stand. */
class YamlText {
  private readonly lines = new LineCounter();
  private readonly document: ReturnType<typeof parseDocument>;

  constructor(
    text: string,
    private readonly name: string,
  ) {
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false, intAsBigInt: true });
  }

  value(): unknown {
    const { errors } = this.document;
    if (errors.length > 0)
      throw new ContractProblems(errors.map(({ message, pos }) => `${this.at(pos[0])} ${message}`));
    try {
      return this.document.toJS({ reviver: toNumber, maxAliasCount: ALIASES_MAX });
    } catch (error) {
      throw new ContractProblems([`${this.at(0)} ${messageOf(error)}`]); // an alias that leads nowhere, or to too much
    }
  }

  /** The place of what stands at a path, or else of what is nearest to it. */
  place(path: Path): string {
    let node: unknown = this.document.contents;
    let start = isNode(node) ? node.range?.[0] : undefined;
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(this.document);
      if (isSeq(node)) node = node.items[Number(step)];
      else if (isMap(node)) node = memberOf(node, step) ?? (LISTS.has(step) ? memberOf(node, 'oneOf') : undefined);
      else break;
      if (!isNode(node)) break;
      start = node.range?.[0] ?? start;
    }
    return start === undefined ? this.name : this.at(start);
  }

  private at(offset: number): string {
    const { line, col } = this.lines.linePos(offset);
    return `${this.name}:${line}:${col}`;
  }
}

/** Lists that may have been written as a `oneOf` of constants (see normalize-schema.ts). */
const LISTS: ReadonlySet<unknown> = new Set(['enum', 'x-enum-varnames']);

function memberOf({ items }: YAMLMap, step: string | number): unknown {
  return items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step))?.value;
}

/** Problems as lines, one for each text: with the number of its places, and the first of them. */
export function tell(problems: readonly Problem[], place: Contract['place'], placesMax = 3): string[] {
  const places = new Map<string, Map<string, Problem>>();
  for (const problem of problems) {
    const [path, text, detail = ''] = problem;
    const ofText = places.get(text) ?? new Map<string, Problem>();
    places.set(text, ofText.set(pointerOf(path) + detail, problem));
  }
  return [...places].map(([text, all]) => {
    const first = [...all.values()].slice(0, placesMax);
    const shown = first.map(([path, , detail]) => place(path) + (detail === undefined ? '' : ` (${detail})`));
    if (all.size === 1) return `${shown.join('')} ${text}`;
    return `${text}: ${all.size} places, ${shown.join(', ')}${all.size > placesMax ? ', ...' : ''}`;
  });
}

/** Integers are read as `bigint`, and stay so only where a double would not be exact. */
function toNumber(_key: unknown, value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A copy with doubles in place of every `bigint`, for readers that know none. */
export function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withDoubles(member)]));
}

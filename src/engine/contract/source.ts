/** `openapi.yaml` as text: read as YAML, with the line and column of everything in it. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { messageOf } from '../http/api-error';
import type { Path } from './document';
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

/** A YAML file as a value, with the place of each part; throws ContractProblems where it is no YAML. `name` is for places. */
export function readYaml(file: string, name = basename(file)): { value: unknown; place: Contract['place'] } {
  const lines = new LineCounter();
  const yaml = parseDocument(readFileSync(file, 'utf8'), {
    lineCounter: lines,
    prettyErrors: false,
    intAsBigInt: true,
  });
  const place = (path: Path): string => {
    for (let length = path.length; ; length--) {
      const node = length === 0 ? yaml.contents : yaml.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) {
        const { line, col } = lines.linePos(node.range[0]);
        return `${name}:${line}:${col}`;
      }
      if (length === 0) return name;
    }
  };
  if (yaml.errors.length > 0) {
    throw new ContractProblems(
      yaml.errors.map(({ message, pos: [start] }) => {
        const { line, col } = lines.linePos(start);
        return `${name}:${line}:${col} ${message}`;
      }),
    );
  }
  try {
    return { value: yaml.toJS({ reviver: toNumber, maxAliasCount: ALIASES_MAX }), place };
  } catch (error) {
    throw new ContractProblems([`${name}:1:1 ${messageOf(error)}`]); // an alias that leads nowhere, or to too much
  }
}

/** Problems as lines, one for each text: with the number of its places, and the first of them. */
export function tell(problems: readonly Problem[], place: Contract['place'], placesMax = 3): string[] {
  const places = new Map<string, Set<string>>();
  for (const [path, text, detail] of problems) {
    const at = `${place(path)}${detail === undefined ? '' : ` (${detail})`}`;
    places.set(text, (places.get(text) ?? new Set()).add(at));
  }
  return [...places].map(([text, [...all]]) => {
    if (all.length === 1) return `${all[0]} ${text}`;
    const rest = all.length > placesMax ? ', ...' : '';
    return `${text}: ${all.length} places, ${all.slice(0, placesMax).join(', ')}${rest}`;
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

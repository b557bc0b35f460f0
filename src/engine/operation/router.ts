/**
 * Finds the operation of a request by method and path; 404 and 405 come from here. Paths are compared as they are written, percent-encoding
 * included: a character that is encoded is data of a parameter, never a slash or a part of the template.
 */
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { noSuchPath } from '../http/errors';

/** What is routed: a method in upper case, and a path template. */
export interface Routed {
  method: string;
  path: string;
}

export interface Match<Operation> {
  operation: Operation;
  /** The path parameters by name, still percent-encoded: the commas of a list are told from encoded ones before they are decoded. */
  path: Readonly<Record<string, string>>;
}

export interface Router<Operation> {
  /** Throws an ApiError of 404 if no path fits, and of 405 if the path has no such method. `path` has no query. */
  match(method: string, path: string): Match<Operation>;
  /** The methods of a path; none if it is no path of the contract. */
  methodsOf(path: string): string[];
}

/** What is declared at one path, or at several that differ in the names of their parameters only. */
type Endpoint<Operation> = Map<string, { operation: Operation; names: readonly string[] }>;

/** A step of a path, after the slash. */
interface Step<Operation> {
  literals: Map<string, Step<Operation>>;
  /** The more of their text is literal, the earlier they are tried. */
  templates: { pieces: readonly string[]; step: Step<Operation> }[];
  endpoint: Endpoint<Operation> | undefined;
}

const NO_VALUES: readonly string[] = [];
const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze({});
const PARAMETER = /\{([^{}]*)\}/g;

/**
 * Concrete steps come before templates, as OpenAPI has it, and the first path that fits decides which methods there are. The time of a
 * request depends on the length of its path alone, unless the templates of a contract leave open which is meant.
 */
export function createRouter<Operation extends Routed>(
  operations: readonly Operation[],
  basePath: string,
): Router<Operation> {
  const root: Step<Operation> = newStep();
  /** Fast path, for those without parameters. */
  const concrete = new Map<string, Endpoint<Operation>>();
  let stepsMax = 0;

  for (const operation of operations) {
    const base = canonical(basePath).split('/');
    const own = operation.path.split('/');
    const names = [...operation.path.matchAll(PARAMETER)].map(([, name = '']) => name);
    let step = root;
    // Of `/v1` and `/notes` the second begins with an empty step, too.
    for (const literal of base) step = literalStep(step, literal);
    for (const text of own.slice(1))
      step = text.match(PARAMETER) ? templateStep(step, text) : literalStep(step, canonical(text));
    stepsMax = Math.max(stepsMax, base.length + own.length - 1);
    step.endpoint ??= new Map();
    step.endpoint.set(operation.method, { operation, names });
    if (names.length === 0) concrete.set(canonical(basePath + operation.path), step.endpoint);
  }

  function find(path: string): { endpoint: Endpoint<Operation>; values: readonly string[] } | undefined {
    const written = canonical(path);
    const known = concrete.get(written);
    if (known) return { endpoint: known, values: NO_VALUES };
    const steps = written.split('/', stepsMax + 1);
    return steps.length > stepsMax ? undefined : walk(root, steps, 0, NO_VALUES);
  }

  return {
    match(method, path) {
      const found = find(path);
      if (!found) throw noSuchPath();
      const { endpoint, values } = found;
      const route = endpoint.get(method);
      if (!route) throw methodNotAllowed([...endpoint.keys()]);
      const { operation, names } = route;
      if (names.length === 0) return { operation, path: NO_PARAMETERS };
      return { operation, path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) };
    },
    methodsOf(path) {
      return [...(find(path)?.endpoint.keys() ?? [])];
    },
  };
}

function methodNotAllowed(methods: readonly string[]): ApiError {
  const allow = methods.join(', ');
  return new ApiError(ErrorCode.MethodNotAllowed, `expected one of the methods ${allow}`, {
    headers: { Allow: allow },
  });
}

function newStep<Operation>(): Step<Operation> {
  return { literals: new Map(), templates: [], endpoint: undefined };
}

function literalStep<Operation>(from: Step<Operation>, literal: string): Step<Operation> {
  const step = from.literals.get(literal) ?? newStep();
  from.literals.set(literal, step);
  return step;
}

function templateStep<Operation>({ templates }: Step<Operation>, text: string): Step<Operation> {
  const pieces = text.split(/\{[^{}]*\}/).map(canonical);
  const known = templates.find((each) => each.pieces.join('{}') === pieces.join('{}'));
  if (known) return known.step;
  const step: Step<Operation> = newStep();
  templates.push({ pieces, step });
  const literalLength = (each: { pieces: readonly string[] }): number => each.pieces.join('').length;
  templates.sort((a, b) => literalLength(b) - literalLength(a));
  return step;
}

function walk<Operation>(
  from: Step<Operation>,
  steps: readonly string[],
  at: number,
  values: readonly string[],
): { endpoint: Endpoint<Operation>; values: readonly string[] } | undefined {
  const text = steps[at];
  if (text === undefined) return from.endpoint && { endpoint: from.endpoint, values };
  const literal = from.literals.get(text);
  const found = literal && walk(literal, steps, at + 1, values);
  if (found) return found;
  for (const { pieces, step } of from.templates) {
    const own = valuesIn(text, pieces);
    const further = own && walk(step, steps, at + 1, [...values, ...own]);
    if (further) return further;
  }
  return undefined;
}

/**
 * What stands between the literal pieces of a template, none of it empty; undefined if the text does not fit. Each piece is looked for
 * once, from the left, which finds a way if there is one, in time linear in the text.
 */
function valuesIn(text: string, pieces: readonly string[]): string[] | undefined {
  const [first = '', ...others] = pieces;
  const last = others.pop() ?? '';
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let start = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, start + 1);
    if (found < 0) return undefined;
    values.push(text.slice(start, found));
    start = found + piece.length;
  }
  if (start >= end) return undefined;
  return [...values, text.slice(start, end)];
}

/** Characters that a path may not have as they are (RFC 3986 section 3.3), and those that are encoded. */
const UNUSUAL = /[^\w\-.~!$&'()*+,;=:@/]/;
const ALL_UNUSUAL = /%[\da-f]{2}|[^\w\-.~!$&'()*+,;=:@/]/giu;

/** A path in one of the spellings that mean the same (RFC 3986 section 6.2.2): contracts have `/a b`, and their clients send `/a%20b`. */
export function canonical(path: string): string {
  if (!UNUSUAL.test(path)) return path;
  return path.toWellFormed().replaceAll(ALL_UNUSUAL, (found) => {
    if (found.length !== 3 || !found.startsWith('%')) return encodeURIComponent(found);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : found.toUpperCase();
  });
}

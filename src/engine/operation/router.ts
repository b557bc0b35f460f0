/**
 * Finds the operation of a request by method and path; throws 404 and 405. Paths are compared as they are written,
 * percent-encoding included: an encoded character is data of a parameter, never a slash or a part of the template.
 */
import { canonical, namesInPath } from '../contract/paths';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { noSuchPath } from '../http/errors';

/** A method in upper case and a path template; a plan extends it. */
export interface Routed {
  method: string;
  path: string;
}

export interface Match<Plan> {
  plan: Plan;
  /** Path parameters by name, still percent-encoded: an encoded comma does not separate the items of a list. */
  path: Readonly<Record<string, string>>;
}

export interface Router<Plan> {
  /** Throws an ApiError of 404 if no path fits, and of 405 if the path has no such method. `path` has no query. */
  match(method: string, path: string): Match<Plan>;
  /** The methods of a path, HEAD with every GET; none if the contract does not have the path. */
  methodsOf(path: string): string[];
}

/** The plans of one path, by method; paths that differ in the names of their parameters only share them. */
type Endpoint<Plan> = Map<string, { plan: Plan; names: readonly string[] }>;

/** A step of a path, after the slash. */
interface Step<Plan> {
  literals: Map<string, Step<Plan>>;
  /** Steps with parameters by their text with `{}` for each, those with more literal text first. */
  templates: Map<string, { pieces: readonly string[]; step: Step<Plan> }>;
  endpoint: Endpoint<Plan> | undefined;
}

const NO_VALUES: readonly string[] = [];
const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze({});
const PARAMETER = /\{[^{}]*\}/g;

/**
 * Creates a router. Concrete steps come before templates, as OpenAPI requires, and the first path that matches defines
 * the methods. The time of a match depends on the length of the path alone, unless the templates are ambiguous.
 */
export function createRouter<Plan extends Routed>(plans: readonly Plan[], basePath: string): Router<Plan> {
  const root: Step<Plan> = newStep();
  /** Endpoints of paths without parameters: the fast path. */
  const concrete = new Map<string, Endpoint<Plan>>();
  const endpoints = new Set<Endpoint<Plan>>();
  let stepsMax = 0;

  for (const plan of plans) {
    const base = canonical(basePath).split('/');
    // A name may have a slash of its own: `/x({a/b})`.
    const own = plan.path.replaceAll(PARAMETER, '{}').split('/');
    const names = namesInPath(plan.path);
    let step = root;
    // `/v1` and `/notes` both begin with an empty step; that of the second is dropped.
    for (const literal of base) step = literalStep(step, literal);
    for (const text of own.slice(1))
      step = text.includes('{}') ? templateStep(step, text) : literalStep(step, canonical(text));
    stepsMax = Math.max(stepsMax, base.length + own.length - 1);
    step.endpoint ??= new Map();
    step.endpoint.set(plan.method, { plan, names });
    if (names.length === 0) concrete.set(canonical(basePath + plan.path), step.endpoint);
    endpoints.add(step.endpoint);
  }
  sortTemplates(root);
  for (const endpoint of endpoints) {
    // A HEAD is answered as the GET, without its body (RFC 9110 section 9.3.2).
    const get = endpoint.get('GET');
    if (get && !endpoint.has('HEAD')) endpoint.set('HEAD', get);
  }

  function find(path: string): { endpoint: Endpoint<Plan>; values: readonly string[] } | undefined {
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
      const { plan, names } = route;
      if (names.length === 0) return { plan, path: NO_PARAMETERS };
      return { plan, path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) };
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

function newStep<Plan>(): Step<Plan> {
  return { literals: new Map(), templates: new Map(), endpoint: undefined };
}

function literalStep<Plan>(from: Step<Plan>, literal: string): Step<Plan> {
  const step = from.literals.get(literal) ?? newStep();
  from.literals.set(literal, step);
  return step;
}

function templateStep<Plan>({ templates }: Step<Plan>, text: string): Step<Plan> {
  const pieces = text.split('{}').map(canonical);
  const key = pieces.join('{}');
  const template = templates.get(key) ?? { pieces, step: newStep() };
  templates.set(key, template);
  return template.step;
}

/** Sorts the templates of a step and of those behind it, once: for each path it would be quadratic. */
function sortTemplates<Plan>(step: Step<Plan>): void {
  const literalLength = (pieces: readonly string[]): number => pieces.join('').length;
  step.templates = new Map(
    [...step.templates].sort(([, a], [, b]) => literalLength(b.pieces) - literalLength(a.pieces)),
  );
  for (const next of step.literals.values()) sortTemplates(next);
  for (const { step: next } of step.templates.values()) sortTemplates(next);
}

function walk<Plan>(
  from: Step<Plan>,
  steps: readonly string[],
  at: number,
  values: readonly string[],
): { endpoint: Endpoint<Plan>; values: readonly string[] } | undefined {
  const text = steps[at];
  if (text === undefined) return from.endpoint && { endpoint: from.endpoint, values };
  const literal = from.literals.get(text);
  const found = literal && walk(literal, steps, at + 1, values);
  if (found) return found;
  for (const { pieces, step } of from.templates.values()) {
    const own = valuesIn(text, pieces);
    const further = own && walk(step, steps, at + 1, [...values, ...own]);
    if (further) return further;
  }
  return undefined;
}

/**
 * The values between the literal pieces of a template, none of them empty; undefined if the text does not match. Each
 * piece is searched for once, from the left, which finds a match if there is one, in time linear in the text.
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

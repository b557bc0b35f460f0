/** Counts what a run has tried of a contract: operations, statuses, media types, parameters, branches and constraints of schemas. */
import { type Document, isSchema, keyFor, resolve } from '../../engine/reading';
import type { Answer } from './client';
import { declaredType, type Operation, schemaOf } from './contract';
import type { GeneratedRequest } from './generate/requests';
import { isObject, type Json } from '../samples/json';
import type { Oracle } from '../samples/oracle';

const KINDS = ['operations', 'statuses', 'media types', 'parameters', 'branches', 'constraints'] as const;
type Kind = (typeof KINDS)[number];

/** The parts of a contract by kind and name: true for those that were tried. */
export type Coverage = Readonly<Record<Kind, Record<string, boolean>>>;

/** Schemas are followed so deep, and so many branches of an operation are counted. */
const DEPTH_MAX = 6;
const BRANCHES_MAX = 100;

export class Counter {
  readonly coverage: Coverage = {
    operations: {},
    statuses: {},
    'media types': {},
    parameters: {},
    branches: {},
    constraints: {},
  };

  /** `oracle` judges requests. */
  constructor(
    private readonly document: Document,
    private readonly oracle: Oracle,
  ) {}

  /** Counts an operation as declared; no server can be made to answer with 5xx. */
  declare(operation: Operation): void {
    const { name, parameters, body, responses } = operation;
    this.count('operations', name, false);
    for (const each of parameters) {
      this.count('parameters', `${name} ${each.name}`, false);
      this.branches(`${name} ${each.name}`, schemaOf(each).schema, undefined);
    }
    for (const [type, { schema }] of Object.entries(body?.content ?? {})) {
      this.count('media types', `${name} ${type}`, false);
      this.branches(`${name} ${type} `, schema, undefined);
    }
    for (const [status, { content }] of responses) {
      if (status.startsWith('5')) continue;
      this.count('statuses', `${name} ${status}`, false);
      for (const type of Object.keys(content)) this.count('media types', `${name} ${status} ${type}`, false);
    }
  }

  /** Counts a request, which is valid unless it is to be refused, and its answer. */
  tried(
    operation: Operation,
    { request, parameters, body }: GeneratedRequest,
    isRefusal: boolean,
    answer: Answer,
  ): void {
    const { name, responses } = operation;
    const status = keyFor(answer.status, (key) => responses.has(key));
    const { 'content-type': received } = answer.headers;
    const answered = received && declaredType(responses.get(status ?? '')?.content ?? {}, received);
    this.count('statuses', `${name} ${status}`);
    this.count('media types', `${name} ${status} ${answered}`);
    if (isRefusal) return;
    this.count('operations', name);
    for (const each of operation.parameters) {
      const value = parameters[each.name];
      if (value === undefined) continue;
      this.count('parameters', `${name} ${each.name}`);
      this.branches(`${name} ${each.name}`, schemaOf(each).schema, value);
    }
    const { 'Content-Type': type } = request.headers;
    const sent = type && declaredType(operation.body?.content ?? {}, type);
    this.count('media types', `${name} ${sent}`);
    if (sent !== undefined && body !== undefined)
      this.branches(`${name} ${sent} `, operation.body?.content[sent]?.schema, body);
  }

  /** Counts constraints of an operation: as declared, or as tried, by requests that have broken one each. */
  constraints({ name }: Operation, constraints: readonly string[], isTried: boolean): void {
    for (const each of constraints) this.count('constraints', `${name} ${each}`, isTried);
  }

  /** True for a constraint that was counted as tried. */
  isTried({ name }: Operation, constraint: string): boolean {
    return this.coverage.constraints[`${name} ${constraint}`] === true;
  }

  /** Only what is declared is counted; without `isTried` it is declared here. */
  private count(kind: Kind, name: string, isTried = true): void {
    const known = this.coverage[kind];
    if (!isTried) known[name] ??= false;
    else if (Object.hasOwn(known, name)) known[name] = true;
  }

  /** Counts the branches of a schema that a value takes; without a value, declares them. */
  private branches(place: string, schema: unknown, value: Json | undefined, depth = 0): void {
    if (!isSchema(schema) || depth > DEPTH_MAX) return;
    const target = resolve(this.document, schema);
    for (const keyword of ['oneOf', 'anyOf'] as const)
      for (const [index, branch] of [target[keyword] ?? []].flat().entries()) {
        if (!isSchema(branch) || index >= BRANCHES_MAX) continue;
        const isTaken = value !== undefined && this.oracle.accepts(branch, value);
        const name = `${place}/${keyword}/${index}`;
        this.count('branches', name, isTaken);
        if (isTaken || value === undefined) this.branches(name, branch, value, depth + 1);
      }
    for (const part of target.allOf ?? []) this.branches(place, part, value, depth + 1);
    for (const [property, inner] of Object.entries(target.properties ?? {})) {
      const member = isObject(value) && Object.hasOwn(value, property) ? value[property] : undefined;
      if (value === undefined || member !== undefined) this.branches(`${place}/${property}`, inner, member, depth + 1);
    }
    const elements = value === undefined ? [undefined] : Array.isArray(value) ? value.slice(0, 3) : [];
    for (const element of elements) this.branches(`${place}/*`, target.items, element, depth + 1);
  }
}

/** The share of all kinds together that was tried, in whole percent. */
export function percentOf(coverage: Coverage): number {
  const all = KINDS.flatMap((kind) => Object.values(coverage[kind]));
  return all.length === 0 ? 0 : Math.floor((100 * all.filter(Boolean).length) / all.length);
}

const NAMED_MAX = 5;

/** A line for each kind that the contract has, with the first ones that were not tried. */
export function coverageLines(coverage: Coverage): string[] {
  const lines = KINDS.flatMap((kind) => {
    const all = Object.entries(coverage[kind]);
    if (all.length === 0) return [];
    const missing = all.flatMap(([name, isTried]) => (isTried ? [] : name));
    const more = missing.length > NAMED_MAX ? `, and ${missing.length - NAMED_MAX} more` : '';
    const without = missing.length === 0 ? '' : `; not ${missing.slice(0, NAMED_MAX).join(', ')}${more}`;
    return `${all.length - missing.length} of ${all.length} ${kind}${without}`;
  });
  return [...lines, `${percentOf(coverage)} % of all`];
}

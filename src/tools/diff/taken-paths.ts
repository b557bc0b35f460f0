/** Paths of a later contract that take the requests of an earlier path with parameters: `/notes/search` beside `/notes/{id}`. */
import { ApiError, stringifyJson } from '../../engine';
import {
  type Contract,
  type ContractOperation,
  type Document,
  operationsOf,
  type Path,
  type PathItem,
} from '../../engine/reading';
import { createRouter, OneReader } from '../../engine/tooling';
import { readJson } from '../samples/json';
import { Oracle } from '../samples/oracle';
import { templateOf } from './plain';

/** An operation at another path. */
interface Moved {
  operation: ContractOperation;
  path: string;
}

/** An operation of the earlier contract, the path of the later one that takes some of its requests, and what answers them there: nothing for 405. */
interface Taken extends Moved {
  now: ContractOperation | undefined;
}

/** The operations some of whose requests go to another path now. */
export function* takenPaths(base: Contract, revised: Contract): Generator<Taken> {
  const [before, later] = [createRouter(base.operations, ''), createRouter(revised.operations, '')];
  const known = new Set(base.operations.map(({ path }) => templateOf(path)));
  const oracle = new Oracle(base.document);
  for (const path of new Set(revised.operations.map((operation) => operation.path))) {
    if (known.has(templateOf(path))) continue;
    // Its own parameters stand for any text.
    const methods = later.methodsOf(path);
    for (const method of before.methodsOf(path)) {
      const { plan: operation, path: texts } = before.match(method, path);
      // A HEAD is a GET.
      if (operation.method !== method || !takes(operation, texts, base, oracle)) continue;
      const now = methods.includes(method) ? later.match(method, path).plan : undefined;
      if (now === undefined || now.method === method) yield { operation, path, now };
    }
  }
}

/** A contract of nothing but the requests that operations take, each at another path; its places are where they are written. */
export function requestsAt({ document, place }: Contract, moved: readonly Moved[]): Contract {
  const paths: Record<string, PathItem> = {};
  const written = new Map<string, Path>();
  for (const { operation, path } of moved) {
    const { at, parameters, requestBody, security } = operation;
    const [, from = '', ...steps] = at;
    const item = (paths[path] ??= {});
    const holder = steps.length > 1 ? (item.additionalOperations ??= {}) : item;
    // What its path says is not part of its requests there.
    const sent = parameters.filter((each) => each.in !== 'path');
    Reflect.set(holder, steps.at(-1) ?? '', { parameters: sent, requestBody, security, responses: {} });
    written.set(path, ['paths', from]);
  }
  const { openapi, info, components } = document;
  const requests: Document = { openapi, info, paths, ...(components && { components }) };
  return {
    document: requests,
    operations: operationsOf(requests),
    place: (path, part) => place([...(written.get(String(path[1])) ?? path.slice(0, 2)), ...path.slice(2)], part),
  };
}

/** True if the parameters of an operation may be these texts, of which those with a parameter within may be any. */
function takes(
  { parameters }: ContractOperation,
  texts: Readonly<Record<string, string>>,
  { document }: Contract,
  oracle: Oracle,
): boolean {
  return parameters.every((parameter) => {
    const text = parameter.in === 'path' ? texts[parameter.name] : undefined;
    if (text === undefined || text.includes('%7B') || parameter.schema === undefined) return true;
    try {
      const value = new OneReader(document, parameter).fromText(text);
      return oracle.accepts(parameter.schema, readJson(stringifyJson(value)));
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  });
}

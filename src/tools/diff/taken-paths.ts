/** Paths of a later contract that take the requests of an earlier path with parameters: `/notes/search` beside `/notes/{id}`. */
import { ApiError, stringifyJson } from '../../engine';
import type { Contract, ContractOperation } from '../../engine/reading';
import { createRouter, OneReader } from '../../engine/tooling';
import { readJson } from '../samples/json';
import { Oracle } from '../samples/oracle';
import { templateOf } from './plain';

/** An operation of the earlier contract, and the path of the later one that refuses its method. */
interface Taken {
  operation: ContractOperation;
  path: string;
}

/** The operations some of whose requests get 405 now. */
export function* takenPaths(base: Contract, revised: Contract): Generator<Taken> {
  const [before, now] = [createRouter(base.operations, ''), createRouter(revised.operations, '')];
  const known = new Set(base.operations.map(({ path }) => templateOf(path)));
  const oracle = new Oracle(base.document);
  for (const path of new Set(revised.operations.map((operation) => operation.path))) {
    if (known.has(templateOf(path))) continue;
    // Its own parameters stand for any text.
    const methods = now.methodsOf(path);
    for (const method of before.methodsOf(path)) {
      const { plan: operation, path: texts } = before.match(method, path);
      // A HEAD is a GET.
      if (operation.method !== method || methods.includes(method)) continue;
      if (takes(operation, texts, base, oracle)) yield { operation, path };
    }
  }
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

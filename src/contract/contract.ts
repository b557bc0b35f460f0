/** `openapi.yaml` as it is read at run time: the document, its operations, and where everything stands in the file. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { messageOf } from '../api-error';
import type { ExpectedBody } from '../http/body';
import {
  type Document,
  METHODS,
  type Parameter,
  type Path,
  type RequestBody,
  resolve,
  type ResponseObject,
  type SecurityRequirement,
} from './openapi';

/** One operation of the contract, references followed, path-level parameters and default security included. */
export interface ContractOperation {
  id: string;
  /** In upper case, as HTTP writes it. */
  method: string;
  /** The path template, without the base path. */
  path: string;
  /** Where it stands in the document. */
  at: Path;
  parameters: readonly Parameter[];
  requestBody: RequestBody | undefined;
  /** What a body must be to be read. */
  body: ExpectedBody | undefined;
  responses: Readonly<Record<string, ResponseObject>>;
  /** The alternatives that let a request in; empty means everyone. */
  security: readonly SecurityRequirement[];
}

export interface Contract {
  document: Document;
  operations: readonly ContractOperation[];
  /** `openapi.yaml:12:7` for the path of something in the document, or of what is nearest to it. */
  place(path: Path): string;
}

/** Something wrong with a contract, and where; an empty path is the whole document. */
export type Problem = [path: Path, text: string];

/** What is wrong with a contract, all of it: a line each, with its place. */
export class ContractProblems extends Error {
  override readonly name = 'ContractProblems';

  constructor(readonly problems: readonly string[]) {
    super(`the contract is not fit to be served:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** A YAML file as a value, with the place of each part; throws ContractProblems where it is no YAML. */
export function readYaml(file: string): { value: unknown; place: Contract['place'] } {
  const lines = new LineCounter();
  const yaml = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const name = basename(file);
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
    return { value: yaml.toJS(), place };
  } catch (error) {
    throw new ContractProblems([`${name}:1:1 ${messageOf(error)}`]); // an alias that leads nowhere, or to too much
  }
}

/** The operations of a document in its order; one without an `operationId` is named `METHOD path`. */
export function operationsOf(document: Document): ContractOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const pathItem = resolve(document, item);
    return METHODS.flatMap((method) => {
      const operation = pathItem[method];
      if (operation === undefined) return [];
      const own = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
      const shared = (pathItem.parameters ?? []).map((parameter) => resolve(document, parameter));
      const overridden = ({ name, in: where }: Parameter) =>
        own.some((each) => each.name === name && each.in === where);
      const { operationId, responses = {} } = operation;
      const requestBody = operation.requestBody && resolve(document, operation.requestBody);
      return {
        id: operationId ?? `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        at: ['paths', path, method],
        parameters: [...own, ...shared.filter((parameter) => !overridden(parameter))],
        requestBody,
        body: requestBody && { required: requestBody.required ?? false, mediaTypes: Object.keys(requestBody.content) },
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [status, resolve(document, response)]),
        ),
        security: operation.security ?? document.security ?? [],
      };
    });
  });
}

/** The handlers of a new project: a file for each operation, and their table. */
import { type Contract, type ContractOperation, type Document, resolve } from '../../engine/reading';
import { type HandlerName, handlerNames } from './operation-names';
import { inComment, literal } from './source-text';

/** An operation with the names of its handler. */
export interface Handled extends HandlerName {
  /** `GET /notes` */
  request: string;
  /** What its author says of it; empty if nothing. */
  summary: string;
  operation: ContractOperation;
}

export function handledOf({ operations, document }: Contract): Handled[] {
  const names = handlerNames(operations.map(({ id }) => id));
  return names.flatMap((name, index): Handled[] => {
    const operation = operations[index];
    if (!operation) return [];
    const { method, path } = operation;
    return [{ ...name, request: `${method} ${path}`, summary: summaryOf(document, operation), operation }];
  });
}

function summaryOf(document: Document, { path, method }: ContractOperation): string {
  const item: Readonly<Record<string, unknown>> = { ...resolve(document, document.paths?.[path] ?? {}) };
  const said = item[method.toLowerCase()];
  return typeof said === 'object' && said && 'summary' in said && typeof said.summary === 'string' ? said.summary : '';
}

/** A handler that is not written yet. */
export function handlerText({ id, constant, request, summary }: Handled): string {
  return `\
import { notWritten } from '../engine';
import type { Operation } from '../operation';

/** ${inComment(summary === '' ? request : `${request}: ${summary}`)} */
export const ${constant}: Operation<${literal(id)}> = notWritten(${literal(id)});
`;
}

/** `src/handlers.ts` */
export function tableText(all: readonly Handled[]): string {
  const rows = all.map(({ id, constant }) => (id === constant ? `${constant},` : `${literal(id)}: ${constant},`));
  return `\
/** The one table from the contract's operations to their handlers: a missing, superfluous or wrong one does not compile. */
import type { Handlers } from './operation';
${all.map(({ constant, file }) => `import { ${constant} } from './operations/${file}';\n`).join('')}
/** The start holds the contract's list of codes, if it has one, to these and the server's own. */
export { errorCodes } from './error-codes';

export const handlers: Handlers = {
${rows.join('\n')}
};
`;
}

/** `src/error-codes.ts`; without `hasCode` the contract has another name for the code of what is not written. */
export function errorCodesText(hasCode: boolean): string {
  return `\
/** The codes of the errors that handlers throw, by name; the server's own are in \`ErrorCode\`. */
${hasCode ? "import { NotWrittenCode } from './engine';\n" : ''}
/**
 * The HTTP status times 100, plus a number: if NoSuchThing is 40402, \`throw new ApiError(errorCodes.NoSuchThing, 'there is no
 * such thing')\` answers 404.
 */
export const errorCodes = ${hasCode ? '{ ...NotWrittenCode }' : '{}'};
`;
}

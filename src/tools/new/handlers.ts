/** The handlers of a new project: a file for each operation, and their table. */
import { type Contract, type ContractOperation, type Document, resolve } from '../../engine/reading';
import { type HandlerName, handlerNames } from './operation-names';
import { inComment, literal } from './source-text';
import { fill } from './template';

/** An operation with the names of its handler. */
export interface Handled extends HandlerName {
  /** `GET /notes` */
  request: string;
  /** The author's summary; empty if there is none. */
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

/** The source of a handler that is not written yet. */
export function handlerText({ id, constant, request, summary }: Handled): string {
  const what = inComment(summary === '' ? request : `${request}: ${summary}`);
  return fill('src/operations/handler.ts', { summary: what, constant, id: literal(id) });
}

/** The source of `src/handlers.ts`. */
export function tableText(all: readonly Handled[]): string {
  return fill('src/handlers.ts', {
    imports: all.map(importOf).join('\n'),
    rows: all.map(rowOf).join('\n'),
  });
}

/** The line of the table that imports a handler. */
export const importOf = ({ constant, file }: Handled): string => `import { ${constant} } from './operations/${file}';`;

/** The row of the table for a handler. */
export const rowOf = ({ id, constant }: Handled): string =>
  id === constant ? `${constant},` : `${literal(id)}: ${constant},`;

/**
 * The source of `src/error-codes.ts`; without `hasCode` the contract has another name for the code of an unwritten
 * handler.
 */
export function errorCodesText(hasCode: boolean): string {
  return fill('src/error-codes.ts', {
    imports: hasCode ? "import { NotWrittenCode } from 'openapi-in-charge';" : '',
    codes: hasCode ? '{ ...NotWrittenCode }' : '{}',
  });
}

/** Handlers for operations that have none yet: a file for each and a row in `src/handlers.ts`, in a project that `new` has made. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import type { Contract } from '../../engine/reading';
import { handledOf, type Handled, handlerText, rowOf, importOf } from '../new/handlers';
import { writeFormatted } from '../new/write-formatted';
import { root } from '../project/run-command';

const TABLE = 'src/handlers.ts';

/** Writes what is missing; resolves to a line for each operation, which says what was written, or what to write. */
export async function writeStubs(contract: Contract): Promise<string[]> {
  const table = join(root, TABLE);
  if (!existsSync(table)) return [];
  const source = ts.createSourceFile(TABLE, readFileSync(table, 'utf8'), ts.ScriptTarget.Latest, true);
  const named = new Set(namesIn(source));
  const missing = handledOf(contract).filter(({ id }) => !named.has(id));
  const rows = tableIn(source);
  // The handlers of a spread are unknown here: the compiler says what is missing.
  if (rows?.properties.some((each) => !each.name || nameOf(each.name).length === 0)) return [];
  const [lines, added]: [string[], Handled[]] = [[], []];
  for (const each of missing) {
    const file = `src/operations/${each.file}.ts`;
    if (!rows || existsSync(join(root, file))) {
      lines.push(`${TABLE} has no handler for ${each.request}: write one, an Operation<${JSON.stringify(each.id)}>`);
      continue;
    }
    await writeFormatted(join(root, file), handlerText(each));
    added.push(each);
    lines.push(`${file} written, to be completed: ${each.request}`);
  }
  if (rows && added.length > 0) {
    writeFileSync(table, withRows(source, rows, added));
    await writeFormatted(table, readFileSync(table, 'utf8'));
  }
  return lines;
}

/** The names of all members of objects of a module. */
function namesIn(node: ts.Node): string[] {
  const own =
    ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isMethodDeclaration(node)
      ? nameOf(node.name)
      : [];
  const within: string[] = [];
  ts.forEachChild(node, (child) => void within.push(...namesIn(child)));
  return [...own, ...within];
}

function nameOf(name: ts.PropertyName): string[] {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? [name.text] : [];
}

/** The object of `export const handlers: Handlers = {...}`, as `new` writes it; undefined if the module has another form. */
function tableIn(source: ts.SourceFile): ts.ObjectLiteralExpression | undefined {
  const declarations = source.statements.flatMap((each) =>
    ts.isVariableStatement(each) ? [...each.declarationList.declarations] : [],
  );
  const value = declarations.find(({ name }) => ts.isIdentifier(name) && name.text === 'handlers')?.initializer;
  return value && ts.isObjectLiteralExpression(value) ? value : undefined;
}

function withRows(source: ts.SourceFile, rows: ts.ObjectLiteralExpression, added: readonly Handled[]): string {
  const text = source.text;
  const imports = Math.max(0, ...source.statements.filter(ts.isImportDeclaration).map((each) => each.getEnd()));
  const last = rows.properties.at(-1);
  const end = last?.getEnd() ?? rows.getStart(source) + 1;
  return [
    text.slice(0, imports),
    ...added.map((each) => `\n${importOf(each)}`),
    text.slice(imports, end),
    last ? ',' : '',
    ...added.map((each) => `\n${rowOf(each)}`),
    // A comma behind the last row is behind ours.
    rows.properties.hasTrailingComma ? text.slice(end).replace(',', '') : text.slice(end),
  ].join('');
}

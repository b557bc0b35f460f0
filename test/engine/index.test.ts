/** The door of the engine: a name that a service may import says what it is, and shows how it is used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const engine = join(__dirname, '../../src/engine');

it.each(exportsOf('index'))('%s is documented, with an example that can be read as TypeScript', (name, module) => {
  const docs = declarationsIn(parse(module), name).flatMap((each) =>
    ts.getJSDocCommentsAndTags(each).filter(ts.isJSDoc),
  );
  const sentences = docs.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');
  expect(sentences.join('')).not.toBe('');
  const examples = docs.flatMap(({ tags = [] }) => tags.filter(({ tagName }) => tagName.text === 'example'));
  expect(examples).not.toEqual([]);
  for (const { comment } of examples) {
    const example = ts.getTextOfJSDocComment(comment) ?? '';
    expect(example).toMatch(new RegExp(String.raw`\b${name}\b`));
    expect(ts.transpileModule(example, { reportDiagnostics: true }).diagnostics).toEqual([]);
  }
});

/** The names that a door of the engine exports, each with the module that defines it. */
function exportsOf(door: string): [name: string, module: string][] {
  return parse(door).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause || !ts.isNamedExports(statement.exportClause))
      throw new Error(`expected exports by name, got ${statement.getText()}`);
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) throw new Error('expected exports of other modules');
    return statement.exportClause.elements.map(({ name }): [string, string] => [name.text, moduleSpecifier.text]);
  });
}

/** All declarations of a name: a type may share it with a constant. */
function declarationsIn({ statements }: ts.SourceFile, name: string): ts.Node[] {
  const declared = statements.flatMap((statement): readonly ts.NamedDeclaration[] => {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
    return isNamed(statement) ? [statement] : [];
  });
  return declared.filter((each) => each.name?.getText() === name);
}

function isNamed(node: ts.Node): node is ts.DeclarationStatement {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function parse(module: string): ts.SourceFile {
  const file = join(engine, `${module}.ts`);
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

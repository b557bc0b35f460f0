/** Changes of code in a copy of the project, by what it says and not by how that is written. */
import * as ts from 'typescript';
import type { ProjectCopy } from './project-copy';

/** Writes another text in the place of the one node for which `by` gives one. */
function editCode(copy: ProjectCopy, file: string, by: (node: ts.Node) => string | undefined): void {
  const source = ts.createSourceFile(file, copy.read(file), ts.ScriptTarget.Latest, true);
  const edits: { node: ts.Node; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const text = by(node);
    if (text !== undefined) edits.push({ node, text });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  const [edit] = edits;
  if (!edit || edits.length > 1) throw new Error(`expected one such place in ${file}, got ${edits.length}`);
  const { text: whole } = source;
  copy.write(file, whole.slice(0, edit.node.getStart()) + edit.text + whole.slice(edit.node.getEnd()));
}

/** Adds a member to the object or list that a variable holds, or that the function in it returns. */
export function addMember(copy: ProjectCopy, file: string, variable: string, member: string): void {
  editCode(copy, file, (node) => {
    if (!isValueOf(node, variable)) return undefined;
    if (ts.isObjectLiteralExpression(node)) return `{ ${[...node.properties.map(textOf), member].join(', ')} }`;
    return ts.isArrayLiteralExpression(node) ? `[${[...node.elements.map(textOf), member].join(', ')}]` : undefined;
  });
}

/** Whether a node is what the variable holds, types and parentheses aside. */
function isValueOf({ parent }: ts.Node, variable: string): boolean {
  if (ts.isVariableDeclaration(parent)) return parent.name.getText() === variable;
  const isAround = [ts.isAsExpression, ts.isSatisfiesExpression, ts.isParenthesizedExpression, ts.isArrowFunction];
  return isAround.some((is) => is(parent)) && isValueOf(parent, variable);
}

function textOf(node: ts.Node): string {
  return node.getText();
}

/** The last check of generated code, for any contract: the code declares types and constants, and runs nothing. */
import * as ts from 'typescript';

/** Throws unless the text is TypeScript that only declares types, and exports constants with literals as values. */
export function assertDeclarations(text: string): void {
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  const [unparsed] = diagnostics;
  if (unparsed) refuse(text, unparsed.start ?? 0, ts.flattenDiagnosticMessageText(unparsed.messageText, ' '));
  const source = ts.createSourceFile('generated.ts', text, ts.ScriptTarget.Latest);
  for (const statement of source.statements)
    if (!isDeclaration(statement))
      refuse(text, statement.getStart(source), 'expected a type, or an exported constant of literals');
}

function refuse(text: string, start: number, why: string): never {
  const number = text.slice(0, start).split('\n').length;
  const line = text.split('\n')[number - 1]?.trim() ?? '';
  throw new Error(
    `the code that was generated from the contract is not written: ${why}, got in line ${number}: ${line}`,
  );
}

function isDeclaration(statement: ts.Statement): boolean {
  // The generator writes a type of its own, WithRequired, which it does not export.
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return statement.modifiers === undefined || isExported(statement);
  if (!ts.isVariableStatement(statement) || !isExported(statement)) return false;
  const { flags, declarations } = statement.declarationList;
  return (flags & ts.NodeFlags.BlockScoped) === CONST && declarations.every(isConstant);
}

const CONST: number = ts.NodeFlags.Const;

/** True if `export` is the only modifier: no decorator, no `default`. */
function isExported({ modifiers }: { modifiers?: ts.NodeArray<ts.ModifierLike> }): boolean {
  return modifiers?.length === 1 && modifiers[0]?.kind === ts.SyntaxKind.ExportKeyword;
}

function isConstant({ name, initializer }: ts.VariableDeclaration): boolean {
  return ts.isIdentifier(name) && initializer !== undefined && isLiteral(initializer);
}

function isLiteral(value: ts.Expression): boolean {
  if (ts.isAsExpression(value)) return isConst(value.type) && isLiteral(value.expression);
  if (ts.isArrayLiteralExpression(value)) return value.elements.every(isLiteral);
  if (ts.isObjectLiteralExpression(value)) return value.properties.every(isMember);
  if (ts.isPrefixUnaryExpression(value))
    return value.operator === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(value.operand);
  return ts.isStringLiteral(value) || ts.isNumericLiteral(value) || KEYWORDS.has(value.kind);
}

const KEYWORDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
]);

/** True if a member of an object is a name and a literal: not computed, no method, no spread. */
function isMember(member: ts.ObjectLiteralElementLike): boolean {
  return ts.isPropertyAssignment(member) && !ts.isComputedPropertyName(member.name) && isLiteral(member.initializer);
}

function isConst(type: ts.TypeNode): boolean {
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === 'const';
}

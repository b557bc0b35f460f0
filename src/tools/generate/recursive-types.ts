/**
 * Types of schemas that contain themselves without an object between, as lists of lists do. The compiler refuses a member of an interface
 * whose type needs that very member; a type with a name may have itself as the items of a list.
 */
import * as ts from 'typescript';

/** Has each such schema of the components be a type with a name, in place; returns these types, whose names may be taken. */
export function nameRecursive(ast: readonly ts.Node[]): ts.TypeAliasDeclaration[] {
  const { factory } = ts;
  const schemas = ast.flatMap(schemasOf);
  const within = new Map(schemas.map(({ name, type }) => [name, schemasWithin(type)]));
  const isRecursive = (name: string): boolean => {
    const reached = new Set(within.get(name));
    for (const each of reached) for (const next of within.get(each) ?? []) reached.add(next);
    return reached.has(name);
  };
  const recursive = schemas
    .filter(({ name }) => isRecursive(name))
    .map((schema) => ({ ...schema, identifier: factory.createIdentifier(typeName(schema.name)) }));
  const names = new Map(recursive.map(({ name, identifier }) => [name, identifier]));
  const withNames = (node: ts.Node): ts.Node => {
    const name = names.get(schemaAt(node) ?? '');
    if (name) return factory.createTypeReferenceNode(name);
    return ts.isTypeLiteralNode(node) ? node : ts.visitEachChild(node, withNames, undefined);
  };
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return recursive.map(({ type, member, identifier }) => {
    Object.assign(member, { type: factory.createTypeReferenceNode(identifier) });
    const named = ts.visitNode(type, withNames, ts.isTypeNode);
    return factory.createTypeAliasDeclaration(exported, identifier, undefined, named);
  });
}

interface TypedSchema {
  name: string;
  type: ts.TypeNode;
  member: ts.TypeElement;
}

/** The schemas of `interface components`. */
function schemasOf(node: ts.Node): TypedSchema[] {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') return [];
  const [schemas] = node.members.flatMap(typed).filter(({ name }) => name === 'schemas');
  return schemas && ts.isTypeLiteralNode(schemas.type) ? schemas.type.members.flatMap(typed) : [];
}

function typed(member: ts.TypeElement): TypedSchema[] {
  if (!ts.isPropertySignature(member) || !member.type) return [];
  const { name, type } = member;
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? [{ name: name.text, type, member }] : [];
}

/** The schemas that the compiler asks for where it asks for a type: not those of properties. */
function schemasWithin(type: ts.Node): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const name = schemaAt(node);
    if (name !== undefined) found.add(name);
    if (!ts.isTypeLiteralNode(node)) ts.forEachChild(node, visit);
  };
  visit(type);
  return found;
}

/** The name of the schema that a type refers to, as `components["schemas"]["List"]`. */
function schemaAt(node: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  return keyOf(node.objectType) === 'schemas' ? keyOf(node) : undefined;
}

function keyOf({ indexType }: ts.IndexedAccessTypeNode): string | undefined {
  return ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal) ? indexType.literal.text : undefined;
}

/** Begins with a capital: no other name in the file does, but those of enumerations and of what TypeScript has. */
function typeName(schema: string): string {
  const [first = '', ...others] = schema.replaceAll(/\W+/g, '_');
  return first.toUpperCase() + others.join('');
}

/** `generated/openapi.ts`: the types of the contract, by openapi-typescript. */
import { readFileSync } from 'node:fs';
import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  type SchemaObject,
  type TransformNodeOptions,
  transformSchema,
  transformSchemaObject,
} from 'openapi-typescript';
import * as ts from 'typescript';
import {
  allSchemas,
  type Annotation,
  conjoinedSchemas,
  digestOf,
  type Document,
  type Header,
  isAnnotated,
  isIgnored,
  isInt64,
  isInt64Format,
  isJson,
  isSchema,
  operationsOf,
  type Parameter,
  partsOf,
  reachableSchemas,
  resolve,
  type Schema,
  typesOf,
} from '../../engine/reading';
import { judgeDocument, leaveOutUnserved } from '../../engine/tooling';
import { readContract } from '../project/read-contract';
import { assertDeclarations } from './declarations';
import { isMadePath, lower32 } from './lower-32';
import { lowerFiles } from './lower-files';
import { conjoinAnyOf, declareRequired, lowerSchemas, PRESENT } from './lower-schemas';
import { readableText } from './readable-text';
import { nameRecursive } from './recursive-types';

/** TypeScript in which int64 is `bigint`, and an enumeration with names for its values is an object of them. */
export function contractTypes(contractFile: string): string {
  const { document } = readContract(contractFile);
  const digest = digestOf(document);
  const served = leaveOutUnserved(document, judgeDocument).document as Document; // without some of its parts
  const typed = typedDocument(served);
  const { text, named } = readableText(typed);
  const generated = JSON.parse(text) as OpenAPI3;
  const hasMarkers = allSchemas(typed).some(({ readOnly, writeOnly }) => readOnly === true || writeOnly === true);
  const ast = transformSchema(generated, generatorContext(generated, hasMarkers));
  const recursive = nameRecursive(ast);
  nameApart([...ast.filter(ts.isEnumDeclaration), ...recursive]);
  const statements = [
    ...ast.map(withoutMadePaths).map(withNamesAsTexts).map(markOthers).flatMap(withNull).flatMap(asObject),
    ...recursive,
  ];
  const declarations = named(astToString(statements));
  assertDeclarations(declarations);
  return `\
// Written with openapi-typescript ${generatorVersion()}.

/** The contract that this file was generated from; the server does not start with another. */
export const contractDigest = '${digest}';

${declarations}
${EXACT_JSON}`;
}

/**
 * The options of the generator. Its own front, `openapiTS`, would have redocly lint and bundle the document, which has been judged, and is one;
 * redocly calls itself for each schema that refers to another, so that a thousand of them are too many.
 */
function generatorContext(document: OpenAPI3, readWriteMarkers: boolean): GlobalContext {
  const context: Omit<GlobalContext, 'redoc'> = {
    transform: (schema, options) =>
      ownType(schema.type, schema.format, schema.writeOnly) ?? presentType(schema) ?? tupleType(schema, options),
    resolve: ($ref) => resolveRef(document, $ref, { silent: false }),
    readWriteMarkers,
    ...{ enum: true, conditionalEnums: true, emptyObjectsUnknown: true, defaultNonNullable: true },
    ...{ additionalProperties: false, alphabetize: false, arrayLength: false, enumValues: false, dedupeEnums: false },
    ...{ excludeDeprecated: false, exportType: false, immutable: false, pathParamsAsTypes: false, silent: false },
    ...{ propertiesRequiredByDefault: false, makePathsEnum: false, generatePathParams: false },
    ...{ rootTypes: false, rootTypesNoSchemaPrefix: false, rootTypesKeepCasing: false },
    ...{ discriminators: { objects: {}, refsHandled: [] }, injectFooter: [] }, // lower-schemas.ts leaves no discriminator
    ...{ postTransform: undefined, transformProperty: undefined },
  };
  return context as GlobalContext; // without the settings of redocly
}

/** For clients; a server reads and writes JSON by itself. */
const EXACT_JSON = `\
/** \`JSON.stringify\` for bodies that have an int64: a bigint is written as the number that it is. */
export function exactJson(value: unknown): string {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null || "toJSON" in value) return JSON.stringify(value) ?? "null";
    if (Array.isArray(value)) return \`[\${value.map(exactJson).join()}]\`;
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return \`{\${members.map(([name, member]) => \`\${JSON.stringify(name)}:\${exactJson(member)}\`).join()}}\`;
}
`;

/** The paths that were written down for the types of their operations only are left out. */
function withoutMadePaths(node: ts.Node): ts.Node {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'paths') return node;
  const members = node.members.filter(({ name }) => !(name && ts.isStringLiteral(name) && isMadePath(name.text)));
  return withMembers(node, members);
}

function withMembers(node: ts.InterfaceDeclaration, members: readonly ts.TypeElement[]): ts.InterfaceDeclaration {
  return ts.factory.updateInterfaceDeclaration(
    node,
    node.modifiers,
    node.name,
    undefined,
    node.heritageClauses,
    members,
  );
}

/** Has operations that are called by a number under its text, as handlers are: the generator has them under the number. */
function withNamesAsTexts(node: ts.Node): ts.Node {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'operations') return node;
  const { factory } = ts;
  const members = node.members.map((member) =>
    ts.isPropertySignature(member) && ts.isNumericLiteral(member.name)
      ? factory.updatePropertySignature(
          member,
          member.modifiers,
          factory.createStringLiteral(member.name.text),
          member.questionToken,
          member.type,
        )
      : member,
  );
  return withMembers(node, members);
}

/**
 * Has other properties of an object take the marks of the named ones, as they do their types: otherwise the compiler would find an object
 * without marks in it.
 */
function markOthers(node: ts.Node): ts.Node {
  const { factory } = ts;
  const visited = ts.visitEachChild(node, markOthers, undefined);
  if (!ts.isIntersectionTypeNode(visited)) return visited;
  const members = visited.types.flatMap((type) => (ts.isTypeLiteralNode(type) ? [...type.members] : []));
  const marked = members.flatMap((member) =>
    ts.isPropertySignature(member) && member.type && isMarked(member.type) ? member.type : [],
  );
  if (marked.length === 0) return visited;
  const types = visited.types.map((type) => {
    const [others] = ts.isTypeLiteralNode(type) ? type.members : [];
    if (!others || !ts.isIndexSignatureDeclaration(others) || others.type.kind === ts.SyntaxKind.UnknownKeyword)
      return type;
    const { modifiers, parameters, type: own } = others;
    const widened = factory.createUnionTypeNode([...(ts.isUnionTypeNode(own) ? own.types : [own]), ...marked]);
    return factory.createTypeLiteralNode([factory.createIndexSignature(modifiers, parameters, widened)]);
  });
  return factory.createIntersectionTypeNode(types);
}

function isMarked(type: ts.TypeNode): boolean {
  return (
    ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && /^\$(?:Read|Write)$/.test(type.typeName.text)
  );
}

/** Replaces the generator's `WithRequired`, which does not compile for a schema that allows null: `required` is only about objects. */
function withNull(node: ts.Node): ts.Node | readonly ts.Node[] {
  return ts.isTypeAliasDeclaration(node) && node.name.text === 'WithRequired' ? WITH_REQUIRED.statements : node;
}

const WITH_REQUIRED = ts.createSourceFile(
  'with-required.ts',
  'type WithRequired<T, K extends string> = T extends object ? T & { [P in keyof T as P & K]-?: T[P] } : T;',
  ts.ScriptTarget.Latest,
);

/** Gives each a name of its own: the generator takes `A2` for `A-2`, too. All references share the node of the name. */
function nameApart(declared: readonly (ts.EnumDeclaration | ts.TypeAliasDeclaration)[]): void {
  const taken = new Set(USED);
  for (const { name } of declared) {
    let free = name.text.replace(/^\d/, '_$&');
    while (taken.has(free)) free += '_';
    taken.add(free);
    Object.assign(name, { escapedText: free });
  }
}

/** The names of other types and values that the generated file uses. */
const USED = 'Array JSON NonNullable Object Readable Record String Uint8Array WithRequired Writable'.split(' ');

/** An enum as an object `as const` and a type of the same name: what Node, which only takes types out of TypeScript, can run. */
function asObject(node: ts.Node): ts.Node | ts.Node[] {
  if (!ts.isEnumDeclaration(node)) return node;
  const { factory } = ts;
  const names = new Set<string>();
  const members = node.members.map((member) => {
    // `a-b` and `a b` are both `a_b`; the generator has names without a letter in quotes, whatever is within them.
    let name = ts.isIdentifier(member.name) ? member.name.text.replaceAll(/^"|"$/g, '') : '';
    while (names.has(name)) name += '_';
    names.add(name);
    const property = factory.createPropertyAssignment(
      /^[\w$]+$/.test(name) ? name : JSON.stringify(name),
      member.initializer ?? factory.createVoidZero(),
    );
    return ts.setSyntheticLeadingComments(property, ts.getSyntheticLeadingComments(member));
  });
  const values = factory.createAsExpression(
    factory.createObjectLiteralExpression(members, true),
    factory.createTypeReferenceNode('const'),
  );
  const declaration = factory.createVariableDeclaration(node.name, undefined, undefined, values);
  const object = factory.createTypeQueryNode(node.name);
  const keys = factory.createTypeOperatorNode(ts.SyntaxKind.KeyOfKeyword, object);
  return [
    factory.createVariableStatement(
      node.modifiers,
      factory.createVariableDeclarationList([declaration], ts.NodeFlags.Const),
    ),
    factory.createTypeAliasDeclaration(
      node.modifiers,
      node.name,
      undefined,
      factory.createIndexedAccessTypeNode(object, keys),
    ),
  ];
}

/** The document without what the generator would make other types of than handlers and clients meet. */
function typedDocument(document: Document): Document {
  const typed = structuredClone(document);
  dropIgnored(typed);
  lower32(typed);
  lowerSchemas(typed);
  for (const schema of allSchemas(typed)) {
    // It has no types for these.
    if (schema.allOf) schema.allOf = schema.allOf.map(asObjectSchema);
    typeObjects(schema);
    // The generator takes a const of null for none.
    if (schema.const === null) Object.assign(schema, { const: undefined, enum: [null] });
    annotateProperties(typed, schema);
    typeInt64s(typed, schema);
  }
  for (const each of operationsOf(typed)) lowerFiles(typed, each);
  typeBytesInJson(typed);
  for (const { requestBody, body } of operationsOf(typed))
    for (const mediaType of body?.bytes ?? [])
      Object.assign(requestBody?.content[mediaType] ?? {}, { schema: { type: 'string', format: 'binary' } });
  for (const { parameters } of operationsOf(typed)) for (const each of parameters) typeByContent(each);
  for (const { responses } of operationsOf(typed))
    for (const { content = {} } of Object.values(responses))
      for (const [mediaType, { schema }] of Object.entries(content))
        if (mediaType.startsWith('text/event-stream')) typeEventData(typed, schema);
  // Requests that the service sends have no handlers.
  dropOperationIds(typed.webhooks, true);
  dropOperationIds(typed, false);
  for (const { responses } of operationsOf(typed)) {
    for (const { headers = {} } of Object.values(responses)) {
      // It takes every header behind a reference for a required one.
      for (const [name, header] of Object.entries(headers)) headers[name] = resolve(typed, header);
      for (const header of Object.values(headers)) typeByContent(header);
    }
  }
  declareRequired(typed);
  conjoinAnyOf(typed);
  return typed;
}

/** Has a parameter or a header with a media type typed by its schema: the generator takes it for text, or for an object of media types. */
function typeByContent(part: Parameter | Header): void {
  part.schema ??= Object.values(part.content ?? {})[0]?.schema ?? {};
  delete part.content;
}

/** Drops the parameters that OpenAPI has ignored: headers that are described elsewhere. */
function dropIgnored(document: Document): void {
  for (const { part, path } of partsOf(document)) {
    if (path.at(-1) !== 'parameters' || !Array.isArray(part)) continue;
    const kept = (part as Parameter[]).filter((each) => !isIgnored(resolve(document, each)));
    part.splice(0, part.length, ...kept);
  }
}

/** Has the objects of an enumeration typed as they are: with `type: object` it would take them for schemas. */
function typeObjects(schema: Schema): void {
  if (schema.type !== 'object' || !Array.isArray(schema.enum)) return;
  delete schema.type;
  schema.enum = schema.enum.filter(isSchema);
}

/** Has an int64 typed as one by each schema that it fits, not only by the one that names the format: the generator intersects their types. */
function typeInt64s(document: Document, schema: Schema): void {
  const own = schemasWithin(schema);
  if (isInt64([...conjoinedSchemas(document, schema)])) for (const each of own) typeInt64(each);
  for (const property of propertiesOf(document, schema))
    if (isInt64(property.all.flatMap((each) => [...conjoinedSchemas(document, each)])))
      for (const each of property.own.flatMap(schemasWithin)) typeInt64(each);
}

/** A property: its schemas in all that a value has to fit, and those of them with which the generator intersects its type. */
interface Property {
  all: readonly unknown[];
  own: readonly unknown[];
}

function propertiesOf(document: Document, schema: Schema): Property[] {
  const all = [...conjoinedSchemas(document, schema)];
  const own = schemasWithin(schema);
  const named = (schemas: readonly Schema[], name: string): unknown[] =>
    schemas.flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? properties[name] : []));
  const names = new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => ({ all: named(all, name), own: named(own, name) }));
}

/** A schema and those that are written in it for the same value, with which the generator intersects its type. */
function schemasWithin(schema: unknown): Schema[] {
  if (!isSchema(schema)) return [];
  const lists = [schema.allOf, schema.anyOf, schema.oneOf];
  return [schema, ...lists.flatMap((each) => (Array.isArray(each) ? each.flatMap(schemasWithin) : []))];
}

function typeInt64(schema: Schema): void {
  // It would list the values as numbers, and a handler gets a bigint.
  delete schema.enum;
  delete schema.const;
  if (isInt64Format(schema.format)) return;
  const types = typesOf([schema]);
  if (types.has('integer') || types.has('number')) schema.format = 'int64';
}

const ANNOTATIONS: readonly Annotation[] = ['readOnly', 'writeOnly'];

/** Has the annotations of properties in each of their schemas that has none, also beside references: the generator looks no further than at a property itself. */
function annotateProperties(document: Document, schema: Schema): void {
  for (const { all, own } of propertiesOf(document, schema)) {
    const known = ANNOTATIONS.filter((annotation) => all.some((each) => isAnnotated(document, each, annotation)));
    const plain = own.filter(isSchema).filter((each) => ANNOTATIONS.every((annotation) => each[annotation] !== true));
    for (const each of plain) for (const annotation of known) each[annotation] = true;
  }
}

/** Makes text of what JSON has in place of bytes, but for schemas that bodies of another media type have as well. */
function typeBytesInJson(document: Document): void {
  const [inJson, inOthers] = [new Set<Schema>(), new Set<Schema>()];
  for (const { requestBody, responses } of operationsOf(document))
    for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)])
      for (const [mediaType, { schema }] of Object.entries(content))
        for (const each of reachableSchemas(document, schema)) (isJson(mediaType) ? inJson : inOthers).add(each);
  for (const schema of inJson) if (schema.format === 'binary' && !inOthers.has(schema)) delete schema.format;
}

function asObjectSchema(schema: Schema | boolean): Schema {
  return schema === true ? {} : schema === false ? { not: {} } : schema;
}

/** Gives the data of events the type of its `contentSchema`, which the generator ignores: handlers give the value. */
function typeEventData(document: Document, schema: unknown): void {
  const holders = [...reachableSchemas(document, schema)].filter(({ properties }) => properties?.data);
  const contents = holders.map(({ properties }) => properties?.data?.contentSchema);
  if (contents.every((content) => content === undefined)) return;
  holders.forEach(({ properties = {} }, index) => {
    const content = contents[index];
    // Text that another branch describes as a value may be either.
    properties.data = isSchema(content) ? content : {};
  });
}

/** Takes the names of the operations of callbacks, or of all below `value`. */
function dropOperationIds(value: unknown, isSent: boolean): void {
  if (typeof value !== 'object' || value === null) return;
  if (isSent && 'operationId' in value && 'responses' in value) delete value.operationId;
  for (const [key, member] of Object.entries(value)) dropOperationIds(member, isSent || key === 'callbacks');
}

const KEYWORDS = {
  integer: ts.SyntaxKind.BigIntKeyword,
  number: ts.SyntaxKind.NumberKeyword,
  string: ts.SyntaxKind.StringKeyword,
  boolean: ts.SyntaxKind.BooleanKeyword,
} as const;

/** The type of a schema that the generator would give another one. */
function ownType(type: unknown, format?: string, writeOnly?: boolean): ts.TypeNode | undefined {
  if (isInt64Format(format)) return int64(type);
  const mayBeText = [type ?? 'string'].flat().includes('string');
  if (format === 'binary' && mayBeText) return ts.factory.createTypeReferenceNode('Uint8Array');
  // A null that only requests may have; the generator marks properties alone.
  return type === 'null' && writeOnly === true ? ts.factory.createTypeReferenceNode('$Write', [NULL]) : undefined;
}

/** The type of any value that is there. */
function presentType(schema: unknown): ts.TypeNode | undefined {
  if (!isSchema(schema) || schema[PRESENT] !== true) return undefined;
  return ts.factory.createUnionTypeNode([ts.factory.createTypeLiteralNode([]), NULL]);
}

/** The keywords of a list for its items. */
interface Tuple {
  prefixItems?: SchemaObject[];
  items?: unknown;
  minItems?: number;
  maxItems?: number;
}

/**
 * The type of a list whose first items have schemas of their own. The generator would have it that all of them are there, and no others:
 * JSON Schema says neither.
 */
function tupleType(schema: SchemaObject, options: TransformNodeOptions): ts.TypeNode | undefined {
  const types: unknown[] = [schema.type].flat();
  // By the types first: the generator asks for the schemas of properties that are `true` or `false`, too.
  if (types.filter((each) => each !== 'null').join() !== 'array') return undefined;
  const { prefixItems = [], items = {}, minItems = 0, maxItems = Infinity } = schema as Tuple;
  if (prefixItems.length === 0 && items !== false) return undefined;
  const { factory } = ts;
  const first = prefixItems.map((item, index) => {
    const type = typeOf(item, options);
    return index < minItems ? type : factory.createOptionalTypeNode(type);
  });
  const isClosed = items === false || maxItems <= prefixItems.length;
  const others = isClosed ? [] : [factory.createRestTypeNode(factory.createArrayTypeNode(typeOf(items, options)))];
  const tuple = factory.createTupleTypeNode([...first, ...others]);
  return types.includes('null') ? factory.createUnionTypeNode([tuple, NULL]) : tuple;
}

function typeOf(schema: unknown, options: TransformNodeOptions): ts.TypeNode {
  return isSchema(schema)
    ? transformSchemaObject(schema as SchemaObject, options)
    : ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword);
}

const NULL = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/** The type of an int64; undefined if `type` has no number. `[integer, 'null']` is `bigint | null`. */
function int64(type: unknown): ts.TypeNode | undefined {
  const types = new Set([type].flat().map((each: unknown) => (each === 'number' ? 'integer' : each)));
  if (!types.has('integer')) return undefined;
  const nodes = [...types].map((each) => {
    if (each === 'null') return NULL;
    const keyword = Object.entries(KEYWORDS).find(([name]) => name === each)?.[1] ?? ts.SyntaxKind.UnknownKeyword;
    return ts.factory.createKeywordTypeNode(keyword);
  });
  return nodes.length === 1 ? nodes[0] : ts.factory.createUnionTypeNode(nodes);
}

function generatorVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(require.resolve('openapi-typescript/package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : 'unknown';
}

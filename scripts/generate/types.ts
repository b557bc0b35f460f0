/** `generated/openapi.ts`: the contract's types, written by openapi-typescript. */
import { readFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { factory, SyntaxKind, type TypeNode } from 'typescript';
import type { Document } from '../../src/contract/document';
import { withDoubles } from '../../src/contract/source';
import { digestOf } from '../../src/contract/digest';
import { readContract } from '../read-contract';
import { isInt64, rootSchemas, schemasWithin } from '../../src/contract/walk';

/** The TypeScript text: int64 is `bigint`, and an enumeration with `x-enum-varnames` is an enum with these names. */
export async function contractTypes(contractFile: string): Promise<string> {
  const { document } = readContract(contractFile);
  const digest = digestOf(document);
  dropInt64Values(document);
  const ast = await openapiTS(JSON.stringify(withDoubles(document)), {
    enum: true,
    conditionalEnums: true,
    transform: ({ type, format }) => (format === 'int64' ? int64(type) : undefined),
  });
  return `\
// Written with openapi-typescript ${generatorVersion()}.

/** The contract that this file was generated from; the server does not start with another. */
export const contractDigest = '${digest}';

${astToString(ast)}`;
}

/** Of an int64 with `enum` or `const` the generator would make the type of these numbers, and a handler gets a `bigint`. */
function dropInt64Values(document: Document): void {
  for (const [root, path] of rootSchemas(document)) {
    for (const [schema] of schemasWithin(root, path)) {
      if (!isInt64([schema])) continue;
      delete schema.enum;
      delete schema.const;
    }
  }
}

const KEYWORDS = {
  integer: SyntaxKind.BigIntKeyword,
  number: SyntaxKind.NumberKeyword,
  string: SyntaxKind.StringKeyword,
  boolean: SyntaxKind.BooleanKeyword,
} as const;

/** The type of an integer, or of an integer among others: `[integer, 'null']` is `bigint | null`. */
function int64(type: unknown): TypeNode | undefined {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (!types.includes('integer')) return undefined;
  const nodes = types.map((each) => {
    if (each === 'null') return factory.createLiteralTypeNode(factory.createNull());
    const keyword = Object.entries(KEYWORDS).find(([name]) => name === each)?.[1] ?? SyntaxKind.UnknownKeyword;
    return factory.createKeywordTypeNode(keyword);
  });
  return nodes.length === 1 ? nodes[0] : factory.createUnionTypeNode(nodes);
}

function generatorVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(require.resolve('openapi-typescript/package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : 'unknown';
}

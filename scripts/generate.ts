/**
 * `openapi.yaml` to `generated/openapi.ts`: the types that handlers, errors and clients are written against.
 *
 *   npm run generate              writes the file
 *   npm run generate -- --check   writes nothing; prints a unified diff and exits 1 where the file is not what the
 *                                 contract gives
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createPatch } from 'diff';
import openapiTS, { astToString } from 'openapi-typescript';
import { factory, SyntaxKind } from 'typescript';

const root = join(__dirname, '..');
const contract = join(root, 'openapi.yaml');
const target = join(root, 'generated', 'openapi.ts');

const header = `\
// Generated from openapi.yaml by \`npm run generate\`. Do not edit: change the contract and generate again.
/* eslint-disable */

`;

/** The TypeScript text that the contract gives: int64 is \`bigint\`, enumerations are enums with their names. */
async function generate(): Promise<string> {
  const bigint = factory.createKeywordTypeNode(SyntaxKind.BigIntKeyword);
  const ast = await openapiTS(pathToFileURL(contract), {
    enum: true,
    transform: (schema) => (schema.format === 'int64' && schema.type === 'integer' ? bigint : undefined),
  });
  return header + astToString(ast);
}

function current(): string {
  try {
    return readFileSync(target, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(
      'npm run generate [-- --check]\nWrites generated/openapi.ts from openapi.yaml; --check compares instead.',
    );
    return 0;
  }
  const [is, should] = [current(), await generate()];
  const name = relative(root, target);
  if (values.check) {
    if (is === should) return 0;
    console.error(createPatch(name, is, should, 'as it is', 'as openapi.yaml gives it'));
    console.error(`${name} is not what openapi.yaml gives. Mend it with: npm run generate`);
    return 1;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, should);
  console.log(is === should ? `${name} is up to date` : `${name} written`);
  return 0;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);

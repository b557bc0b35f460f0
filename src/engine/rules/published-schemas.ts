/**
 * The schemas that OpenAPI and JSON Schema publish, compiled. Ajv takes 150 ms for it, a quarter of a start: the build has it write them
 * as code (`write-published-schemas.ts`). Code of another schema or Ajv is not found by its name; then they are compiled here, as in tests.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Ajv2020, { type CodeOptions, type ValidateFunction } from 'ajv/dist/2020';
import { forgetInherited } from '../schema/evaluated';

/** The keywords of JSON Schema. */
export const KEYWORDS: readonly string[] = Object.keys(new Ajv2020({ meta: false }).RULES.keywords);

/** The published schemas: of versions of OpenAPI, and of the dialect of JSON Schema that is its own. */
export const PUBLISHED = ['3.1', '3.2', 'JSON Schema'] as const;

/** The JSON text of a published schema. */
export function publishedText(name: string): string {
  const file =
    name === 'JSON Schema'
      ? require.resolve('ajv/dist/refs/json-schema-2020-12/schema.json')
      : require.resolve(`@seriousme/openapi-schema-validator/schemas/v${name}/schema.json`);
  return readFileSync(file, 'utf8');
}

const AJV = readFileSync(require.resolve('ajv/package.json'));

/** The name of the file with the code of a schema: the digest of all that it is made from. */
export function codeFileOf(text: string): string {
  return `${createHash('sha256').update(AJV).update(forgetInherited.name).update(text).digest('hex')}.js`;
}

/** The folder of the written code, beside the compiled form of this file. */
export const CODE_FOLDER = join(__dirname, 'published');

/** The validator of a published schema, given as its JSON text. */
export function compilePublished(text: string, codeFolder = CODE_FOLDER): ValidateFunction {
  const file = join(codeFolder, codeFileOf(text));
  if (existsSync(file)) return createRequire(file)(file) as ValidateFunction;
  return compile(text, { optimize: false }).validate; // optimization takes more time than it saves
}

/** A schema compiled by an Ajv of its own. Formats are not checked: those of URLs, for example, do not affect the service. */
export function compile(text: string, code: CodeOptions): { ajv: Ajv2020; validate: ValidateFunction } {
  const ajv = forgetInherited(
    new Ajv2020({ allErrors: true, logger: false, strict: false, validateFormats: false, code }),
  );
  const schema = JSON.parse(text) as { $id: string };
  return { ajv, validate: ajv.getSchema(schema.$id) ?? ajv.compile(schema) };
}

/** The ends of messages about wrong fields and words: what may be meant. */
import type { Path } from '../contract/document';
import { isSchema } from '../contract/traverse';
import { hintOf } from '../errors/misspelt';

/** A field that is unknown or missing in an object, and the fields that OpenAPI knows anywhere. */
interface WrongField {
  field: string | undefined;
  missing: string | undefined;
  fields: Iterable<string>;
}

const SWAGGER: Readonly<Record<string, string>> = {
  definitions: 'components/schemas',
  securityDefinitions: 'components/securitySchemes',
  consumes: 'the media types of a requestBody',
  produces: 'the media types of a response',
  host: 'servers',
  basePath: 'servers',
  schemes: 'servers',
};

/** `: expected X`, or where the field belongs; nothing if it resembles no other. */
export function structureHint(at: Path, holder: unknown, { field, missing, fields }: WrongField): string {
  const holding = isSchema(holder) ? holder : {};
  if (missing !== undefined) return missingHint(holding, missing);
  if (field === undefined) return '';
  const isContent = at.at(-2) === 'content' || field.includes('/');
  if (at.at(-1) === 'paths') return `: expected /${field}`;
  if (at.at(-1) === 'responses') return ': expected a status such as 200, a range such as 4XX, or default';
  if (at.at(-2) === 'content' && at.at(-1) === 'schema')
    return ': expected a media type such as application/json above schema';
  if (isContent && field.includes('/')) return ': expected it below content';
  if (isContent || isParameter(holding))
    return SCHEMA_WORDS.has(field)
      ? ': expected it below schema'
      : hintOf(field, ['schema', 'example', 'examples', 'required', ...fields]);
  if (field === 'schema' && 'description' in holding) return ': expected it below content and a media type';
  if (Object.hasOwn(SWAGGER, field)) return `: OpenAPI 3 has ${SWAGGER[field]} for it`;
  return hintOf(field, fields);
}

function missingHint(holding: Record<string, unknown>, missing: string): string {
  if (missing === 'content' && 'schema' in holding)
    return ', with a media type such as application/json below it, and schema below that';
  const own = Object.keys(holding);
  if (missing === 'schema' && own.some((name) => SCHEMA_WORDS.has(name)))
    return `, with ${own.filter((name) => SCHEMA_WORDS.has(name)).join(' and ')} below it`;
  return '';
}

function isParameter(holding: Record<string, unknown>): boolean {
  return 'in' in holding && 'name' in holding;
}

const SCHEMA_WORDS: ReadonlySet<string> = new Set(
  '$ref type format enum pattern items properties allOf anyOf oneOf minimum maximum minLength maxLength default'.split(
    ' ',
  ),
);

/** Words of other languages and tools for types of JSON Schema. */
const WORDS: Readonly<Record<string, string>> = {
  text: 'string',
  str: 'string',
  date: 'string, with format: date',
  datetime: 'string, with format: date-time',
  uuid: 'string, with format: uuid',
  file: 'string, with format: binary',
  int: 'integer',
  int32: 'integer, with format: int32',
  int64: 'integer, with format: int64',
  long: 'integer, with format: int64',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  map: 'object',
  dict: 'object',
  list: 'array',
  body: 'a requestBody beside parameters',
  formdata: 'a requestBody beside parameters',
  bearer: 'http, with scheme: bearer',
  basic: 'http, with scheme: basic',
  jwt: 'http, with scheme: bearer',
};

/** `: expected X` for a word that is not one of the known, and resembles one. */
export function wordHint(word: string, known: readonly string[]): string {
  const lower = word.toLowerCase();
  if (known.length > 0 && Object.hasOwn(WORDS, lower)) return `: expected ${WORDS[lower]}`;
  if (/^(?:yes|on)$/i.test(word)) return ': true is written true';
  if (/^(?:no|off)$/i.test(word)) return ': false is written false';
  return hintOf(word, known);
}

/** The object that is meant, for the places in which people write a text or a list instead. */
export function kindHint(at: Path, value: unknown): string {
  const [holder, last] = at.slice(-2);
  const isShort = typeof value === 'string' && /^[\w:/.-]{1,80}$/.test(value);
  if (holder === 'security' && isShort) return `: expected ${value}: []`;
  if (holder === 'servers' && isShort) return `: expected url: ${value}`;
  if (!Array.isArray(value)) return '';
  if (last === 'items') return ': a list of schemas is prefixItems';
  return last === 'examples' ? ': each example has a name, and a value below it' : '';
}

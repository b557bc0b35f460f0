/** What must be true of every schema of a contract: it is one, and nothing in it would be decided otherwise than it says. */
import { messageOf } from '../http/api-error';
import { TEXT_FORMATS } from '../validation/formats';
import { NUMBER_FORMATS } from '../validation/number-rules';
import type { Document, Path, Schema } from '../contract/document';
import type { Problem } from '../contract/source';
import { rootSchemas, schemasWithin, typesOf } from '../contract/walk';
import { KEYWORDS, schemaStructureProblems } from './structure-rules';

/** All that is wrong with the document's schemas. */
export function schemaProblems(document: Document): Problem[] {
  return [...rootSchemas(document)].flatMap(([schema, path]) => {
    const ofStructure = [...schemaStructureProblems(schema, path)];
    if (ofStructure.length > 0) return ofStructure;
    return [...schemasWithin(schema, path)].flatMap(([each, at]) => [...problemsOf(each, at)]);
  });
}

/** What is not read as its author may have meant it. */
export function* schemaWarnings(document: Document): Generator<Problem> {
  for (const [root, at] of rootSchemas(document)) {
    for (const [schema, path] of schemasWithin(root, at)) {
      for (const keyword of Object.keys(schema).filter(isUnknown))
        if (misspelt(keyword) === undefined)
          yield [[...path, keyword], 'an unknown keyword of a schema says nothing', keyword];
      const { format } = schema;
      if (format !== undefined && isNumeric(schema) && !Object.hasOwn(NUMBER_FORMATS, format))
        yield [[...path, 'format'], 'an unknown format of numbers is ignored', format];
      if (format !== undefined && typesOf([schema]).has('string') && !TEXT_FORMATS.has(format) && !isNumeric(schema))
        yield [[...path, 'format'], 'an unknown format of text is ignored', format];
    }
  }
}

function* problemsOf(schema: Schema, path: Path): Generator<Problem> {
  if (schema.$dynamicRef !== undefined) yield [[...path, '$dynamicRef'], '$dynamicRef is not followed'];
  for (const keyword of Object.keys(schema).filter(isUnknown)) {
    const known = misspelt(keyword);
    if (known !== undefined) yield [[...path, keyword], `unknown keyword ${keyword}: expected ${known}`];
  }
  for (const pattern of [schema.pattern ?? '', ...Object.keys(schema.patternProperties ?? {})]) {
    try {
      new RegExp(pattern, 'u');
    } catch (error) {
      yield [[...path, 'pattern'], messageOf(error)];
    }
  }
  const { enum: values, 'x-enum-varnames': names } = schema;
  if (Array.isArray(values) && Array.isArray(names) && values.length !== names.length) {
    const text = `expected ${values.length} names, as many as the enum has values, got ${names.length}`;
    yield [[...path, 'x-enum-varnames'], text];
  }
  if (typeof schema.default === 'bigint') yield [[...path, 'default'], 'expected a default within ±9007199254740991'];
}

function isNumeric(schema: Schema): boolean {
  const types = typesOf([schema]);
  return types.has('integer') || types.has('number');
}

/** Those of JSON Schema, and those that OpenAPI adds. */
const KNOWN: ReadonlySet<string> = new Set([...KEYWORDS, 'discriminator', 'xml', 'externalDocs', 'example']);

function isUnknown(keyword: string): boolean {
  return !KNOWN.has(keyword) && !keyword.startsWith('x-');
}

const SHORTEST_MISSPELT = 5;

/** The keyword that an unknown one was meant to be; undefined if it resembles none. */
function misspelt(keyword: string): string | undefined {
  // One such as `min_items` is of another language.
  if (keyword.length < SHORTEST_MISSPELT || /[^a-z]/i.test(keyword)) return undefined;
  const lower = keyword.toLowerCase();
  return [...KNOWN].find((known) => known.length >= SHORTEST_MISSPELT && differsLittle(lower, known.toLowerCase()));
}

/** Whether one letter is missing, superfluous or another, or two neighbours have changed places. */
function differsLittle(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const rest = (text: string, from: number): string => text.slice(start + from);
  return (
    a === b ||
    rest(a, 1) === rest(b, 1) ||
    rest(a, 0) === rest(b, 1) ||
    rest(a, 1) === rest(b, 0) ||
    (rest(a, 2) === rest(b, 2) && a[start] === b[start + 1] && a[start + 1] === b[start])
  );
}

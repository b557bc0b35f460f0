/** Brings a document of OpenAPI 3.2 to the words of 3.1 that openapi-typescript knows, so that `operations` has all of its types. */
import { allSchemas, type Document, isSchema, operationsIn, partsOf, placeOf, resolve } from '../../engine/reading';

/** The names of paths that are made for operations of methods that 3.1 does not have; `paths` is to be without them. */
const MADE = /^\/ [^ ]+ /;
const METHODS_OF_31: ReadonlySet<string> = new Set('GET PUT POST DELETE OPTIONS HEAD PATCH TRACE'.split(' '));

/** Changes the document in place. */
export function lower32(document: Document): void {
  if (!document.openapi.startsWith('3.2')) return;
  document.openapi = '3.1.1';
  const paths = (document.paths ??= {});
  for (const [path, written] of Object.entries(paths)) {
    const { parameters = [], ...item } = resolve(document, written);
    for (const { method, operation } of operationsIn(item))
      if (!METHODS_OF_31.has(method)) paths[`/ ${method} ${path}`] = { parameters, post: operation };
  }
  for (const schema of allSchemas(document)) {
    const { discriminator } = schema;
    // It would give the default branch the name of its schema.
    if (isSchema(discriminator) && discriminator.defaultMapping !== undefined) delete schema.discriminator;
  }
  for (const { part } of partsOf(document)) {
    if ('in' in part && part.in === 'querystring') part.in = placeOf({ in: part.in });
    if ('itemSchema' in part) Object.assign(part, { schema: { type: 'array', items: part.itemSchema } });
  }
}

/** True for the name of a path that `lower32` made. */
export function isMadePath(name: string): boolean {
  return MADE.test(name);
}

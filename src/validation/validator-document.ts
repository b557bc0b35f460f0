/** The contract as express-openapi-validator is given it. */
import type { Contract } from '../contract/operations';
import { type Document, METHODS, resolve } from '../contract/document';
import { rootSchemas, schemasWithin } from '../contract/walk';

/** The document as the validator is to see it: mounted where we mount it, and without what it reads otherwise than OpenAPI. */
export function servedDocument({ document }: Contract, basePath: string): never {
  const served: Document = { ...structuredClone(document), servers: [{ url: basePath === '' ? '/' : basePath }] };
  for (const [path, reference] of Object.entries(served.paths ?? {})) {
    // It does not follow the reference of a whole path.
    const item = resolve(served, reference);
    Object.assign(served.paths ?? {}, { [path]: item });
    for (const method of METHODS) {
      const { requestBody, parameters = [] } = item[method] ?? {};
      // It takes a body whose `required` is not said for a required one, where the contract means an optional one.
      if (requestBody) resolve(served, requestBody).required ??= false;
      // It refuses `(a)` in a query, which may well stand there (RFC 3986 section 3.4).
      for (const parameter of [...parameters, ...(item.parameters ?? [])])
        resolve(served, parameter).allowReserved = true;
    }
  }
  for (const [schema] of [...rootSchemas(served)].flatMap(([root]) => [...schemasWithin(root, [])])) {
    // With a discriminator it stumbles over a body that is null; `oneOf` and `anyOf` decide the same without.
    delete schema.discriminator;
    // What a schema says beside a `$ref` it loses where that schema is referred to itself.
    if (schema.$ref === undefined || Object.keys(schema).length === 1) continue;
    schema.allOf = [...(schema.allOf ?? []), { $ref: schema.$ref }];
    delete schema.$ref;
  }
  return served as never;
}

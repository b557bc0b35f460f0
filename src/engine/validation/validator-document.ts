/** The document that express-openapi-validator is given: what it would misinterpret is rewritten. */
import { type Document, METHODS, type Parameter, type RequestBody, resolve, type Schema } from '../contract/document';
import type { Contract } from '../contract/operations';
import { allSchemas, applicableSchemas, isInt64, typesOf, withoutExtensions } from '../contract/walk';
import { leaveOut } from './leave-out';
import { isBytes, isForm } from '../http/media-type';
import { moveNumberRules } from './number-rules';

/** A copy of the document, mounted at `basePath`. */
export function validatorDocument({ document }: Contract, basePath: string): never {
  const served: Document = { ...withoutExtensions(document), servers: [{ url: basePath === '' ? '/' : basePath }] };
  const { paths = {} } = served;
  for (const [path, reference] of Object.entries(paths)) {
    // It does not follow the reference of a whole path.
    const item = resolve(served, reference);
    paths[path] = item;
    for (const method of METHODS) {
      const { requestBody, parameters = [] } = item[method] ?? {};
      if (requestBody) prepareBody(resolve(served, requestBody));
      for (const parameter of [...parameters, ...(item.parameters ?? [])])
        prepareParameter(served, resolve(served, parameter));
    }
  }
  leaveOut(served, 'readOnly');
  for (const schema of allSchemas(served)) putInt64First(served, schema);
  for (const schema of allSchemas(served)) {
    moveNumberRules(schema);
    // With a discriminator it fails on a body that is null; `oneOf` and `anyOf` decide the same without.
    delete schema.discriminator;
    // Keywords beside a `$ref` get lost where that schema refers to itself.
    if (schema.$ref === undefined || Object.keys(schema).length === 1) continue;
    schema.allOf = [...(schema.allOf ?? []), { $ref: schema.$ref }];
    delete schema.$ref;
  }
  return served as never;
}

/** Ajv stops at the first branch of `anyOf` that fits: one that is int64 has to see the number. */
function putInt64First(served: Document, { anyOf = [] }: Schema): void {
  const order = (branch: unknown): number => (isInt64(applicableSchemas(served, branch)) ? 0 : 1);
  anyOf.sort((a, b) => order(a) - order(b));
}

function prepareBody(body: RequestBody): void {
  // It takes a body for required that does not say so; OpenAPI has it optional.
  body.required ??= false;
  // Schemas describe no bytes.
  for (const [mediaType, content] of Object.entries(body.content)) {
    if (isBytes(mediaType)) content.schema = {};
    // It runs JSON.parse on the lists and objects of forms that it can see.
    if (isForm(mediaType)) content.schema = { allOf: [content.schema ?? {}] };
  }
}

function prepareParameter(served: Document, parameter: Parameter): void {
  // It refuses `(a)` in a query, which RFC 3986 section 3.4 allows, and empty values whatever their schema says.
  parameter.allowReserved = true;
  parameter.allowEmptyValue = true;
  // It runs JSON.parse, which rounds, on the text of a query parameter with `allOf`, `anyOf` or `oneOf` that it can see.
  const { schema, in: where } = parameter;
  const types = typesOf(applicableSchemas(served, schema));
  if (where === 'query' && !types.has('array') && !types.has('object')) parameter.schema = { if: true, then: schema };
}

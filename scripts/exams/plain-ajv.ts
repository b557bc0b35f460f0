/** Plain Ajv beside us: it judges values by the schemas of a document as they are written, with nothing of the engine. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

/** Keywords whose value is a schema, and those with several. */
const SCHEMA =
  /^(?:additionalProperties|unevaluatedProperties|propertyNames|items|unevaluatedItems|contains|not|if|then|else)$/;
const SCHEMAS = /^(?:allOf|anyOf|oneOf|prefixItems|properties|patternProperties|\$defs|definitions|dependentSchemas)$/;

export class PlainAjv {
  private readonly ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, allErrors: false });
  private readonly document: Json;
  private readonly compiled = new Map<string, ValidateFunction>();

  /** `document` is read from its file, and not changed. */
  constructor(document: unknown) {
    addFormats(this.ajv, { mode: 'full' });
    this.document = structuredClone(document) as Json;
    const is30 = String(this.document.openapi).startsWith('3.0');
    visit(this.document, false, (schema) => bringUp(schema, is30));
    this.ajv.addSchema(this.document, 'document');
  }

  /** The first error of a value of an answer, by the schema at a path; undefined if it fits. Throws if Ajv cannot compile the schema. */
  problem(path: readonly (string | number)[], value: unknown): string | undefined {
    const pointer = this.placeOf(path);
    const validate = this.compiled.get(pointer) ?? this.ajv.compile({ $ref: `document#${pointer}` });
    this.compiled.set(pointer, validate);
    return validate(value) ? undefined : this.ajv.errorsText(validate.errors);
  }

  /** The pointer of a path, with the references on its way followed. */
  private placeOf(path: readonly (string | number)[]): string {
    let place: (string | number)[] = [];
    let value: unknown = this.document;
    for (const step of path) {
      place = [...place, step];
      value = isObject(value) ? value[step] : undefined;
      while (isObject(value) && typeof value.$ref === 'string' && step !== 'schema') {
        place = value.$ref
          .slice(2)
          .split('/')
          .map((each) => decodeURIComponent(each).replaceAll('~1', '/').replaceAll('~0', '~'));
        value = place.reduce<unknown>((inner, each) => (isObject(inner) ? inner[each] : undefined), this.document);
      }
    }
    return place
      .map((step) => `/${encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`)
      .join('');
  }
}

function visit(value: unknown, isSchema: boolean, change: (schema: Json) => void, isMap = false): void {
  if (typeof value !== 'object' || value === null) return;
  if (isSchema && !isMap && isObject(value)) change(value);
  for (const [key, member] of Object.entries(value)) {
    if (!isMap && /^(?:x-|examples?$|default$|enum$|const$)/.test(key)) continue;
    const holds = isMap ? isSchema : isSchema ? SCHEMA.test(key) || SCHEMAS.test(key) : /^schemas?$/.test(key);
    if (isSchema && !isMap && !holds) continue;
    const isNextMap = !isMap && (key === 'schemas' || (isSchema ? SCHEMAS.test(key) : isMapOfParts(key)));
    visit(member, isSchema || holds, change, isNextMap);
  }
}

function isMapOfParts(key: string): boolean {
  return /^(?:responses|content|headers|parameters|requestBodies|paths|callbacks|pathItems)$/.test(key);
}

/** Rewrites keywords of OpenAPI as those of JSON Schema: `nullable`, exclusive bounds of 3.0, `writeOnly` properties that answers omit. */
function bringUp(schema: Json, is30: boolean): void {
  for (const key of ['$id', 'id', '$anchor', '$schema', 'discriminator']) Reflect.deleteProperty(schema, key);
  if (is30 && typeof schema.$ref === 'string')
    for (const key of Object.keys(schema)) if (key !== '$ref') Reflect.deleteProperty(schema, key);
  if (is30 && schema.nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  delete schema.nullable;
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'] as const,
    ['exclusiveMaximum', 'maximum'] as const,
  ]) {
    const isExclusive = schema[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    if (isExclusive) schema[exclusive] = schema[bound];
    Reflect.deleteProperty(schema, isExclusive ? bound : exclusive);
  }
  const { required, properties } = schema;
  if (Array.isArray(required) && isObject(properties))
    schema.required = required.filter((name: string) => {
      const property = properties[name];
      return !(isObject(property) && property.writeOnly === true);
    });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

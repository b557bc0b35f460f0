/** Writes schemas as openapi-typescript makes exact types of them: it would type what no value has, and values that there are as none. */
import {
  allSchemas,
  applicableSchemas,
  constantsOf,
  type Document,
  isDiscriminator,
  isSchema,
  lookUp,
  namesOfBranch,
  pathOf,
  placedSchemas,
  pointerOf,
  type Schema,
} from '../../engine/reading';

/** Changes the document in place. */
export function lowerSchemas(document: Document): void {
  moveDefinitions(document);
  for (const schema of allSchemas(document)) {
    tagBranches(document, schema);
    widenOthers(schema);
  }
}

const DEFINITIONS = ['$defs', 'definitions'];

/** Moves the definitions within schemas to the components: there they would be a property, or be missing. */
function moveDefinitions(document: Document): void {
  const schemas = ((document.components ??= {}).schemas ??= {});
  const moved = new Map<unknown, string>();
  const placed = placedSchemas(document);
  for (const [schema, path] of placed)
    for (const keyword of DEFINITIONS)
      for (const [name, definition] of Object.entries(schema[keyword] ?? {})) {
        if (!isSchema(definition)) continue;
        let free = [...path.slice(2), name].join('.');
        while (Object.hasOwn(schemas, free)) free += '_';
        moved.set(definition, pointerOf(['components', 'schemas', free]));
        schemas[free] = definition;
      }
  for (const [schema] of placed) {
    const target = schema.$ref === undefined ? undefined : moved.get(lookUp(document, pathOf(schema.$ref)));
    if (target !== undefined) schema.$ref = `#${target}`;
  }
  for (const [schema] of placed) for (const keyword of DEFINITIONS) Reflect.deleteProperty(schema, keyword);
}

/** Has the name of a branch in the branch alone: the generator would have it in the branch's schema, wherever else that is used. */
function tagBranches(document: Document, schema: Schema): void {
  const { discriminator } = schema;
  delete schema.discriminator;
  if (!isDiscriminator(discriminator)) return;
  const { propertyName } = discriminator;
  const tagged = (branch: Schema | boolean): Schema | boolean => {
    const own = [...applicableSchemas(document, branch)].flatMap(({ properties }) => properties?.[propertyName] ?? []);
    const isFixed = own.some((each) => [...applicableSchemas(document, each)].some(constantsOf));
    const names = isFixed ? [] : namesOfBranch(branch, discriminator);
    const tag: Schema = { type: 'object', properties: { [propertyName]: { type: 'string', enum: names } } };
    return names.length === 0 ? branch : { allOf: [branch, tag] };
  };
  for (const keyword of ['oneOf', 'anyOf'] as const)
    if (Array.isArray(schema[keyword])) schema[keyword] = schema[keyword].map(tagged);
}

/** Lets other properties have the types of the named ones too: an index signature is one of all properties. */
function widenOthers(schema: Schema): void {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const named = [...Object.values(properties), ...Object.values(patternProperties)];
  if (Object.keys(properties).length === 0) return;
  if (isSchema(additionalProperties)) schema.additionalProperties = { anyOf: [additionalProperties, ...named] };
  for (const pattern of Object.keys(patternProperties)) patternProperties[pattern] = { anyOf: named };
}

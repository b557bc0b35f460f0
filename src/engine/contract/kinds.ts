/** The kinds of a document's parts, as far as references need them: the components that their targets become, and data. */
import { LINK_DATA } from './traverse';

/** The maps of components that OpenAPI 3.0 to 3.2 have in common. */
export const COMPONENTS = [
  ...(['schemas', 'responses', 'parameters', 'examples', 'requestBodies'] as const),
  ...(['headers', 'securitySchemes', 'links', 'callbacks'] as const),
] as const;

export type ComponentKind = (typeof COMPONENTS)[number];

export interface Kind {
  /** In `data` a `$ref` is a name like any other. */
  of: ComponentKind | 'part' | 'data' | 'example';
  /** True for a map whose keys the contract chooses, and for a list: its members are of the kind. */
  isMap: boolean;
  /** True in an example or extension, where some authors write references, and a `$ref` may be a name like any other. */
  isLoose?: boolean;
}

/** The kind of a whole document. */
export const DOCUMENT: Kind = { of: 'part', isMap: false };
const DATA: Kind = { of: 'data', isMap: false };
const EXAMPLE: Kind = { of: 'example', isMap: false, isLoose: true };
/** The webhooks of 3.0, an extension that Redoc reads. */
const WEBHOOKS: Kind = { of: 'part', isMap: true, isLoose: true };

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const MAPS_OF_PARTS = words('paths pathItems webhooks content mediaTypes encoding variables additionalOperations');
const MAPS_OF_SCHEMAS = words('properties patternProperties $defs definitions dependentSchemas dependencies');
const DATA_OF_SCHEMAS = words('default enum const');
const VALUES_OF_EXAMPLES = words('value dataValue');

export function isComponent(kind: string): kind is ComponentKind {
  return (COMPONENTS as readonly string[]).includes(kind);
}

/** The kind of a member of a part of this kind. */
export function kindWithin(kind: Kind, key: string, member: unknown): Kind {
  const within = strictKindWithin(kind, key, member);
  return kind.isLoose ? { ...within, isLoose: true } : within;
}

function strictKindWithin({ of, isMap }: Kind, key: string, member: unknown): Kind {
  if (isMap || of === 'data' || of === 'example') return { of, isMap: false };
  if (key === 'x-webhooks') return WEBHOOKS;
  if (key === 'example' || key.startsWith('x-') || (key === 'examples' && (of === 'schemas' || Array.isArray(member))))
    return EXAMPLE;
  if (of === 'schemas') return DATA_OF_SCHEMAS.has(key) ? DATA : { of, isMap: MAPS_OF_SCHEMAS.has(key) };
  if (of === 'examples' && VALUES_OF_EXAMPLES.has(key)) return EXAMPLE;
  if (of === 'links' && LINK_DATA.has(key)) return DATA;
  if (key === 'schema' || key === 'itemSchema') return { of: 'schemas', isMap: false };
  if (key === 'requestBody') return { of: 'requestBodies', isMap: false };
  if (MAPS_OF_SCHEMAS.has(key)) return { of: 'schemas', isMap: true };
  return isComponent(key) ? { of: key, isMap: true } : { of: 'part', isMap: MAPS_OF_PARTS.has(key) };
}

/** The names of the root elements of XML bodies, which may be those of schemas. */
import {
  applicableSchemas,
  type Document,
  isFile,
  isSchema,
  isXml,
  lookUp,
  type Path,
  type Schema,
  typesOf,
  xmlRootNameOf,
} from '../../engine/reading';

interface Root {
  name: string;
  /** True if no other name is read. */
  isNamed: boolean;
  /** True if the contract itself has the name, where redocly sees it. */
  isWritten: boolean;
}

/** The media types of XML whose root element has, or has to have, another name in a later contract; of the body of a request or answer at a path. */
export function otherRoots(base: Document, earlier: Schema, revised: Document, later: Schema, at: Path): string[] {
  if (at.at(-1) !== 'requestBody' && at.at(-2) !== 'responses') return [];
  return Object.keys(earlier.content ?? {}).filter((mediaType) => {
    const before = rootIn(base, earlier, mediaType);
    const now = rootIn(revised, later, mediaType);
    if (!before || !now || (before.isWritten && now.isWritten)) return false;
    const isRead = at.at(-1) === 'requestBody';
    return isRead ? now.isNamed && !(before.isNamed && before.name === now.name) : before.name !== now.name;
  });
}

function rootIn(document: Document, { content }: Schema, mediaType: string): Root | undefined {
  const schema: unknown = lookUp(content, [mediaType, 'schema']);
  if (!isXml(mediaType) || !isSchema(schema)) return undefined;
  const schemas = [...applicableSchemas(document, schema)];
  const isText = [...typesOf(schemas)].join() === 'string' || schemas.some(isFile);
  if (isText) return undefined;
  const isWritten = schemas.some(({ xml }) => lookUp(xml, ['name']) !== undefined);
  return { ...xmlRootNameOf(document, schema), isWritten };
}

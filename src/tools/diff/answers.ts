/** Answers as clients read them: those that are no errors, and the schemas that extend theirs. */
import {
  type Content,
  type Document,
  isDiscriminator,
  operationsIn,
  operationsOf,
  partsOf,
  pathOfPointer,
  pointerOf,
  reachableSchemas,
  referenceOf,
  resolve,
  type Schema,
} from '../../engine/reading';

/** The default response of an operation without a response for success is its success. */
export function isError(status: string, responses: object): boolean {
  return /^[45]/.test(status) || (status === 'default' && Object.keys(responses).some((each) => /^[1-3]/.test(each)));
}

/** A media type of answers that nobody declares: its properties are the schemas that extend those of the answer. */
const EXTENSIONS = 'application/extensions+json';

/**
 * Shows redocly what clients read in place of a schema with a discriminator and without branches, in answers and in what is sent to them: the
 * schemas that extend it, or that its mapping names. Answers are not held to them, nor are requests.
 */
export function showExtensions(document: Document): void {
  for (const { responses } of operationsOf(document))
    for (const [status, { content = {} }] of Object.entries(responses))
      if (!isError(status, responses)) showIn(document, content);
  for (const { operation } of sendingsIn(document)) {
    if (!operation.requestBody) continue;
    // A copy, because a request to the server may have the same body.
    const body = resolve(document, operation.requestBody);
    const content = { ...body.content };
    operation.requestBody = { ...body, content };
    showIn(document, content);
  }
}

function showIn(document: Document, content: Content): void {
  const bodies = Object.values(content).flatMap(({ schema, itemSchema }) => [schema, itemSchema]);
  if (bodies.length === 0) return;
  const properties: Record<string, Schema> = {};
  const waiting: unknown[] = [...bodies];
  for (const schema of waiting)
    for (const parent of valuesIn(document, schema))
      for (const [name, extension] of extensionsOf(document, parent)) {
        if (Object.hasOwn(properties, name)) continue;
        properties[name] = extension;
        waiting.push(extension);
      }
  content[EXTENSIONS] = { schema: { properties } };
}

/** The requests of the server to clients: those of webhooks, and of callbacks. */
function sendingsIn(document: Document): ReturnType<typeof operationsIn> {
  return partsOf(document).flatMap(({ part, path, isMap }) => {
    const isItem = path.at(-3) === 'callbacks' || (path.length === 2 && path[0] === 'webhooks');
    return isItem && !isMap ? operationsIn(resolve(document, part)) : [];
  });
}

/** The components that values within a schema are of, rather than a part of their schemas by an `allOf`. */
function valuesIn(document: Document, root: unknown): Schema[] {
  const reached = [...reachableSchemas(document, root)];
  const joined = new Set<unknown>(reached.flatMap(({ allOf = [] }) => allOf));
  return reached.filter((each) => each.$ref !== undefined && !joined.has(each)).map((each) => resolve(document, each));
}

/** The schemas that extend a component with a discriminator, by its name and the value that names each. */
function extensionsOf({ components }: Document, parent: Schema): [name: string, reference: Schema][] {
  const { discriminator, oneOf, anyOf } = parent;
  if (!isDiscriminator(discriminator) || oneOf !== undefined || anyOf !== undefined) return [];
  const schemas = Object.entries(components?.schemas ?? {});
  const parentName = schemas.find(([, each]) => each === parent)?.[0] ?? '';
  const heirs = [parentName];
  for (const heir of heirs)
    for (const [name, { allOf = [] }] of schemas)
      if (!heirs.includes(name) && allOf.some((each) => referenceOf(each) === referenceTo(heir))) heirs.push(name);
  const mapping = Object.entries<unknown>(discriminator.mapping ?? {});
  const named = heirs.filter((name) => !mapping.some(([, each]) => each === name)).map((name) => [name, name] as const);
  return [...mapping, ...named].flatMap(([value, name]): [string, Schema][] =>
    name !== parentName && schemas.some(([known]) => known === name)
      ? [[`${parentName} (${value})`, { $ref: referenceTo(String(name)) }]]
      : [],
  );
}

function referenceTo(name: string): string {
  return `#${pointerOf(['components', 'schemas', name])}`;
}

/** True for an extension that comes or goes: its value in the mapping is what clients see of it. */
export function isExtension({ path, property }: { path: string; property?: string }): boolean {
  const steps = pathOfPointer(path);
  const [, , name, ...within] = steps.slice(steps.indexOf(EXTENSIONS) + 1);
  return (
    steps.includes(EXTENSIONS) &&
    within.length === 0 &&
    (property === undefined || property === 'key' || property === name)
  );
}

/** The steps without those to an extension, which nobody has written. */
export function writtenSteps(steps: readonly string[]): readonly string[] {
  const index = steps.indexOf(EXTENSIONS);
  return index < 0 ? steps : [...steps.slice(0, index - 1), ...steps.slice(index + 3)];
}

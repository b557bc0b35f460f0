/** The text of a contract as openapi-typescript can read it: it can neither be led out of it, nor take it for code, nor fail at its names. */
import { type Document, isSchema, MAPS, pointerOf, resolve, withDoubles } from '../../engine/reading';

/** Lists that the generator writes into comments of one line, without a look at line ends. */
const COMMENTS: ReadonlySet<string> = new Set(['x-enum-descriptions', 'x-enumDescriptions']);
/** Lists that it takes for names. */
const NAMES: ReadonlySet<string> = new Set(['x-enum-varnames', 'x-enumNames']);

/** Names that every object has, which the generator takes for fields that it knows. */
const INHERITED = new RegExp(`(?<=["/])(?:${Object.getOwnPropertyNames(Object.prototype).join('|')})(?=["/])`, 'g');

/** The document for the generator, as JSON, and how to bring what it makes of it to the names of the document. */
export function readableText(document: Document): { text: string; named: (made: string) => string } {
  const json = JSON.stringify(withDoubles(withoutForeign(document, document)));
  // Longer than any like it in the text.
  const longest = (json.match(/InheritedX*/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const mark = 'Inherited'.padEnd(longest + 1, 'X');
  return { text: json.replaceAll(INHERITED, `$&${mark}`), named: (made) => made.replaceAll(mark, '') };
}

/**
 * A copy without what refers to other files, or nowhere: by now that is data in an example or an extension. The contract chooses the keys of
 * a map, where they are none of the lists.
 */
function withoutForeign(document: Document, value: unknown, isMap = false, within = ''): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withoutForeign(document, each));
  if (typeof value !== 'object' || value === null) return value;
  const isKept = (key: string, member: unknown): boolean =>
    typeof member !== 'string' || !/^(?:\$ref|externalValue)$/.test(key) || leadsWithin(document, member);
  const kept = Object.entries(value).filter(([key, member]) => isKept(key, member));
  return Object.fromEntries(
    kept.map(([key, member]: [string, unknown]) => {
      if (isMap) return [key, withoutForeign(document, member)];
      if (NAMES.has(key)) return [key, Array.isArray(member) && member.every(isName) ? member : []];
      if (COMMENTS.has(key)) return [key, Array.isArray(member) ? member.map(inOneLine) : []];
      const isMapping = within === 'discriminator' && key === 'mapping';
      return [key, isMapping ? referencesIn(document, member) : withoutForeign(document, member, MAPS.has(key), key)];
    }),
  );
}

function leadsWithin(document: Document, $ref: string): boolean {
  try {
    resolve(document, { $ref });
    return true;
  } catch {
    return false;
  }
}

/** `\s` has all line ends of JavaScript: U+2028 and U+2029 too. */
function inOneLine(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ') : '';
}

function isName(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}

/** A mapping with references in the place of names of schemas, which the generator takes for files. */
function referencesIn(document: Document, mapping: unknown): object {
  const refs = Object.entries(isSchema(mapping) ? mapping : {}).map(([value, named]: [string, unknown]) => {
    const name = String(named);
    return [value, name.startsWith('#') ? name : `#${pointerOf(['components', 'schemas', name])}`] as const;
  });
  return Object.fromEntries(refs.filter(([, ref]) => leadsWithin(document, ref)));
}

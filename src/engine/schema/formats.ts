/** The formats of text: those that are checked, and those that are known to mean something and left to who reads the text. */
import type { Format } from 'ajv';
import { formatNames, fullFormats } from 'ajv-formats/dist/formats';

/** What is checked otherwise than ajv-formats does it: its expression for `url` takes for ever for `http://(:a)(:a)(:a)...`. */
export const OWN_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  url: (text) => /^(?:https?|ftp):\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text),
};

/** Of JSON Schema and of https://spec.openapis.org/registry/format/; any other is told when the contract is read, and means nothing. */
export const TEXT_FORMATS: ReadonlySet<string> = new Set([
  ...formatNames,
  ...'base64url char commonmark html http-date idn-email idn-hostname iri iri-reference media-range'.split(' '),
  ...'sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token'.split(' '),
]);

/** Whether a text is of a format; of one that is not checked it is. */
export function isOfFormat(text: string, name: string): boolean {
  const format = Object.hasOwn(ALL, name) ? ALL[name] : undefined;
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (check instanceof RegExp) return check.test(text);
  return typeof check !== 'function' || (check as (text: string) => unknown)(text) === true;
}

const ALL: Readonly<Record<string, Format>> = { ...fullFormats, ...OWN_FORMATS };

/** The formats of text: those that are checked, and those that are known but left to handlers. */
import type { Format } from 'ajv';
import { formatNames, fullFormats } from 'ajv-formats/dist/formats';

/** Formats that are checked by functions of our own: the expression of ajv-formats for `url` takes exponential time for `http://(:a)(:a)(:a)...`. */
export const OWN_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  url: (text) => /^(?:https?|ftp):\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text),
};

/**
 * The known formats, of JSON Schema and https://spec.openapis.org/registry/format/; any other is ignored, with a warning when the contract
 * is read.
 */
export const TEXT_FORMATS: ReadonlySet<string> = new Set([
  ...formatNames,
  ...'base64url char commonmark html http-date idn-email idn-hostname iri iri-reference media-range'.split(' '),
  ...'sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token'.split(' '),
]);

/** True if a text is of a format, or the format is not checked. */
export function isOfFormat(text: string, name: string): boolean {
  const format = Object.hasOwn(ALL, name) ? ALL[name] : undefined;
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (check instanceof RegExp) return check.test(text);
  return typeof check !== 'function' || (check as (text: string) => unknown)(text) === true;
}

const ALL: Readonly<Record<string, Format>> = { ...fullFormats, ...OWN_FORMATS };

/** Writes contracts as YAML that readers of version 1.1 take for the same values, as those of Python and Java do: to them `NO` is false. */
import { Document, type ScalarTag, visit } from 'yaml';

/** Characters that no YAML has unescaped, that end a line in version 1.1 alone, or that readers take for a byte order mark. */
const UNPRINTABLE = /[\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;
/** Characters of texts that some readers take in quotes alone. */
const QUOTED = new RegExp(String.raw`\t|${UNPRINTABLE.source}`);
/** Words that version 1.1 gives a meaning of their own: a default value, and a merge. */
const WORDS: ReadonlySet<unknown> = new Set(['=', '<<']);

/** Numbers with a fraction before their exponent: 1e-7 is a text in version 1.1. */
const NUMBER: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: Number.isFinite,
  test: /^$/,
  resolve: Number,
  stringify: ({ value }) => JSON.stringify(value).replace(/^(-?\d+)e/, '$1.0e'),
};

/** A value as YAML, in which lines of texts are not folded. */
export function writeYaml(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: (tags) => [NUMBER, ...tags],
  });
  visit(document, {
    Scalar(_key, scalar) {
      if (WORDS.has(scalar.value)) scalar.type = 'QUOTE_SINGLE';
      else if (typeof scalar.value === 'string' && QUOTED.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeUnprintable(document.toString({ lineWidth: 0, blockQuote: 'literal' }));
}

/** A text of YAML with escapes for characters that stand in double quotes alone. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escapeUnit);
}

/** A UTF-16 code unit as an escape of JSON, and of texts in double quotes of YAML. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

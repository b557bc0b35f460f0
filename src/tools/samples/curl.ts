/** A request as a command line of curl that repeats it in any POSIX shell, with variables in place of credentials. */
import type { Request } from '../conformance/client';
import { shellWord } from '../../engine/tooling';
import { percentEncoded } from './serialize';
import { inOtherCase } from './strings';
import type { Credentials } from '../conformance/verdict';

/** Texts that are not written out, each with the name of the shell variable that stands for it. */
export type Secrets = readonly (readonly [text: string, variable: string])[];

export function secretsOf({ token, user, keys = {} }: Credentials): Secrets {
  const all: [string, string][] = [];
  if (token !== undefined) all.push(...inBothCases(token, 'TOKEN'));
  if (user !== undefined) all.push([Buffer.from(user).toString('base64'), 'BASIC']);
  for (const [name, key] of Object.entries(keys)) {
    const variable = name
      .toUpperCase()
      .replaceAll(/\W/g, '_')
      .replace(/^(?=\d)/, '_');
    for (const [text, its] of inBothCases(key, variable)) {
      all.push([text, its]);
      // As a query has it.
      if (percentEncoded(text) !== text) all.push([percentEncoded(text), `${its}_ENCODED`]);
    }
  }
  // Longest first, as one may be part of another.
  return all.filter(([text]) => text !== '').sort(([a], [b]) => b.length - a.length);
}

/** A credential, and the same in another letter case, which is sent as a wrong one: it would give the right one away. */
function inBothCases(text: string, variable: string): [text: string, variable: string][] {
  const other = inOtherCase(text);
  return other === text
    ? [[text, variable]]
    : [
        [text, variable],
        [other, `${variable}_IN_OTHER_CASE`],
      ];
}

/** `origin` is the address without a path. */
export function curlOf({ method, target, headers, body }: Request, origin: string, secrets: Secrets = []): string {
  const quote = (text: string): string => word(text, secrets);
  const words = ['curl', '--globoff', '--path-as-is', ...(method === 'HEAD' ? ['--head'] : ['-X', shellWord(method)])];
  for (const [name, value] of Object.entries(headers))
    words.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`));
  if (body !== undefined && !('Content-Type' in headers)) words.push('-H', "'Content-Type:'");
  const url = quote(origin + target);
  if (body === undefined) return [...words, url].join(' ');
  if (typeof body === 'string' && !UNPRINTABLE.test(body)) return [...words, '--data-raw', quote(body), url].join(' ');
  return `printf ${shellWord(asFormat(Buffer.from(body)))} | ${[...words, '--data-binary', '@-', url].join(' ')}`;
}

/** Characters that a terminal may not show as they are, or an argument not hold. */
const UNPRINTABLE = /\p{C}/u;
const UNPRINTABLES = /\p{C}/gu;

/** A format for `printf`, which reads bytes as escapes in octal. */
function asFormat(bytes: Buffer): string {
  const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return bytes
    .toString('latin1')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll(/[^ -~]/g, octal);
}

/** One word of a shell, in which nothing is expanded but the variables of secrets. */
function word(text: string, [secret, ...others]: Secrets = []): string {
  if (secret) {
    const parts = text.split(secret[0]);
    return parts.length === 1
      ? word(text, others)
      : parts.map((part) => (part === '' ? '' : word(part, others))).join(`"$${secret[1]}"`);
  }
  return shellWord(text);
}

/** The text with escapes for what could confuse a terminal. */
export function printable(text: string): string {
  const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return text.replaceAll(UNPRINTABLES, (character) => (character === '\n' ? character : escaped(character)));
}

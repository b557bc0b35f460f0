/** Parts of an error's body, each as code and as the value of this code for an error. */
import { STATUS_CODES } from 'node:http';
import { type ApiError, ErrorCode, NotWrittenCode, stringifyJson } from '../../engine';

type Violation = ApiError['violations'][number];

export interface Part {
  /** An expression of `message`, `code`, `status` and `violations` of an error, and of `place` and `text` of a violation. */
  code: string;
  of: (error: ApiError, violation?: Violation) => unknown;
  /** Set for a part that only errors with violations have: the same part, with another one for the other errors. */
  orElse?: (other: Part) => Part;
}

const part = (code: string, of: Part['of']): Part => ({ code, of });

export const MESSAGE = part('message', ({ message }) => message);
export const CODE = part('code', ({ code }) => code);
export const CODE_TEXT = part('String(code)', ({ code }) => String(code));
export const CODE_NAME = part('nameOf(code)', ({ code }) => NAMES.get(code) ?? String(code));
export const STATUS = part('status', ({ status }) => status);
export const STATUS_TEXT = part('String(status)', ({ status }) => String(status));
export const STATUS_PHRASE = part('STATUS_CODES[status]', ({ status }) => STATUS_CODES[status]);
export const NOW = part('new Date().toISOString()', () => new Date().toISOString());

// Parts for a violation.
export const PLACE = part('place', (_error, violation) => violation?.place);
export const PLACE_STEPS = part("place.split('/').slice(1)", (_error, violation) =>
  violation?.place.split('/').slice(1),
);
export const PLACE_FIRST = part("place.split('/')[1]", (_error, violation) => violation?.place.split('/')[1]);
export const TEXT = part('text', (_error, violation) => violation?.text);
export const PLACE_AND_TEXT = part(
  '`${place}: ${text}`',
  (_error, violation) => violation && `${violation.place}: ${violation.text}`,
);

const NAMES = new Map<number, string>(
  Object.entries({ ...ErrorCode, ...NotWrittenCode }).map(([name, code]) => [code, name]),
);

export function constant(value: unknown): Part {
  return part(stringifyJson(value), () => value);
}

/** The message, cut to the length that a schema allows; by characters, so that none is split. */
export function messageCutAt(length: number): Part {
  return part(`Array.from(message).slice(0, ${length}).join("")`, ({ message }) =>
    Array.from(message).slice(0, length).join(''),
  );
}

export function objectOf(members: readonly (readonly [key: string, value: Part])[]): Part {
  const textOf = (key: string): string => (key === '__proto__' ? '["__proto__"]' : JSON.stringify(key));
  const codes = members.map(([key, { code }]) => (key === code ? key : `${textOf(key)}: ${code}`));
  return part(codes.length === 0 ? '{}' : `{ ${codes.join(', ')} }`, (error, violation) =>
    Object.fromEntries(members.map(([key, { of }]) => [key, of(error, violation)])),
  );
}

export function listOf(items: readonly Part[]): Part {
  return part(`[${items.map(({ code }) => code).join(', ')}]`, (error, violation) =>
    items.map(({ of }) => of(error, violation)),
  );
}

/** An item for each violation of an error. */
export function violationsOf(item: Part, itemsMax: number): Part {
  const cut = itemsMax === Infinity ? '' : `.slice(0, ${itemsMax})`;
  const code = `violations${cut}.map((${given(item.code, ['place', 'text'])}) => (${item.code}))`;
  const orElse = (other: Part): Part =>
    part(`violations.length > 0 ? ${code} : ${other.code}`, (error, violation) =>
      error.violations.length > 0
        ? error.violations.slice(0, itemsMax).map((each) => item.of(error, each))
        : other.of(error, violation),
    );
  return { ...orElse(part('undefined', () => undefined)), orElse };
}

/** One part that chooses by status; undefined if a status has no part. */
export function byStatus(statuses: Iterable<number>, choose: (status: number) => Part | undefined): Part | undefined {
  const groups = new Map<string, { chosen: Part; statuses: number[] }>();
  for (const status of new Set(statuses)) {
    const chosen = choose(status);
    if (!chosen) return undefined;
    const group = groups.get(chosen.code) ?? { chosen, statuses: [] };
    groups.set(chosen.code, group);
    group.statuses.push(status);
  }
  const [usual, ...others] = [...groups.values()].sort((a, b) => b.statuses.length - a.statuses.length);
  if (!usual || others.length === 0) return usual?.chosen;
  const cases = others.map((each) => `${isOneOf(each.statuses)} ? ${each.chosen.code} : `);
  return part(cases.join('') + usual.chosen.code, (error, violation) => {
    const { chosen } = others.find((each) => each.statuses.includes(error.status)) ?? usual;
    return chosen.of(error, violation);
  });
}

function isOneOf(statuses: readonly number[]): string {
  return statuses.length === 1 ? `status === ${statuses[0]}` : `[${statuses.join(', ')}].includes(status)`;
}

/** A parameter with the names that the code uses: `{ code, message }`. */
export function given(code: string, names: readonly string[]): string {
  const unquoted = code.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b(?!:)`).test(unquoted));
  return used.length > 0 ? `{ ${used.join(', ')} }` : '';
}

/** Parsers of environment variables; they return undefined for a text that is not as expected. */
import { isIP } from 'node:net';

/** Parses one of two texts as true or false. */
export function either(yes: string, no: string): (text: string) => boolean | undefined {
  return (value) => (value === yes ? true : value === no ? false : undefined);
}

/** Accepts one of the texts. */
export function oneOf<T extends string>(texts: readonly T[]): (text: string) => T | undefined {
  return (value) => texts.find((each) => each === value);
}

/**
 * Accepts an http or https address without a user name or password, which fetch refuses, and returns it unchanged: an issuer is compared
 * with that of tokens byte by byte.
 */
export function httpAddress(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username + password === '' ? value : undefined;
}

/** Parses a list with commas in between, if each item is accepted. */
export function listOf(isItem: (text: string) => boolean): (text: string) => string[] | undefined {
  return (value) => {
    const items = value.split(',').map((item) => item.trim());
    return items.every(isItem) ? items : undefined;
  };
}

/** True for an origin as browsers send it, or `*`. */
export function isOrigin(value: string): boolean {
  return value === '*' || (URL.canParse(value) && /^https?:/.test(value) && new URL(value).origin === value);
}

/** True for an IP address, a network in CIDR notation but that of all addresses, or one of the names that Express has for networks. */
export function isNetwork(value: string): boolean {
  const { address = '', bits = '1' } = /^(?<address>[\da-f.:]+)(?:\/(?<bits>\d{1,3}))?$/i.exec(value)?.groups ?? {};
  const version = isIP(address);
  return (
    ['loopback', 'linklocal', 'uniquelocal'].includes(value) ||
    (version > 0 && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** An address of the service. */
export interface BaseUrl {
  baseUrl: string;
  /** Its path, without a slash at its end. */
  basePath: string;
}

/** Parses an http or https address without user name, query and fragment, with only unreserved characters in its path. */
export function baseUrlOf(value: string): BaseUrl | undefined {
  if (!URL.canParse(value)) return undefined;
  const { protocol, origin, username, password, pathname, search, hash } = new URL(value);
  const unread = username + password + search + hash;
  if (!/^https?:$/.test(protocol) || unread !== '' || !/^[\w.~/-]*$/.test(pathname)) return undefined;
  const basePath = pathname.replace(/(?<!\/)\/+$/, '');
  return { baseUrl: origin + basePath, basePath };
}

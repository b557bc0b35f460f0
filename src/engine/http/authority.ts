/** The syntax of hosts and ports in the Host header and in absolute request targets. */
import { isIPv6 } from 'node:net';

/** `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2.2). */
const AUTHORITY =
  /^(?:\[(?:(?<ipv6>[\da-f:.]+)|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** A name or an IPv4 address, as almost every client sends it. */
const PLAIN = /^[\w.-]+(?::\d+)?$/;

export function isAuthority(text: string): boolean {
  if (PLAIN.test(text)) return true;
  const match = AUTHORITY.exec(text);
  if (!match) return false;
  const ipv6 = match.groups?.ipv6;
  return ipv6 === undefined || isIPv6(ipv6);
}

/** The address of a client, and its network: one client may have any number of addresses of IPv6, and of ports. */
import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/** The address of the client: of the connection, or that which trusted proxies forward. Unknown once the connection is closed. */
export function clientOf(req: Request): string | undefined {
  return req.ip === undefined ? undefined : withoutPort(req.ip);
}

/** An address without the port that some proxies forward behind it: `203.0.113.7:4711` and `[2001:db8::1]:4711`; any other text as it is. */
export function withoutPort(address: string): string {
  const { v4, v6 } = /^(?:(?<v4>[\d.]+):\d+|\[(?<v6>[\da-f:.]+)\](?::\d+)?)$/i.exec(address)?.groups ?? {};
  return v4 ?? v6 ?? address;
}

/** The number of groups of an address of IPv6, and of those that name the network of a client (a /64, RFC 6177). */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The first half of an address of IPv6; any other text, such as an address of IPv4, as it is. */
export function networkOf(address = ''): string {
  const mapped = /^::ffff:(?<v4>\d+\.[\d.]+)$/i.exec(address)?.groups?.v4;
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/**
 * The things of the client that has most, one more of `another` included, or of all clients that have as many: they make room for that one.
 * `hasMore` is true if that client has more than `another` would have.
 */
export function ofMost<T extends { readonly client: string }>(
  all: readonly T[],
  another: string,
): { among: T[]; hasMore: boolean } {
  const counts = new Map<string, number>();
  for (const { client } of all) counts.set(client, (counts.get(client) ?? 0) + 1);
  const own = (counts.get(another) ?? 0) + 1;
  const most = Math.max(...counts.values());
  const among = all.filter(({ client }) => (own > most ? client === another : counts.get(client) === most));
  return { among, hasMore: own < most };
}

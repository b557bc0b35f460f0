import type { Principal } from '../contract/handler-types';

/**
 * Principals of recently accepted tokens, by the token's digest: a busy client costs one verification a second rather than one
 * per request. Only accepted tokens are kept, so that nothing a stranger sends becomes a key.
 */
export class TokenCache {
  private static readonly COUNT_MAX = 1_000;
  private principals = new Map<string, Principal>();
  private until = 0;

  constructor(private readonly cacheMs: number) {}

  get(digest: string): Principal | undefined {
    return performance.now() < this.until ? this.principals.get(digest) : undefined;
  }

  add(digest: string, principal: Principal): void {
    const now = performance.now();
    if (now >= this.until || this.principals.size >= TokenCache.COUNT_MAX) {
      // Dropping all entries at once bounds both their age and their number.
      this.principals = new Map();
      this.until = now + this.cacheMs;
    }
    this.principals.set(digest, principal);
  }
}

import type { Principal } from '../contract/handler-types';

/**
 * Principals of recently accepted tokens, by the digest of the token, so that a busy client costs one question a second and not one
 * a request. Only what was accepted is kept: nothing that a stranger sends ever becomes a key.
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
      // All are forgotten together, which bounds both their age and their number.
      this.principals = new Map();
      this.until = now + this.cacheMs;
    }
    this.principals.set(digest, principal);
  }
}

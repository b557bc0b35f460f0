/** Limits the number of requests a second of each principal; after authentication, before the body. */
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';

/** Counts a request of a principal, given its name; rejects with `TooManyRequests` if it has sent too many within a second. */
export type RateLimit = (principal: string) => Promise<void>;

export async function createRateLimit(perSecond: number): Promise<RateLimit> {
  // Imported only if needed: it takes a tenth of the startup time.
  const { RateLimiterMemory, RateLimiterRes } = await import('rate-limiter-flexible');
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return async function limitRate(principal) {
    try {
      await limiter.consume(principal);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new ApiError(ErrorCode.TooManyRequests, `expected at most ${perSecond} requests a second`, {
        headers: { 'Retry-After': '1' }, // whatever the clock does meanwhile
      });
    }
  };
}

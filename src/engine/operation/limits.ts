/** Limits that a service sets for single operations, in place of those for all. */
import { hintOf } from '../errors/misspelt';
import type { Problem } from '../contract/problems';

/**
 * The limits of an operation.
 *
 * @example
 * const limits: Partial<Record<keyof operations, OperationLimits>> = { uploadPhoto: { bytes: 1e9, seconds: 600 } };
 */
export interface OperationLimits {
  /** The most bytes of a body, in place of `BODY_BYTES_MAX`, or of the contract's `maxLength` for a body of bytes and `maxItems` for one of items; smaller ones hold as well. */
  bytes?: number;
  /** The seconds within which a body has to arrive, once its sender is authenticated; in place of 30 for the whole request. */
  seconds?: number;
  /**
   * The least rate of a body that may take more than 30 s, for as long as the server waits for it; 1,000 by default. 0 allows any, as for items that
   * come one at a time.
   */
  bytesPerSecondMin?: number;
}

/** Limits by `operationId`. */
export type Limits = Readonly<Record<string, OperationLimits | undefined>>;

/** The largest number of seconds that a timer of Node takes. */
const SECONDS_MAX = 2_147_483;

/** Limits of operations that the contract does not have, and values that are no limits. */
export function* limitProblems(ids: readonly string[], limits: Limits): Generator<Problem> {
  for (const [id, { bytes = 1, seconds = 1, bytesPerSecondMin = 0 } = {}] of Object.entries(limits)) {
    if (!ids.includes(id)) yield [['paths'], `limits.${id} has no operation in the contract${hintOf(id, ids)}`];
    if (!Number.isSafeInteger(bytes) || bytes < 1)
      yield [['paths'], `limits.${id}.bytes: expected a whole number from 1, got ${bytes}`];
    if (!(seconds > 0 && seconds <= SECONDS_MAX))
      yield [['paths'], `limits.${id}.seconds: expected a number to ${SECONDS_MAX}, got ${seconds}`];
    if (!(bytesPerSecondMin >= 0 && bytesPerSecondMin < Infinity))
      yield [['paths'], `limits.${id}.bytesPerSecondMin: expected a number from 0, got ${bytesPerSecondMin}`];
  }
}

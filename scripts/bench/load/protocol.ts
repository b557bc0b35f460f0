/** What the bench and its load generator, a process of its own, say to each other. */
import type { IdOrder } from './plants';

/** One stretch of load. */
export interface Order {
  port: number;
  token: string;
  connections: number;
  seconds: number;
  /** The index of the first plant; the others follow it. */
  first: number;
  ids: IdOrder;
}

export interface Outcome {
  /** Requests sent: the plants from `first` on. */
  sent: number;
  /** Answers that were right, also those that came after the end. */
  acknowledged: number;
  perSecond: number;
  /** Latency in ms. */
  p50: number;
  p99: number;
  /** Answers that were not right, and connections that were lost. */
  wrong: number;
  /** The first of them. */
  firstWrong?: string;
  /** CPU time of the generator as a share of one core; near 1 it was the generator that was measured. */
  generatorShare: number;
}

/** The messages between the benchmark and its load generator, which is a process of its own. */
import type { IdOrder } from './exchange';

/** Load to generate. */
export interface Order {
  /** Of each instance: the connections are spread over them. */
  ports: number[];
  token: string;
  connections: number;
  seconds: number;
  /** The index of the first plant. */
  first: number;
  ids: IdOrder;
}

/** What came of it. */
export interface Outcome {
  /** Right answers, also those after the end of the time. */
  acknowledged: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Wrong answers, and lost connections. */
  wrong: number;
  /** The first of them. */
  firstWrong?: string;
  /** CPU time of the generator as a share of one core; near 1, the generator was the limit. */
  generatorShare: number;
}

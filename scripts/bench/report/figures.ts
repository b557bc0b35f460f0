/** The figures that the project sets itself, and whether they are reached. No test's verdict depends on them. */
import type { Round } from '../modes/run-server';
import { ratio } from './ratios';
import { type Spread, spreadOf } from './statistics';

/** How many rounds the figures ask for. */
export const roundsWanted = 5;

export interface Figure {
  text: string;
  wanted: string;
  /** What is hoped for beyond. */
  goal?: string;
  measured: Spread;
  reached: boolean;
}

export function atLeast(bound: number, text: string, measured: Spread, goal?: number): Figure {
  const wanted = `at least ${bound}`;
  return { text, wanted, ...(goal && { goal: `${goal}` }), measured, reached: measured.median >= bound };
}

export function atMost(bound: number, text: string, measured: Spread): Figure {
  return { text, wanted: `at most ${bound.toFixed(2)}`, measured, reached: measured.median <= bound };
}

/** The figures of the comparison, as far as their servers took part. */
export function figuresOf(rounds: readonly Round[]): Figure[] {
  const spread = (peer: string, connections: number, metric: 'perSecond' | 'p99Ms' | 'p50Ms'): Spread =>
    spreadOf(rounds.map((round) => ratio(round, peer, connections, metric)).filter(Number.isFinite));
  return [
    atLeast(3.5, 'creates/s at 64 connections, to Fastify', spread('fastify', 64, 'perSecond'), 5),
    atLeast(
      8,
      'creates/s at 64 connections, to Express with its validator',
      spread('express-validator', 64, 'perSecond'),
    ),
    atLeast(0.5, 'creates/s at 64 connections, to the limit', spread('limit', 64, 'perSecond'), 0.65),
    atMost(1 / 3, 'p99 at 64 connections, to Fastify', spread('fastify', 64, 'p99Ms')),
    atMost(1.4, 'median latency of 1 connection, to Fastify', spread('fastify', 1, 'p50Ms')),
  ].filter(({ measured }) => Number.isFinite(measured.median));
}

export function describeFigure({ text, wanted, goal, measured, reached }: Figure): string {
  const hope = goal === undefined ? '' : `, goal ${goal}`;
  const { median, min, max } = measured;
  const spread = min === max ? '' : ` (${min.toFixed(2)} to ${max.toFixed(2)})`;
  return `${reached ? 'reached    ' : 'NOT REACHED'}  ${text}: ${median.toFixed(2)}${spread}, wanted ${wanted}${hope}`;
}

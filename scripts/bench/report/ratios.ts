/** This server to each of its peers: the ratio in every round, because what disturbs a round disturbs both. */
import type { Round } from '../modes/run-server';
import { ours } from '../servers/entries';
import { type Spread, spreadOf } from './statistics';

export interface Ratio {
  peer: string;
  connections: number;
  perSecond: Spread;
  p50: Spread;
  p99: Spread;
}

type Metric = 'perSecond' | 'p50Ms' | 'p99Ms';

/** NaN where one of the two was not measured, or is disqualified. */
export function ratio(round: Round, peer: string, connections: number, metric: Metric): number {
  return valueOf(round, ours, connections, metric) / valueOf(round, peer, connections, metric);
}

export function ratiosOf(rounds: readonly Round[], connections: readonly number[]): Ratio[] {
  const peers = [...(rounds[0]?.keys() ?? [])].filter((name) => name !== ours);
  const spread = (peer: string, number: number, metric: Metric): Spread =>
    spreadOf(rounds.map((round) => ratio(round, peer, number, metric)).filter(Number.isFinite));
  return peers
    .flatMap((peer) =>
      connections.map((number) => ({
        peer,
        connections: number,
        perSecond: spread(peer, number, 'perSecond'),
        p50: spread(peer, number, 'p50Ms'),
        p99: spread(peer, number, 'p99Ms'),
      })),
    )
    .filter(({ perSecond }) => Number.isFinite(perSecond.median));
}

function valueOf(round: Round, server: string, connections: number, metric: Metric): number {
  const run = round.get(server);
  const cell = run?.fault === undefined ? run?.cells.find((cell) => cell.connections === connections) : undefined;
  return cell?.[metric] ?? NaN;
}

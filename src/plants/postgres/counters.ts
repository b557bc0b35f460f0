/** Metrics of the store: its connections, and failed batches by their cause. */
import type { Pool } from 'pg';
import type { Measurement } from '../store';
import { Unsuitable } from './advice';
import { isLost, PostgresCode, sqlState } from './driver';

export class Counters {
  retries = 0;
  abandoned = 0;
  /** Batches that wait for a connection: the pool counts the check whether the store is ready as well, which comes with each scrape. */
  awaited = 0;
  private connectionsMade = 0;
  private lostConnections = 0;
  /** Failures by SQLSTATE, preset with that of a statement that takes too long. */
  private readonly sqlStates: Record<string, number> = { [PostgresCode.QUERY_CANCELED]: 0 };

  constructor(private readonly pool: Pool) {
    pool.on('connect', () => this.connectionsMade++);
    pool.on('error', () => this.lostConnections++); // of an idle connection
  }

  /** Counts a failed attempt with a batch. */
  add(error: unknown): void {
    const state = sqlState(error);
    if (state !== undefined) this.sqlStates[state] = (this.sqlStates[state] ?? 0) + 1;
    if (isLost(error) && !(error instanceof Unsuitable)) this.lostConnections++;
  }

  measure(): Measurement[] {
    const { totalCount, idleCount } = this.pool;
    const measurements: [name: string, help: string, value: number][] = [
      ['connections_made_total', 'Connections that were made.', this.connectionsMade],
      ['connections', 'Connections to the database.', totalCount],
      ['connections_used', 'Connections that are in use.', totalCount - idleCount],
      ['connections_awaited', 'Batches that wait for a connection.', this.awaited],
      ['connections_lost_total', 'Connections that were lost, or could not be made.', this.lostConnections],
      ['batches_retried_total', 'Batches that were sent again.', this.retries],
      ['batches_abandoned_total', 'Batches that the server did not answer in time.', this.abandoned],
    ];
    return [
      ...measurements.map(([name, help, value]) => ({ name: `store_${name}`, help, value })),
      ...Object.entries(this.sqlStates).map(([sqlstate, value]) => ({
        name: 'store_batches_failed_total',
        help: 'Attempts with a batch that the database has failed, by SQLSTATE.',
        value,
        labels: { sqlstate },
      })),
    ];
  }
}

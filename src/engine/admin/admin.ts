/** Health and metrics of a service, available from before it listens until it has stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../http/server';
import { createMetrics, type Metrics, type MetricsOptions } from './metrics';
import { within } from '../process/time-limit';
import { createAdminServer } from './server';

/** The time limit of the readiness check. */
const CHECK_MS = 2_000;

/** The time in which requests are still accepted after `/health/ready` has begun to fail: load balancers ask every few seconds. */
const DRAIN_MS = 5_000;

export interface AdminOptions extends MetricsOptions {
  host: string;
  port: number;
  /** Rejects with the reason while the service cannot do its work. */
  check: () => Promise<void>;
}

export interface Admin {
  metrics: Metrics;
  port: number;
  /** To be called once requests are accepted. */
  ready(): void;
  /** Makes `/health/ready` fail, and resolves once load balancers have had the time to notice. */
  drain(): Promise<void>;
  close(): void;
}

export async function startAdmin({ host, port, check, ...options }: AdminOptions): Promise<Admin> {
  let notReady: string | undefined = 'it is starting';
  const ready = async (): Promise<void> => {
    if (notReady !== undefined) throw new Error(notReady);
    await within(CHECK_MS, check(), `there is no answer within ${CHECK_MS} ms`);
  };
  const metrics = createMetrics({ ...options, ready });
  const server = createAdminServer(metrics.registry, ready);
  const listening = await listen(server, host, port, 'ADMIN_PORT');
  return {
    metrics,
    port: listening,
    ready: () => (notReady = undefined),
    async drain() {
      notReady = 'it is stopping';
      await sleep(DRAIN_MS);
    },
    close() {
      server.close();
      server.closeAllConnections();
      metrics.registry.clear();
    },
  };
}

/** What Prometheus is told: the four golden signals of the API, the event loop, and what is running. */
import type { ServerResponse } from 'node:http';
import type { Exchange, Observe } from '../http/exchange';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Where most requests are. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface MetricsOptions {
  contractVersion: string;
  /** The version of the program; empty for one that says none. */
  version?: string | undefined;
}

export interface Metrics {
  registry: Registry;
  /** Counts and times every request. */
  observeRequests: Observe;
  /** The same for the answer to what Node's parser has refused, which reaches no stage; `code` is that of its error. */
  observeRefusal: (res: ServerResponse, code: number) => void;
}

export function createMetrics({ contractVersion, version = '' }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'app_build_info',
    help: 'Always 1; the labels say what is running.',
    labelNames: ['version', 'contract_version', 'node_version'],
    registers,
  }).set({ version, contract_version: contractVersion, node_version: process.version }, 1);
  const active = new Gauge({ name: 'http_server_active_requests', help: 'Requests being answered.', registers });
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'From the headers of a request, or from where it was refused as malformed HTTP, to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'http_server_errors_total',
    help: 'Answers that are errors, by the code in their body.',
    labelNames: ['code'],
    registers,
  });

  const observe = (res: ServerResponse, start: number, code?: number, operation?: Exchange['operation']): void => {
    // Only what the contract has becomes a label: a stranger cannot make new ones.
    const { method = 'other', path: route = 'none' } = operation ?? {};
    const status = res.writableFinished ? res.statusCode : 'aborted';
    durations.observe({ method, route, status }, (performance.now() - start) / 1000);
    if (code !== undefined) errors.inc({ code });
  };

  return {
    registry,
    observeRequests(exchange) {
      const start = performance.now();
      active.inc();
      exchange.res.once('close', () => {
        active.dec();
        observe(exchange.res, start, exchange.error, exchange.operation);
      });
    },
    observeRefusal(res, code) {
      const start = performance.now();
      res.once('close', () => observe(res, start, code));
    },
  };
}

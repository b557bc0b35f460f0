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
  /** The codes of errors that there are: each is counted from zero on, so that its first is an increase. */
  errorCodes?: readonly number[];
  /** When the next of the accepted tokens ends, in milliseconds since 1970, and Infinity if none does; if there is a file of them. */
  nextTokenEnd?: (() => number) | undefined;
  /** The same of the certificate, if there is one. */
  certificateEnd?: (() => number) | undefined;
  /** How many lines of the log could not be written. */
  linesLost?: (() => number) | undefined;
}

export interface Metrics {
  registry: Registry;
  /** Counts and times every request. */
  observeRequests: Observe;
  /** The same for the answer to what Node's parser has refused, which reaches no stage; `code` is that of its error. */
  observeRefusal: (res: ServerResponse, code: number) => void;
}

/** Totals of what is there now, though by its name a total is a counter; the same by kind is there without the ending. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createMetrics({ contractVersion, version = '', errorCodes = [], ...watched }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
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
  for (const code of errorCodes) errors.inc({ code }, 0);
  const { nextTokenEnd, certificateEnd, linesLost } = watched;
  if (nextTokenEnd)
    secondsUntil(
      'auth_next_token_end_seconds',
      'the next of the accepted tokens ends; +Inf if none does',
      nextTokenEnd,
    );
  if (certificateEnd) secondsUntil('tls_certificate_end_seconds', 'the certificate in use ends', certificateEnd);
  if (linesLost)
    new Counter({
      name: 'log_lines_lost_total',
      help: 'Lines of the log that could not be written.',
      registers,
      collect() {
        this.reset();
        this.inc(linesLost());
      },
    });

  function secondsUntil(name: string, what: string, end: () => number): void {
    new Gauge({
      name,
      help: `Seconds until ${what}.`,
      registers,
      collect() {
        this.set((end() - Date.now()) / 1000);
      },
    });
  }

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

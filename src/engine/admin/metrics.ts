/** Metrics for Prometheus: the four golden signals of the API, the event loop, and what is running. */
import type { ServerResponse } from 'node:http';
import type { Exchange, Observe } from '../http/exchange';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Buckets that are narrow at the usual durations. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface MetricsOptions {
  contractVersion: string;
  /** The version of the program, if it has one. */
  version?: string | undefined;
  /** All error codes: each counter is preset to zero, so that the first error of a code is an increase. */
  errorCodes?: readonly number[];
  /** The time when the next accepted token expires, in milliseconds since 1970, or Infinity; undefined without a tokens file. */
  nextTokenEnd?: (() => number) | undefined;
  /** False while the tokens file on disk cannot be used; undefined without one. */
  isTokensFileUsable?: (() => boolean) | undefined;
  /** Rejects while the service is not ready. */
  ready?: () => Promise<void>;
  /** The time when the certificate expires; undefined without one. */
  certificateEnd?: (() => number) | undefined;
  /** The number of log lines that could not be written. */
  linesLost?: (() => number) | undefined;
}

export interface Metrics {
  registry: Registry;
  /** Counts and times every request. */
  observeRequests: Observe;
  /** The same for an answer to a request that Node's parser has refused, which never reaches the app; `code` is that of its error. */
  observeRefusal: (res: ServerResponse, code: number) => void;
}

/** Gauges that are named like counters (`_total`); there are others of the same values by kind, without that ending. */
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
    help: 'From the headers of a request, or its refusal as malformed HTTP, to the end of its answer.',
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
  const leftOut = new Counter({
    name: 'http_server_read_only_properties_total',
    help: 'Properties of requests that are readOnly and were left out.',
    labelNames: ['method', 'route'],
    registers,
  });
  const brokenOff = new Counter({
    name: 'http_server_answers_broken_off_total',
    help: 'Answers that ended before their bodies did, because an item could not be made or sent.',
    labelNames: ['method', 'route'],
    registers,
  });
  const deprecated = new Counter({
    name: 'http_server_deprecated_requests_total',
    help: 'Requests to operations that are deprecated.',
    labelNames: ['method', 'route'],
    registers,
  });
  for (const code of errorCodes) errors.inc({ code }, 0);
  const { nextTokenEnd, isTokensFileUsable, ready, certificateEnd, linesLost } = watched;
  if (ready)
    new Gauge({
      name: 'app_ready',
      help: '1 if the service can do its work, as /health/ready says; asked with each scrape.',
      registers,
      async collect() {
        this.set(
          await ready().then(
            () => 1,
            () => 0,
          ),
        );
      },
    });
  if (isTokensFileUsable)
    new Gauge({
      name: 'auth_tokens_file_usable',
      help: '0 while the tokens file on disk cannot be used, and the tokens from before stay accepted.',
      registers,
      collect() {
        this.set(isTokensFileUsable() ? 1 : 0);
      },
    });
  if (nextTokenEnd)
    secondsUntil(
      'auth_next_token_end_seconds',
      'the next of the accepted tokens ends, negative for a week after it has; +Inf if none does',
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
    // Labels are from the contract only, so that requests cannot add any.
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
        const { operation, error } = exchange;
        if (operation && exchange.leftOut !== undefined)
          leftOut.inc({ method: operation.method, route: operation.path }, exchange.leftOut);
        if (operation && exchange.isBrokenOff) brokenOff.inc({ method: operation.method, route: operation.path });
        if (operation?.lifecycle.isDeprecated) deprecated.inc({ method: operation.method, route: operation.path });
        observe(exchange.res, start, error, operation);
      });
    },
    observeRefusal(res, code) {
      const start = performance.now();
      res.once('close', () => observe(res, start, code));
    },
  };
}

/** Metrics of the store for Prometheus: its queue, its batches and their durations, and its own measurements. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Batch, GroupCommit } from './group-commit';
import type { Measurement, PlantStore } from './store';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
const OUTCOMES: Batch['outcome'][] = ['stored', 'refused', 'failed'];
/** Buckets for the duration of a batch, which is mostly one sync of a disk. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers the metrics of a group commit and its store; the store must be open. */
export function observePlants(plants: GroupCommit, store: PlantStore, registry: Registry): void {
  const registers = [registry];
  const measured = new Map<string, Counter | Gauge>();
  const measure = (): void => {
    const queue: Measurement = {
      name: 'store_queue_length',
      help: 'Creates that wait for the store.',
      value: plants.queueLength,
    };
    const made: Measurement = {
      name: 'store_made',
      help: '1 if this start has made the store, which is empty then.',
      value: store.description.made ? 1 : 0,
    };
    for (const { name, help, labels = {}, value } of [queue, made, ...store.measure()]) {
      // The store is measured once for each scrape: when the first of its gauges is read.
      const collect = measured.size === 0 ? measure : (): void => undefined;
      const Metric = name.endsWith('_total') ? Counter : Gauge;
      const metric =
        measured.get(name) ?? new Metric({ name, help, labelNames: Object.keys(labels), registers, collect });
      measured.set(name, metric);
      metric.remove(labels);
      metric.inc(labels, value);
    }
  };
  measure();
  const batches = new Histogram({
    name: 'store_batch_size',
    help: 'Creates that were committed together.',
    buckets: BATCH_SIZES,
    registers,
  });
  const commits = new Histogram({
    name: 'store_commit_duration_seconds',
    help: 'From a batch to its outcome: on disk, refused for the sake of one plant in it, or failed.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers,
  });
  for (const outcome of OUTCOMES) commits.zero({ outcome });
  plants.observe = (batch) => {
    batches.observe(batch.plants);
    commits.observe({ outcome: batch.outcome }, batch.seconds);
  };
}

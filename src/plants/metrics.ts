/** What Prometheus is told of the store: its queue, its batches and how long they take. */
import { Gauge, Histogram, type Registry } from 'prom-client';
import { BatchRefused, type PlantStore } from './store';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/** A batch takes one sync of a disk. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The same store, with its batches counted and timed; `queueLength` says how many creates wait for it. */
export function observeStore(store: PlantStore, queueLength: () => number, registry: Registry): PlantStore {
  const registers = [registry];
  new Gauge({
    name: 'store_queue_length',
    help: 'Creates that wait for the store.',
    registers,
    collect() {
      this.set(queueLength());
    },
  });
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
  const addAll: PlantStore['addAll'] = async (plants) => {
    const end = commits.startTimer();
    batches.observe(plants.length);
    try {
      const outcomes = await store.addAll(plants);
      end({ outcome: 'stored' });
      return outcomes;
    } catch (error) {
      end({ outcome: error instanceof BatchRefused ? 'refused' : 'failed' });
      throw error;
    }
  };
  return { batchesAtOnce: store.batchesAtOnce, addAll, close: () => store.close() };
}

import { Registry } from 'prom-client';
import { observePlants } from '../../src/plants/metrics';
import { BatchRefused } from '../../src/plants/store';
import { repositoryOn } from './repository';
import { StoreInHand } from './support/store-in-hand';

it('counts batches by what became of them, and asks the store for its measurements at each scrape', async () => {
  const store = new StoreInHand();
  let free = 5;
  store.measure = () => [
    { name: 'store_disk_free_bytes', help: 'Free room.', value: free },
    { name: 'store_batches_failed_total', help: 'Failed.', value: free, labels: { sqlstate: '57014' } },
  ];
  const plants = repositoryOn(store);
  const registry = new Registry();
  observePlants(plants, store, registry);
  free = 7;
  for (const reason of [new BatchRefused('a plant is at fault'), new Error('the disk is full')]) {
    const refused = expect(plants.add({ id: 1n, name: 'Ficus' })).rejects.toThrow();
    await store.fail(reason);
    await refused;
  }
  const both = Promise.all([1n, 2n].map((id) => plants.add({ id, name: 'Ficus' })));
  await store.commit();
  await both;
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    'store_commit_duration_seconds_count{outcome="refused"} 1',
    'store_commit_duration_seconds_count{outcome="failed"} 1',
    'store_commit_duration_seconds_count{outcome="stored"} 1',
    'store_batch_size_sum 4',
    'store_queue_length 0',
    'store_made 1',
    '# TYPE store_disk_free_bytes gauge',
    'store_disk_free_bytes 7',
    '# TYPE store_batches_failed_total counter',
    'store_batches_failed_total{sqlstate="57014"} 7',
  ])
    expect(lines).toContain(line);
});

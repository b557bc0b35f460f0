import { Registry } from 'prom-client';
import { observeStore } from '../../src/plants/metrics';
import { BatchRefused, type PlantStore } from '../../src/plants/store';

it.each([
  ['refused', new BatchRefused('a plant is at fault')],
  ['failed', new Error('the disk is full')],
])('counts a batch that is %s by itself', async (outcome, error) => {
  const registry = new Registry();
  const failing: PlantStore = { addAll: () => Promise.reject(error), close: () => undefined };
  const store = observeStore(failing, () => 0, registry);
  await expect(store.addAll([])).rejects.toBe(error);
  expect(await registry.metrics()).toContain(`store_commit_duration_seconds_count{outcome="${outcome}"} 1\n`);
});

/** Refuses a store that would be read without some of its plants, for commands that read all of it. */
import type { PlantStore } from '../store';
import { patiently } from './patience';

export async function assertUndamaged(store: PlantStore): Promise<void> {
  const damage = await patiently(async () => store.damage?.());
  if (damage !== undefined) throw new Error(`the store ${store.description.store} is damaged: ${damage}`);
}

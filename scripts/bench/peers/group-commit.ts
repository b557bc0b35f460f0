/** All plants that arrive while a commit is running share the next one. */
import { type NewPlant, type Plant, PlantStore, shownOf } from './plant-store';
import { settings } from './settings';

interface Waiting {
  plant: NewPlant;
  resolve: (plant: Plant) => void;
  reject: (error: unknown) => void;
}

export class GroupCommit {
  readonly #plants = new PlantStore(settings.database);
  #waiting: Waiting[] = [];

  /** Resolves when the plant is on disk. */
  add(plant: NewPlant): Promise<Plant> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ plant, resolve, reject }) === 1) setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      this.#plants.addAll(batch.map(({ plant }) => plant));
      for (const { plant, resolve } of batch) resolve(shownOf(plant));
    } catch {
      for (const each of batch) this.#addAlone(each); // one that fails must not take the others down
    }
  }

  #addAlone({ plant, resolve, reject }: Waiting): void {
    try {
      resolve(this.#plants.add(plant));
    } catch (error) {
      reject(error);
    }
  }
}

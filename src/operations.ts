/** The one table from the contract's operations to their handlers; the compiler checks it against `generated/`. */
import type { Operations } from './contract/operations';
import { createPlant } from './plants/create-plant';
import type { PlantRepository } from './plants/plant-repository';

export const operations = (plants: PlantRepository): Operations => ({
  createPlant: createPlant(plants),
});

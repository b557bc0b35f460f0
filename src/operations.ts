/** The one table from the contract's operations to their handlers; the compiler checks it against `generated/`. */
import type { Operations } from './contract/operations';
import { createPlant } from './plants/create-plant';
import type { PlantRepository } from './plants/plant-repository';

const table = (plants: PlantRepository) =>
  ({
    createPlant: createPlant(plants),
  }) satisfies Partial<Operations>;

export type Table = ReturnType<typeof table>;

/** Complete, or it does not compile; `generated/handlers.ts` names whatever is missing. */
export const operations: (plants: PlantRepository) => Operations = table;

/** The one table from the contract's operations to their handlers: a missing, superfluous or wrong one does not compile. */
import type { Handlers } from './contract/handler-types';
import { createPlant } from './plants/create-plant';
import type { PlantRepository } from './plants/repository';

export const handlersOn = (plants: PlantRepository): Handlers => ({
  createPlant: createPlant(plants),
});

/** The one table from the contract's operations to their handlers: a missing, superfluous or wrong one does not compile. */
import type { Handlers } from './operation';
import { createPlant } from './plants/create-plant';
import type { PlantRepository } from './plants/repository';

/** The codes of the errors that handlers throw. The contract lists these and the engine's (`engine/errors/error-codes.ts`). */
export { PlantErrorCode as errorCodes } from './plants/error-codes';

export const handlersOn = (plants: PlantRepository): Handlers => ({
  createPlant: createPlant(plants),
});

/** The one table from the contract's operations to their handlers: a missing, superfluous or wrong one does not compile. */
import type { Handlers } from './operation';
import { createPlant } from './plants/create-plant';
import type { PlantRepository } from './plants/repository';

/** The codes of the errors that handlers throw, beside the server's own (`error-codes.ts`): the start holds the contract's list to both. */
export { PlantErrorCode as errorCodes } from './plants/error-codes';

export const handlersOn = (plants: PlantRepository): Handlers => ({
  createPlant: createPlant(plants),
});

/** What the domain asks of a store, and nothing of how it does it. */
import type { components } from '../../generated/openapi';

export type NewPlant = components['schemas']['NewPlant'];
export type Plant = components['schemas']['Plant'];

/** Something for each property of a plant: one that the contract gains is missed by the compiler wherever this is said. */
export type EachProperty<T> = Readonly<Record<keyof Plant, T>>;

export interface PlantRepository {
  /**
   * Stores the plant. On resolve the plant is on disk, and stays there whatever happens to the process or the machine.
   * Resolves again for a plant with the same id, name and tag (nothing is stored twice).
   * Rejects with an ApiError: PlantIdTaken if a plant with this id and other content is stored, which is then unchanged;
   * ContractViolation for text that could not be kept unchanged (U+0000, lone surrogates), and then nothing is stored;
   * StoreUnavailable if the store does not answer in time, and then nothing is known of the plant; Overloaded if too many
   * plants are waiting, and then nothing is stored; Internal if the store refuses the plant for another reason.
   */
  add(plant: NewPlant): Promise<void>;

  /** Lets what is under way finish, then lets go of the store. */
  close(): Promise<void>;
}

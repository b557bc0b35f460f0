/** What the domain asks of a store, and nothing of how it does it. */
import type { components } from '../../generated/openapi';

export type NewPlant = components['schemas']['NewPlant'];
export type Plant = components['schemas']['Plant'];

/** Something for each property of a plant: one that the contract gains is missed by the compiler wherever this is said. */
export type EachProperty<T> = Readonly<Record<keyof Plant, T>>;

/** Reading. Each rejects with an ApiError, StoreUnavailable, if the store does not answer. */
export interface PlantReader {
  /** Up to `count` plants with ids from `first` on, in the order of their ids; each page is a look at a moment of its own. */
  page(first: bigint, count: number): Promise<NewPlant[]>;
  /** Those of the plants that are there, by id. */
  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>>;
}

/** What handlers are given. */
export interface PlantRepository extends PlantReader {
  /**
   * Stores the plant. On resolve the plant is on disk, and stays there whatever happens to the process or the machine.
   * Resolves again for a plant with the same id and content (nothing is stored twice).
   * Rejects with an ApiError: PlantIdTaken if a plant with this id and other content is stored, which is then unchanged;
   * ContractViolation for text that could not be kept unchanged (U+0000, lone surrogates), and then nothing is stored;
   * StoreUnavailable if the store does not answer in time, and then nothing is known of the plant; Overloaded if too many
   * plants are waiting, and then nothing is stored; Internal if the store refuses the plant for another reason.
   *
   * Plants of many principals are stored in turns, so that nobody waits behind all that another has sent. `principal` is
   * the name of who sends this one; plants without a name share one line.
   */
  add(plant: NewPlant, principal?: string): Promise<void>;
}

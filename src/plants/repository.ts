/** The interface between the domain and its store. */
import type { components } from '../../generated/openapi';

export type NewPlant = components['schemas']['NewPlant'];
export type Plant = components['schemas']['Plant'];

/** The properties that a plant has, or one of several kinds of plants. */
export type PropertyOf<T> = T extends unknown ? keyof T : never;

/** A value for each property of a plant: a property that is new in the contract is a compile error wherever this type is used. */
export type EachProperty<T> = Readonly<Record<PropertyOf<Plant>, T>>;

/** Reads plants. Each method rejects with an ApiError, StoreUnavailable, if the store does not answer. */
export interface PlantReader {
  /**
   * Up to `count` plants with ids from `first` on, in the order of their ids; fewer, but two if there are as many, where they have much
   * text. Pages are not of one snapshot.
   */
  page(first: bigint, count: number): Promise<NewPlant[]>;
  /** The stored plants of these ids, by id. */
  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>>;
}

/** The store as handlers use it. */
export interface PlantRepository extends PlantReader {
  /**
   * Stores the plant. On resolve the plant is on disk, and stays there whatever happens to the process or the machine. Resolves again for a
   * plant with the same id and content (nothing is stored twice). Rejects with an ApiError: PlantIdTaken if a plant with this id and other
   * content is stored, which is then unchanged; ContractViolation for text that could not be kept unchanged (U+0000, lone surrogates), and
   * then nothing is stored; StoreUnavailable if the store does not answer in time, and the plant may or may not be stored; Overloaded if
   * too many plants are waiting, and then nothing is stored; Internal if the store refuses the plant for another reason.
   *
   * Plants of many principals are stored in turns, so that nobody waits behind all that another has sent. `principal` is the name of who
   * sends this one; plants without a name share one line.
   */
  add(plant: NewPlant, principal?: string): Promise<void>;
}

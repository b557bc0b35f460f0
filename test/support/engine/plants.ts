/** What the engine's tests serve: plants in memory, which know nothing of `src/plants` or of the contract that is served. */
import { ApiError } from '../../../src/engine/errors/api-error';
import type { AnyHandlers, AnyRequest } from '../contracts';

interface Plant {
  id: bigint;
  name: string;
  tag?: string;
}

/** A plant with all that it may have, as rows of a store are. */
type Row = Omit<Plant, 'tag'> & { tag: string | null };

/** The code of `PlantIdTaken` in the contract beside this file. */
export const TAKEN = 40901;

export class EnginePlants {
  private readonly plants = new Map<bigint, Plant>();

  /** The handlers of the contract beside this file. */
  readonly handlers = {
    createPlant: ({ body }: AnyRequest) => {
      const { id, name, tag } = body as Plant;
      const shown = tag === undefined ? { name } : { name, tag };
      const stored = this.plants.get(id) ?? { id, ...shown };
      if (stored.name !== name || stored.tag !== tag)
        return Promise.reject(new ApiError(TAKEN, `a plant with id ${id} and other content is in the store`));
      this.plants.set(id, stored);
      return Promise.resolve({ status: 200, body: shown });
    },
  } satisfies AnyHandlers;

  /** What is stored, by id. */
  rows(): Row[] {
    const rows = [...this.plants.values()].map((plant) => ({ tag: null, ...plant }));
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

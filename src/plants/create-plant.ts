/** The handler of `createPlant`: stores a plant and answers with it. */
import type { Operation } from '../operation';
import type { EachProperty, NewPlant, Plant, PlantRepository } from './repository';

export const createPlant =
  (plants: PlantRepository): Operation<'createPlant'> =>
  async ({ body, principal }) => {
    await plants.add(body, principal?.name);
    return { status: 200, body: plantOf(body) };
  };

/** The plant as the contract answers it: without its id, and with its tag only if it has one. */
function plantOf({ name, tag }: NewPlant): Plant {
  return tag === undefined ? { name } : ({ name, tag } satisfies EachProperty<unknown>);
}

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
  return present({ name, tag } satisfies EachProperty<unknown>);
}

/** The members that a value has, where it may lack some. */
type Present<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<T>;
}

/**
 * The promise of PlantRepository as tests, for any store behind it: a test file hands over how its store is opened, and
 * what is said here of one store is then said of it too.
 */
import { PlantErrorCode } from '../../src/plants/error-codes';
import { GroupCommit, type GroupCommitOptions } from '../../src/plants/group-commit';
import type { NewPlant } from '../../src/plants/repository';
import type { PlantStore } from '../../src/plants/store';
import type { Row } from './support/store';
import { contents, plantsWithAnother, plantWith } from './contract-plants';

/** A store that begins empty. */
export interface TestStore {
  open(): PlantStore | Promise<PlantStore>;
  /** The columns id, name and tag of the stored plants, by id, read by other means than the store. */
  rows(): Row[] | Promise<Row[]>;
  remove(): void | Promise<void>;
}

/** A repository above the store. */
export function repositoryOn(store: PlantStore, options?: GroupCommitOptions): GroupCommit {
  const repository = new GroupCommit(options);
  repository.use(store);
  return repository;
}

/** Texts that have been stored as others somewhere. */
const TEXTS = [
  '',
  ' \t\r\n ',
  '🌵🪴',
  '👩‍🌾',
  'Aloe\u0301', // a combining mark
  'Alo\u00e9', // the same, composed
  'צבר \u202e מצוי', // from right to left
  '\u0001\u001b[31m\u007f',
  '\ufeffFicus', // a byte order mark
  '\ufffd',
  '\uffff\u{10ffff}', // noncharacters
  'a\u2028b\u2029c',
  '__proto__',
  "Robert'); DROP TABLE plants; --",
  '007',
  'null',
  'large '.repeat(200_000),
];

/** In their order; some are one and the same as floating point numbers. */
const IDS = [
  -9223372036854775808n,
  -9223372036854775807n,
  -9007199254740993n,
  -1n,
  0n,
  1n,
  2147483648n,
  9007199254740991n,
  9007199254740993n,
  9223372036854775806n,
  9223372036854775807n,
];

/** Puts a store under these tests; `describeStore` skips them if it is missing on this machine. */
export function describePlantRepository(
  name: string,
  fresh: () => TestStore | Promise<TestStore>,
  describeStore: (name: string, tests: () => void) => void = describe,
): void {
  describeStore(`PlantRepository on ${name}`, () => {
    let store: TestStore;
    let opened: PlantStore;
    let repository: GroupCommit;
    const open = async (): Promise<void> => {
      opened = await store.open();
      repository = repositoryOn(opened);
    };
    beforeEach(async () => {
      store = await fresh();
      await open();
    });
    afterEach(async () => {
      await repository.close();
      await store.remove();
    });

    const add = (plant: NewPlant): Promise<void> => repository.add(plant);

    it('gives pages from an id on, and the plants of ids', async () => {
      const [fern, ivy, ficus] = [
        { id: -1n, name: 'Fern', tag: '' },
        { id: 2n ** 63n - 1n, name: 'Ivy' },
        { id: 5n, name: 'Ficus' },
      ];
      await Promise.all([ivy, fern, ficus].map(add));
      expect(await repository.page(-(2n ** 63n), 2)).toEqual([fern, ficus]);
      expect(await repository.page(6n, 2)).toEqual([ivy]);
      expect(await repository.find([ivy.id, 7n, -1n])).toEqual(new Map([fern, ivy].map((plant) => [plant.id, plant])));
      expect(await repository.find([])).toEqual(new Map());
    });

    it('gives fewer plants in a page where they have much text, and two at the least', async () => {
      const plants = [1n, 2n, 3n, 4n].map((id) => ({ id, name: 'é'.repeat(400_000) }));
      await Promise.all(plants.map(add));
      expect(await repository.page(1n, 4)).toEqual(plants.slice(0, 2));
    });

    it('keeps ids exactly', async () => {
      const plants = IDS.map((id) => ({ id, name: `number ${id}` }));
      await Promise.all(plants.map(add));
      await Promise.all(plants.map(add));
      for (const id of IDS) await expect(add({ id, name: 'Hedera' })).rejects.toMatchObject(taken(id));
      expect(await store.rows()).toEqual(plants.map((plant) => ({ ...plant, tag: null })));
    });

    it('keeps texts unchanged', async () => {
      const plants = TEXTS.map((text, index) => ({ id: BigInt(index), name: text, tag: text }));
      await Promise.all(plants.map(add));
      await Promise.all(plants.map(add));
      expect(await store.rows()).toEqual(plants);
    });

    it('tells texts apart that look the same', async () => {
      await add({ id: 1n, name: 'Alo\u00e9' });
      for (const name of ['Aloe\u0301', 'alo\u00e9', 'Alo\u00e9 ', 'Aloe']) {
        await expect(add({ id: 1n, name })).rejects.toMatchObject(taken(1n));
      }
      expect(await store.rows()).toEqual([{ id: 1n, name: 'Alo\u00e9', tag: null }]);
    });

    it('rejects with PlantIdTaken for the same id with other content, and changes nothing', async () => {
      await add({ id: 1n, name: 'Ficus' });
      await expect(add({ id: 1n, name: 'Ficus', tag: '' })).rejects.toMatchObject(taken(1n));
      await add({ id: 2n, name: 'Ficus', tag: 'a' });
      await expect(add({ id: 2n, name: 'a', tag: 'Ficus' })).rejects.toMatchObject(taken(2n));
      expect(await store.rows()).toEqual([
        { id: 1n, name: 'Ficus', tag: null },
        { id: 2n, name: 'Ficus', tag: 'a' },
      ]);
    });

    it('says of each plant of a batch what became of it, and lets the first win of those with one id', async () => {
      const batch = [
        { id: 2n, name: 'Hedera', tag: '' },
        { id: 1n, name: 'Ficus' },
        { id: 1n, name: 'Aloe' },
        { id: 1n, name: 'Ficus' },
      ];
      expect(await opened.addAll(batch)).toEqual(['stored', 'stored', 'taken', 'replayed']);
      expect(await opened.addAll(batch)).toEqual(['replayed', 'replayed', 'taken', 'replayed']);
      expect(await opened.addAll([])).toEqual([]);
    });

    describe.each(contents)('the property %s of the contract', (property) => {
      const plant = plantWith(property);
      const read = async (): Promise<unknown> => {
        const found = await repository.find([plant.id]);
        return Reflect.get(found.get(plant.id) ?? {}, property);
      };

      it('is stored, and there when the store is opened again', async () => {
        await add(plant);
        await repository.close();
        await open();
        expect(await read()).toEqual(Reflect.get(plant, property));
      });

      it('is compared: another value of it is another plant', async () => {
        await add(plant);
        for (const other of plantsWithAnother(plant, property))
          await expect(add(other)).rejects.toMatchObject(taken(plant.id));
        expect(await read()).toEqual(Reflect.get(plant, property));
      });
    });
  });
}

function taken(id: bigint): { code: number; message: string } {
  return { code: PlantErrorCode.PlantIdTaken, message: `a plant with id ${id} and other content is in the store` };
}

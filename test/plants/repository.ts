/**
 * The promise of PlantRepository as tests, for any store behind it: a test file hands over how its store is opened, and
 * what is said here of one store is then said of it too.
 */
import { ErrorCode } from '../../src/engine/http/error-codes';
import { PlantErrorCode } from '../../src/plants/error-codes';
import { GroupCommit, type GroupCommitOptions } from '../../src/plants/group-commit';
import type { NewPlant } from '../../src/plants/repository';
import type { PlantStore } from '../../src/plants/store';
import type { Row } from './support/store';
import { contents, fullPlant, plantsWithAnother } from './contract-plants';

/** A store that begins empty. */
export interface TestStore {
  open(): PlantStore | Promise<PlantStore>;
  /** The columns id, name and tag of the stored plants, by id, read by other means than the store. */
  rows(): Row[] | Promise<Row[]>;
  remove(): void | Promise<void>;
}

/** A repository above the store, open. */
export async function repositoryOn(store: PlantStore, options?: GroupCommitOptions): Promise<GroupCommit> {
  const repository = new GroupCommit(() => store, options);
  await repository.open();
  return repository;
}

const LARGE = 'large '.repeat(200_000);

const TEXTS: [what: string, text: string][] = [
  ['ordinary', 'Monstera deliciosa'],
  ['empty', ''],
  ['blank', ' \t\r\n '],
  ['emoji', '🌵🪴'],
  ['joined emoji', '👩‍🌾'],
  ['a combining mark', 'Aloe\u0301'],
  ['the same, composed', 'Alo\u00e9'],
  ['from right to left', 'צבר \u202e מצוי'],
  ['control characters', '\u0001\u001b[31m\u007f'],
  ['a byte order mark', '\ufeffFicus'],
  ['a replacement character', '\ufffd'],
  ['noncharacters', '\uffff\u{10ffff}'],
  ['line separators', 'a\u2028b\u2029c'],
  ['a prototype', '__proto__'],
  ['SQL', "Robert'); DROP TABLE plants; --"],
  ['a number', '007'],
  ['null', 'null'],
  ['large', LARGE],
];

const IDS = [
  0n,
  1n,
  -1n,
  2147483648n,
  9007199254740991n,
  9007199254740993n,
  -9007199254740993n,
  9223372036854775806n,
  9223372036854775807n,
  -9223372036854775807n,
  -9223372036854775808n,
];

/** Puts a store under these tests; one that is missing on this machine shows as skipped, with the reason. */
export function describePlantRepository(
  name: string,
  fresh: () => TestStore | Promise<TestStore>,
  missing?: string,
): void {
  const title = `PlantRepository on ${name}`;
  (missing === undefined ? describe : describe.skip)(
    missing === undefined ? title : `${title} (skipped: ${missing})`,
    () => {
      let store: TestStore;
      let opened: PlantStore;
      let repository: GroupCommit;
      const open = async (): Promise<void> => {
        opened = await store.open();
        repository = await repositoryOn(opened);
      };
      const reopen = async (): Promise<void> => {
        await repository.close();
        await open();
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
      /** Adds the plants at once and says for each what became of it. */
      const addTogether = async (...plants: NewPlant[]): Promise<('added' | 'taken')[]> => {
        const results = await Promise.allSettled(plants.map(add));
        return results.map((result, index) => {
          if (result.status === 'fulfilled') return 'added';
          expect(result.reason).toMatchObject(taken(plants[index]?.id));
          return 'taken';
        });
      };

      it('gives pages from an id on, and the plants of ids', async () => {
        const [fern, ivy, ficus] = [
          { id: -1n, name: 'Fern', tag: '' },
          { id: 2n ** 63n - 1n, name: 'Ivy' },
          { id: 5n, name: 'Ficus' },
        ];
        await Promise.all([ivy, fern, ficus].map(add));
        expect(await repository.page(-(2n ** 63n), 2)).toEqual([fern, ficus]);
        expect(await repository.page(6n, 2)).toEqual([ivy]);
        expect(await repository.find([ivy.id, 7n, -1n])).toEqual(
          new Map([fern, ivy].map((plant) => [plant.id, plant])),
        );
        expect(await repository.find([])).toEqual(new Map());
      });

      it.each(IDS)('keeps %s exactly', async (id) => {
        await add({ id, name: 'Ficus' });
        await add({ id, name: 'Ficus' });
        await expect(add({ id, name: 'Hedera' })).rejects.toMatchObject(taken(id));
        expect(await store.rows()).toEqual([{ id, name: 'Ficus', tag: null }]);
      });

      it('keeps apart ids that are one as floating point numbers', async () => {
        const plants = IDS.map((id) => ({ id, name: `number ${id}`, tag: null }));
        await Promise.all(plants.map(({ id, name }) => add({ id, name })));
        expect(await store.rows()).toEqual(plants.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
      });

      it.each(TEXTS)('keeps text unchanged: %s', async (_what, text) => {
        await add({ id: 1n, name: text, tag: text });
        await add({ id: 1n, name: text, tag: text });
        expect(await store.rows()).toEqual([{ id: 1n, name: text, tag: text }]);
      });

      it('tells texts apart that look the same', async () => {
        await add({ id: 1n, name: 'Alo\u00e9' });
        for (const name of ['Aloe\u0301', 'alo\u00e9', 'Alo\u00e9 ', 'Aloe']) {
          await expect(add({ id: 1n, name })).rejects.toMatchObject(taken(1n));
        }
        expect(await store.rows()).toEqual([{ id: 1n, name: 'Alo\u00e9', tag: null }]);
      });

      it.each([
        ['U+0000', 'Fic\0us', 'text without U+0000'],
        ['a lone surrogate', 'Ficus \ud83c', 'text without lone surrogates'],
      ])('refuses text that it could not keep unchanged, and stores the others: %s', async (_what, text, expected) => {
        const others = [add({ id: 2n, name: 'Hedera' }), add({ id: 3n, name: 'Aloe' })];
        await expect(add({ id: 1n, name: text })).rejects.toMatchObject(refused('name', expected));
        await expect(add({ id: 1n, name: 'Ficus', tag: text })).rejects.toMatchObject(refused('tag', expected));
        await Promise.all(others);
        expect(await store.rows()).toEqual([
          { id: 2n, name: 'Hedera', tag: null },
          { id: 3n, name: 'Aloe', tag: null },
        ]);
      });

      it.each<[string, NewPlant]>([
        ['another name', { id: 1n, name: 'Hedera', tag: 'a' }],
        ['another tag', { id: 1n, name: 'Ficus', tag: 'b' }],
        ['an empty tag', { id: 1n, name: 'Ficus', tag: '' }],
        ['no tag', { id: 1n, name: 'Ficus' }],
        ['name and tag exchanged', { id: 1n, name: 'a', tag: 'Ficus' }],
      ])('rejects with PlantIdTaken for the same id with %s, and changes nothing', async (_what, other) => {
        await add({ id: 1n, name: 'Ficus', tag: 'a' });
        await expect(add(other)).rejects.toMatchObject(taken(1n));
        expect(await store.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: 'a' }]);
      });

      it('takes an empty tag for another than none', async () => {
        await add({ id: 1n, name: 'Ficus' });
        await expect(add({ id: 1n, name: 'Ficus', tag: '' })).rejects.toMatchObject(taken(1n));
        expect(await store.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
      });

      it('answers each of many that come together on its own', async () => {
        await add({ id: 1n, name: 'Ficus' });
        const became = await addTogether(
          { id: 1n, name: 'Ficus' },
          { id: 1n, name: 'Hedera' },
          { id: 2n, name: 'Hedera' },
          { id: 2n, name: 'Hedera' },
          { id: 2n, name: 'Aloe' },
          { id: 3n, name: 'Aloe', tag: 'a' },
        );
        expect(became).toEqual(['added', 'taken', 'added', 'added', 'taken', 'added']);
        expect(await store.rows()).toEqual([
          { id: 1n, name: 'Ficus', tag: null },
          { id: 2n, name: 'Hedera', tag: null },
          { id: 3n, name: 'Aloe', tag: 'a' },
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

      it('takes more plants at once than one commit does', async () => {
        const ids = Array.from({ length: 2_500 }, (_each, index) => BigInt(index));
        await Promise.all(ids.map((id) => add({ id, name: 'Lemna minor' })));
        expect(await store.rows()).toEqual(ids.map((id) => ({ id, name: 'Lemna minor', tag: null })));
      });

      it('has the plants still when it is opened again', async () => {
        await add({ id: 1n, name: 'Ficus', tag: 'a' });
        await reopen();
        await add({ id: 1n, name: 'Ficus', tag: 'a' });
        await expect(add({ id: 1n, name: 'Hedera' })).rejects.toMatchObject(taken(1n));
        await add({ id: 2n, name: 'Aloe' });
        expect(await store.rows()).toEqual([
          { id: 1n, name: 'Ficus', tag: 'a' },
          { id: 2n, name: 'Aloe', tag: null },
        ]);
      });

      describe.each(contents)('the property %s of the contract', (property) => {
        const read = async (): Promise<unknown> => {
          const found = await repository.find([fullPlant.id]);
          return Reflect.get(found.get(fullPlant.id) ?? {}, property);
        };

        it('is stored, and there when the store is opened again', async () => {
          await add(fullPlant);
          await reopen();
          expect(await read()).toEqual(Reflect.get(fullPlant, property));
        });

        it('is compared: another value of it is another plant', async () => {
          await add(fullPlant);
          for (const other of plantsWithAnother(property))
            await expect(add(other)).rejects.toMatchObject(taken(fullPlant.id));
          expect(await read()).toEqual(Reflect.get(fullPlant, property));
        });
      });

      it('finishes what is under way when it is closed, and refuses what comes later', async () => {
        const early = addTogether({ id: 1n, name: 'Ficus' }, { id: 2n, name: 'Hedera' });
        const reopened = reopen();
        await expect(add({ id: 3n, name: 'Aloe' })).rejects.toMatchObject({
          code: ErrorCode.StoreUnavailable,
          message: 'the store is closing',
        });
        expect(await early).toEqual(['added', 'added']);
        await reopened;
        expect(await store.rows()).toEqual([
          { id: 1n, name: 'Ficus', tag: null },
          { id: 2n, name: 'Hedera', tag: null },
        ]);
      });
    },
  );
}

function refused(property: string, expected: string): { code: number; message: string } {
  return {
    code: ErrorCode.ContractViolation,
    message: `/${property}: expected ${expected}, which no store can keep`,
  };
}

function taken(id: bigint | undefined): { code: number; message: string } {
  return { code: PlantErrorCode.PlantIdTaken, message: `a plant with id ${id} and other content is in the store` };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorCode } from '../../src/engine/errors/error-codes';
import { type GroupCommit } from '../../src/plants/group-commit';
import { BatchRefused } from '../../src/plants/store';
import type { NewPlant } from '../../src/plants/repository';
import { repositoryOn } from './repository';
import { startOurService } from './support/our-service';
import { settled, StoreInHand } from './support/store-in-hand';

const plant = (id: bigint): NewPlant => ({ id, name: `plant ${id}` });

const UNAVAILABLE = { code: ErrorCode.StoreUnavailable, message: 'the store does not answer' };
const OVERLOADED = 'too many plants are waiting to be stored';

describe('group commit', () => {
  let store: StoreInHand;
  let plants: GroupCommit;
  /** What has become of the plants so far, in the order in which it was told. */
  let told: string[];
  beforeEach(() => {
    store = new StoreInHand();
    plants = repositoryOn(store);
    told = [];
  });

  /** Adds plants and notes what becomes of each. */
  const add = (...ids: bigint[]): void => {
    for (const id of ids) {
      plants.add(plant(id)).then(
        () => told.push(`${id} added`),
        (error: unknown) => told.push(`${id} ${String(error)}`),
      );
    }
  };

  it('lets a lone plant wait for nobody, those that come meanwhile share the next commit, and answers nobody before', async () => {
    add(1n);
    await settled();
    add(2n);
    await settled();
    add(3n, 4n);
    await settled();
    expect(store.batches).toEqual([[1n]]);
    expect(told).toEqual([]);
    await store.commit();
    expect(store.batches).toEqual([[1n], [2n, 3n, 4n]]);
    expect(told).toEqual(['1 added']);
    await store.commit();
    expect(told).toEqual(['1 added', '2 added', '3 added', '4 added']);
  });

  it('answers each caller on its own, also one of whom the store says nothing', async () => {
    add(1n, 2n, 3n, 4n);
    await store.commit('stored', 'taken', 'replayed');
    expect(told).toEqual([
      '1 added',
      '2 ApiError: a plant with id 2 and other content is in the store',
      '3 added',
      '4 ApiError: the store does not answer',
    ]);
  });

  it('lets principals take turns within a commit, and from one to the next', async () => {
    plants = repositoryOn(store, { batchMax: 4 });
    for (const id of [1n, 2n, 3n, 4n, 5n]) void plants.add(plant(id), 'flood');
    for (const id of [11n, 12n]) void plants.add(plant(id), 'other');
    void plants.add(plant(21n), 'third');
    await store.commit();
    await store.commit();
    expect(store.batches).toEqual([
      [1n, 11n, 21n, 2n],
      [12n, 3n, 4n, 5n],
    ]);
  });

  it('refuses a principal who has as many waiting as there is room left for others, until there is more', async () => {
    plants = repositoryOn(store, { waitingMax: 8 });
    const add = (principal: string): Promise<string> =>
      plants.add(plant(1n), principal).then(
        () => 'added',
        (error: unknown) => String(error),
      );
    const flood = [1, 2, 3, 4, 5, 6].map(() => add('flood'));
    const other = [1, 2, 3].map(() => add('other'));
    const overloaded = `ApiError: ${OVERLOADED}`;
    await store.commit();
    expect(await Promise.all(flood)).toEqual([...Array<string>(4).fill('added'), overloaded, overloaded]);
    expect(await Promise.all(other)).toEqual(['added', 'added', overloaded]);
    const later = add('flood');
    await store.commit();
    expect(await later).toBe('added');
  });

  it('tells by its name once a store that failed works again', async () => {
    const lines: string[] = [];
    plants.use(store, (text) => lines.push(text));
    for (const act of [() => store.commit(), () => store.fail(new Error('EIO')), () => store.fail(new Error('EIO'))]) {
      add(1n);
      await act();
    }
    expect(lines).toEqual([]);
    for (const id of [2n, 3n]) {
      add(id);
      await store.commit();
    }
    expect(lines).toEqual(['the store in hand works again']);
  });

  it('reads from the store, and says of one that does not answer what a create says', async () => {
    expect(await plants.page(0n, 1)).toEqual([{ id: 1n, name: 'Ficus' }]);
    expect(await plants.find([7n])).toEqual(new Map([[7n, { id: 7n, name: 'Ficus' }]]));
    const cause = new Error('the disk is gone');
    store.page = () => Promise.reject(cause);
    store.find = () => Promise.reject(cause);
    await expect(plants.page(0n, 1)).rejects.toMatchObject({ ...UNAVAILABLE, cause });
    await expect(plants.find([7n])).rejects.toMatchObject({ ...UNAVAILABLE, cause });
  });

  it('rejects every plant of a commit that failed, and goes on with the next', async () => {
    const cause = new Error('the disk is full');
    const failed = [plants.add(plant(1n)), plants.add(plant(2n))].map((added) =>
      expect(added).rejects.toMatchObject({ ...UNAVAILABLE, cause }),
    );
    await settled();
    add(3n);
    await store.fail(cause);
    await Promise.all(failed);
    await store.commit();
    expect(store.batches).toEqual([[1n, 2n], [3n]]);
    expect(told).toEqual(['3 added']);
  });

  it.each([
    ['a\0', 'text without U+0000'],
    ['\ud83c', 'text without lone surrogates'],
  ])('refuses text with %j, which no store keeps unchanged, and adds the others', async (text, expected) => {
    const refused = [
      { id: 1n, name: text },
      { id: 2n, name: 'Ficus', tag: text },
    ].map((each) => plants.add(each));
    add(3n);
    for (const [index, column] of ['name', 'tag'].entries()) {
      await expect(refused[index]).rejects.toMatchObject({
        code: ErrorCode.ContractViolation,
        message: `/${column}: expected ${expected}, which no store can keep`,
      });
    }
    await store.commit();
    expect(store.batches).toEqual([[3n]]);
    expect(told).toEqual(['3 added']);
  });

  it('takes into a commit no more text than it may, and a plant that has more alone', async () => {
    plants = repositoryOn(store, { batchTextMax: 10 });
    for (const [index, length] of [4, 5, 2, 11, 3, 7].entries()) {
      void plants.add({ id: BigInt(index), name: 'x'.repeat(length - 1), tag: 'x' });
    }
    for (let commit = 0; commit < 4; commit++) await store.commit();
    expect(store.batches).toEqual([[0n, 1n], [2n], [3n], [4n, 5n]]);
  });

  it('rejects with Internal the plants for whose sake a batch is refused, and adds the others', async () => {
    const cause = new BatchRefused('no');
    const bad = new Set([3n, 4n, 7n]);
    store.addAll = async (batch) => {
      await settled();
      if (batch.some(({ id }) => bad.has(id))) throw cause;
      return batch.map(() => 'stored');
    };
    const all = Array.from({ length: 9 }, (_each, index) => plants.add(plant(BigInt(index))));
    const became = await Promise.allSettled(all);
    expect(became.map(({ status }, id) => (status === 'rejected' ? [BigInt(id)] : [])).flat()).toEqual([...bad]);
    await expect(all[3]).rejects.toMatchObject({ code: ErrorCode.Internal, message: 'internal error', cause });
  });

  it('adds the others in one batch where the store says which plants it refuses', async () => {
    const batches: bigint[][] = [];
    const bad = new Set([0n, 3n, 4n, 7n]);
    store.addAll = async (batch) => {
      await settled();
      batches.push(batch.map(({ id }) => id));
      const refused = [...batch.entries()].filter(([, { id }]) => bad.has(id));
      if (refused.length === 0) return batch.map(() => 'stored');
      throw new BatchRefused(
        'no',
        {},
        new Map(refused.map(([index, { id }]) => [index, new BatchRefused(`no ${id}`)])),
      );
    };
    const became = await Promise.allSettled(
      Array.from({ length: 9 }, (_each, index) => plants.add(plant(BigInt(index)))),
    );
    expect(batches).toEqual([
      [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n],
      [1n, 2n, 5n, 6n, 8n],
    ]);
    const reasons = became.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(reasons).toEqual(
      [...bad].map((id) => expect.objectContaining({ cause: new BatchRefused(`no ${id}`) }) as unknown),
    );
  });

  describe('where the store finds one plant that it refuses at a time', () => {
    const one = (id: bigint, name: string): Promise<void> => plants.add({ id, name }, 'one');
    const other = (id: bigint): Promise<void> => plants.add({ id, name: 'Aloe' }, 'other');
    let batches: bigint[][];
    /** Called with the number of a batch while the store has it. */
    let during: (batch: number) => void;
    beforeEach(() => {
      [batches, during] = [[], () => undefined];
      store.addAll = async (batch) => {
        during(batches.push(batch.map(({ id }) => id)));
        await settled();
        const index = batch.findIndex(({ name }) => name === 'bad');
        if (index < 0) return batch.map(() => 'stored');
        throw new BatchRefused('no', {}, new Map([[index, new BatchRefused('bad')]]));
      };
    });

    it('keeps the creates of a principal apart once it has refused one of them', async () => {
      const became = await Promise.allSettled([one(1n, 'bad'), one(2n, 'Ficus'), other(3n)]);
      expect(became.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
      expect(batches.splice(0)).toEqual([[1n, 3n, 2n], [3n], [2n]]);
      await Promise.all([one(4n, 'Ficus'), other(5n), one(6n, 'Ficus'), other(7n)]);
      expect(batches).toEqual([
        [5n, 7n],
        [4n, 6n],
      ]);
    });

    it('stores the rest of a batch before creates of the same principal that came since', async () => {
      let later: Promise<void> | undefined;
      during = (batch) => {
        if (batch === 2) later = one(4n, 'bad');
      };
      const became = await Promise.allSettled([one(1n, 'bad'), one(2n, 'bad'), one(3n, 'Ficus')]);
      await expect(later).rejects.toThrow('internal error');
      expect(became.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
      expect(batches).toEqual([[1n, 2n, 3n], [2n, 3n], [3n], [4n]]);
    });

    it('gives others their turn before it looks for the next one', async () => {
      let later: Promise<void> | undefined;
      during = (batch) => {
        if (batch === 2) later = other(4n);
      };
      const became = await Promise.allSettled([one(1n, 'bad'), one(2n, 'bad'), one(3n, 'Ficus')]);
      await later;
      expect(became.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
      expect(batches).toEqual([[1n, 2n, 3n], [2n, 3n], [4n], [3n]]);
    });
  });

  it('looks no longer for the plants that are refused once their creates have waited too long', async () => {
    plants = repositoryOn(store, { waitMs: 20 });
    let batches = 0;
    store.addAll = async () => {
      batches++;
      await sleep(30);
      throw new BatchRefused('no');
    };
    const became = await Promise.allSettled(
      Array.from({ length: 9 }, (_each, index) => plants.add(plant(BigInt(index)))),
    );
    await plants.close();
    expect([batches, became.map(({ status }) => status)]).toEqual([1, Array<string>(9).fill('rejected')]);
  });

  it('finishes what is under way and what waits before it closes the store', async () => {
    add(1n);
    await settled();
    add(2n);
    const closed = plants.close().then(() => told.push('closed'));
    add(3n);
    await store.commit();
    expect(store.closed).toBe(0);
    await store.fail(new Error('the disk is full'));
    await closed;
    expect(store.closed).toBe(1);
    expect(store.batches).toEqual([[1n], [2n]]);
    expect(told).toEqual([
      '3 ApiError: the store is closing',
      '1 added',
      '2 ApiError: the store does not answer',
      'closed',
    ]);
  });
});

describe('group commit with several batches at once', () => {
  it('gives the store as many batches as it takes, and lets the others share the next', async () => {
    const store = new StoreInHand(2);
    const plants = repositoryOn(store);
    const told: string[] = [];
    const add = (id: bigint): void => void plants.add(plant(id)).then(() => told.push(`${id} added`));
    for (const id of [1n, 2n, 3n, 4n]) {
      add(id);
      await settled();
    }
    expect(store.batches).toEqual([[1n], [2n]]);
    await store.commit();
    expect(store.batches).toEqual([[1n], [2n], [3n, 4n]]);
    expect(told).toEqual(['1 added']);
    const closed = plants.close().then(() => told.push('closed'));
    await store.commit();
    expect(store.closed).toBe(0);
    await store.commit();
    await closed;
    expect(told).toEqual(['1 added', '2 added', '3 added', '4 added', 'closed']);
  });
});

describe('group commit with a store that does not answer', () => {
  const TOO_LATE = { ...UNAVAILABLE, cause: new Error('a create was not stored within 50 ms') };

  it('rejects what has waited too long, in a batch or for one, and goes on once the store answers', async () => {
    const store = new StoreInHand();
    const plants = repositoryOn(store, { waitMs: 50 });
    const first = plants.add(plant(1n));
    await settled();
    const second = plants.add(plant(2n));
    await expect(first).rejects.toMatchObject(TOO_LATE);
    await expect(second).rejects.toMatchObject(TOO_LATE);
    const third = plants.add(plant(3n));
    await store.commit();
    await store.commit();
    await third;
    expect(store.batches).toEqual([[1n], [3n]]);
    await plants.close();
    expect(store.closed).toBe(1);
  });

  it('answers no create with 200 beyond its limit, also where the store has held up the whole process', async () => {
    const store = new StoreInHand();
    const plants = repositoryOn(store, { waitMs: 150 });
    const added = plants.add(plant(1n));
    await store.started();
    const late = plants.add(plant(2n));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200); // as the sync of a slow disk does
    const answers = Promise.allSettled([added, late]);
    await store.commit();
    expect(await answers).toEqual([
      { status: 'rejected', reason: expect.objectContaining(UNAVAILABLE) as unknown },
      { status: 'rejected', reason: expect.objectContaining(UNAVAILABLE) as unknown },
    ]);
    expect(store.batches).toEqual([[1n]]);
  });

  it('answers all that wait when it is closed, however long the queue', async () => {
    const store = new StoreInHand();
    const plants = repositoryOn(store, { waitMs: 50, batchMax: 1 });
    const all = [1n, 2n, 3n, 4n].map((id) => plants.add(plant(id)));
    const closed = plants.close();
    for (const each of all) await expect(each).rejects.toMatchObject(TOO_LATE);
    await store.fail(new Error('gone'));
    await closed;
    expect(store.batches).toEqual([[1n]]);
    expect(store.closed).toBe(1);
  });
});

describe('group commit behind HTTP', () => {
  it('answers 503 at once to what is too much to wait, and 200 to the others', async () => {
    const store = new StoreInHand();
    const plants = repositoryOn(store, { waitingMax: 2 });
    const service = await startOurService({ plants });
    const first = service.create({ id: 1, name: 'Ficus' }).then(({ status }) => status);
    await store.started();
    // Whichever of the two comes first waits; the other is answered while the commit is still running.
    const others = [2, 3].map((id) => service.create({ id, name: 'Hedera' }).then((answer) => answer));
    const refused = await Promise.race(others);
    expect(refused.status).toBe(503);
    expect(refused.headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '1' });
    expect(refused.body).toEqual({ error: 50302, message: OVERLOADED });
    await store.commit();
    await store.commit();
    expect(await first).toBe(200);
    expect((await Promise.all(others)).map(({ status }) => status).toSorted()).toEqual([200, 503]);
  });

  it('answers 503 for a store that fails, says the cause to the log alone, and works again', async () => {
    const store = new StoreInHand();
    const plants = repositoryOn(store);
    const service = await startOurService({ plants });
    const failed = service.create({ id: 1, name: 'Ficus' }).then((answer) => answer);
    await store.fail(new Error('the disk is full'));
    const answer = await failed;
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '1' });
    expect(answer.body).toEqual({ error: 50301, message: 'the store does not answer' });
    expect(service.logged).toContainEqual(
      expect.objectContaining({
        err: expect.objectContaining({ message: 'the disk is full' }) as unknown,
        error: 50301,
      }),
    );
    const again = service.create({ id: 1, name: 'Ficus' }).then(({ status, text }) => ({ status, text }));
    await store.commit();
    expect(await again).toEqual({ status: 200, text: '{"name":"Ficus"}' });
  });
});

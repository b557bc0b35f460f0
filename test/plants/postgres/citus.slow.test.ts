/** The store on Citus, which has it on several servers: what a test changes of these, it changes on all workers. */
import { eventually } from '../../support/eventually';
import { describeOnCitus } from '../../support/postgres';
import { eachWithDatabase, type Store } from './database';
import { refusal } from './refusal';

jest.setTimeout(120_000);

const plants = (first: number, count: number): { id: bigint; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: BigInt(first + index), name: 'Ficus' }));

describeOnCitus('a store on Citus', () => {
  const database = eachWithDatabase();

  const shards = (): Promise<unknown> =>
    database.sql(`SELECT count(*)::int4 FROM pg_dist_shard WHERE logicalrelid = 'plants'::regclass`);

  it('is distributed once, by ten processes that start together, into as many shards as they are told', async () => {
    await Promise.all(Array.from({ length: 10 }, () => database.open({ shards: 4 })));
    expect(await shards()).toEqual([{ count: 4 }]);
    await database.open({ shards: 8 });
    expect(await shards()).toEqual([{ count: 4 }]);
  });

  it('is distributed where it was made before Citus was there, with its plants', async () => {
    const stores = [await database.open()];
    await stores[0]?.addAll([{ id: 1n, name: 'Ficus' }]);
    await database.sql(`SELECT undistribute_table('plants')`);
    stores.push(await database.open({ shards: 4 }));
    expect(await shards()).toEqual([{ count: 4 }]);
    expect(await database.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  describe('whose workers have a fault', () => {
    const onWorkers = (command: string): Promise<unknown> =>
      database.sql('SELECT success, result FROM run_command_on_workers($1)', [command]);
    const set = async (name: string, value: string | null): Promise<void> => {
      await onWorkers(value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`);
      await onWorkers('SELECT pg_reload_conf()');
    };
    let store: Store;
    let next = 1_000;
    beforeEach(async () => {
      store = await database.open({ shards: 4, retryMs: 0 });
      await store.addAll(plants(1, 40));
    });
    afterEach(async () => {
      for (const name of ['fsync', 'synchronous_commit', 'synchronous_standby_names']) await set(name, null);
    });

    it.each([
      ['synchronous_commit', 'off'],
      ['fsync', 'off'],
    ])('such as %s = %s is not opened, and soon acknowledges nothing', async (name, value) => {
      await set(name, value);
      const unsafe = `it is not durable: with ${name} = ${value}`;
      await eventually(() => expect(store.addAll(plants((next += 40), 40))).rejects.toThrow(`${unsafe} on `));
      await expect(store.addAll(plants(1, 40))).rejects.toThrow(unsafe);
      expect(await refusal(database.url)).toMatch(new RegExp(`^${unsafe} on \\S+:\\d+ a plant`));
    });

    it.each([
      ['one plant', 1],
      ['plants of several workers', 40],
    ])(
      'such as a synchronous standby that has not got %s says so, of new ones and of those that are there',
      async (_what, count) => {
        await set('synchronous_standby_names', 'nobody');
        for (const batch of [plants(2_000, count), plants(2_000, count), plants(1, count)]) {
          let outcome: unknown;
          const added = store.addAll(batch).then(
            () => (outcome = 'acknowledged'),
            (error: unknown) => (outcome = error),
          );
          // As an operator does, or the end of a worker: its commit is a success with a warning.
          while (outcome === undefined) {
            await onWorkers(`SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
          }
          await added;
          expect(String(outcome)).toContain('the server warned: canceling wait for synchronous replication');
        }
        await set('synchronous_standby_names', null);
        await eventually(async () =>
          expect(new Set(await store.addAll(plants(2_000, count)))).toEqual(new Set(['replayed'])),
        );
      },
    );
  });
});

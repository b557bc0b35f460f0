/** The model of what the service carries, against measurements. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, type Costs, expected, fitted, modelLines, needed, usOf } from '../../scripts/bench/model';

/** The costs of PostgreSQL, as scripts/deploy/scale.md has them. */
const postgres: Costs = {
  instance: { eachUs: 60, batchUs: 430 },
  database: { eachUs: 9.6, batchUs: 230 },
  waitUs: 600,
};

const within = (share: number, ratio: number): boolean => ratio > 1 - share && ratio < 1 / (1 - share);

it('expects of SQLite with 512 connections what was measured within a quarter, for every server, by 1 and 64', () => {
  const file = join(__dirname, '..', '..', 'scripts', 'bench', 'results', 'latest.json');
  const { rows } = JSON.parse(readFileSync(file, 'utf8')) as {
    rows: { server: string; connections: number; perSecond: { median: number } }[];
  };
  const measured = rows.map((row) => ({ ...row, perSecond: row.perSecond.median }));
  const ratios = [...new Set(rows.map(({ server }) => server))].map((name) => {
    const own = measured.filter(({ server }) => server === name);
    const [instance, last] = [costOf(own), own.at(-1)];
    if (!instance || !last) throw new Error(`expected measurements of ${name}`);
    return expected({ instance }, last).perSecond / last.perSecond;
  });
  expect(ratios).toHaveLength(6);
  expect(ratios.filter((ratio) => !within(0.25, ratio))).toEqual([]);
});

it.each<[connections: number, instanceUs: number, databaseUs: number]>([
  [1, 489, 240],
  [8, 150, 78.4],
  [64, 67.7, 18.6],
  [256, 61.5, 11.4],
  [512, 63.4, 9.95],
])('expects of PostgreSQL with %d connections the CPU that was measured within a quarter', (connections, own, its) => {
  // Two batches are under way at once, but for a lone connection.
  const size = Math.max(1, connections / 2);
  expect(within(0.25, usOf(postgres.instance, size) / own)).toBe(true);
  expect(within(0.25, usOf(postgres.database ?? { eachUs: 0, batchUs: 0 }, size) / its)).toBe(true);
});

it('fits a cost to two measurements', () => {
  expect(fitted({ size: 1, us: 740 }, { size: 64, us: 110 })).toEqual({ eachUs: 100, batchUs: 640 });
});

it('names the place that is the narrowest', () => {
  const limitOf = (shape: Parameters<typeof expected>[1]): string => expected(postgres, shape).limit;
  expect(limitOf({ connections: 1 })).toBe('waiting for the database');
  expect(limitOf({ connections: 512, batchesAtOnce: 2 })).toBe('the event loops');
  expect(limitOf({ connections: 512, batchesAtOnce: 2, instances: 2, cores: 2, otherUs: 14 })).toBe('the cores');
});

it('says what so many creates per second need', () => {
  expect([10, 10_000, 100_000, 1_000_000].map((rate) => needed(postgres, rate, 100))).toEqual([
    { instances: 1, databaseCores: 1 },
    { instances: 1, databaseCores: 1 },
    { instances: 10, databaseCores: 2 },
    { instances: 92, databaseCores: 17 },
  ]);
});

it('prints beside a measurement what it expects', () => {
  const rows = [1, 64, 512].map((connections) => ({
    server: 'ours',
    connections,
    perSecond: 1e6 / (100 + 640 / connections),
  }));
  expect(modelLines(rows)).toEqual([
    'ours: 100 us a create and 640 us a batch expect 9877/s with 512 connections, measured 9877/s',
  ]);
});

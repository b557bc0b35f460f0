/**
 * A model of creates per second, small enough to reason with: a create costs something, the batch that it shares costs something, and the
 * narrowest of three places bends the curve. The bench fits it to two measurements and prints what it expects of the others beside them.
 */

/** Microseconds of a create, and of the batch that it shares with others. */
export interface Cost {
  eachUs: number;
  batchUs: number;
}

export interface Costs {
  /** On the event loop of an instance. With SQLite the sync of the disk is part of `batchUs`: the loop waits for it. */
  instance: Cost;
  /** CPU of the database's own processes. */
  database?: Cost;
  /** With PostgreSQL the way to it and the sync of its disk, while the loop goes on. */
  waitUs?: number;
}

/** The load, and the instances and cores that carry it. */
export interface Shape {
  /** Requests that are under way at once, of all clients. */
  connections: number;
  instances?: number;
  /** Batches of an instance that are under way at once: 1 of SQLite, DATABASE_CONNECTIONS of PostgreSQL. */
  batchesAtOnce?: number;
  /** DATABASE_BATCH_MAX. */
  batchMax?: number;
  /** Cores that instances, database and `otherUs` of something else for a create share; without it each has its own. */
  cores?: number;
  otherUs?: number;
}

const NOTHING: Cost = { eachUs: 0, batchUs: 0 };

/** The cost of a create that shares its batch with `size - 1` others. */
export function usOf({ eachUs, batchUs }: Cost, size: number): number {
  return eachUs + batchUs / size;
}

/** The cost that goes through two measurements: microseconds of a create, of batches of two sizes. */
export function fitted(few: { size: number; us: number }, many: { size: number; us: number }): Cost {
  const batchUs = Math.max(0, (few.us - many.us) / (1 / few.size - 1 / many.size));
  return { batchUs, eachUs: Math.max(1, many.us - batchUs / many.size) };
}

/** The creates per second that a shape carries, and the place that holds it there. */
export function expected(costs: Costs, shape: Shape): { perSecond: number; limit: string } {
  const { instance, database = NOTHING, waitUs = 0 } = costs;
  const { connections, instances = 1, batchesAtOnce = 1, batchMax = 1_000, cores = Infinity, otherUs = 0 } = shape;
  const size = Math.min(batchMax, Math.max(1, connections / instances / batchesAtOnce));
  const limits: [limit: string, perSecond: number][] = [
    ['the event loops', (1e6 * instances) / usOf(instance, size)],
    ['the cores', (1e6 * cores) / (usOf(instance, size) + usOf(database, size) + otherUs)],
    ['waiting for the database', (1e6 * instances * batchesAtOnce * size) / waitUs],
  ];
  const [limit, perSecond] = limits.reduce((least, each) => (each[1] < least[1] ? each : least));
  return { perSecond, limit };
}

/** A share of a core beyond which a queue grows faster than the load. */
const BUSY = 0.7;

/** The instances and cores of the database that a number of creates per second needs, in batches of a size. */
export function needed({ instance, database = NOTHING }: Costs, perSecond: number, size: number) {
  const cores = (cost: Cost): number => Math.ceil((perSecond * usOf(cost, size)) / 1e6 / BUSY);
  return { instances: cores(instance), databaseCores: cores(database) };
}

export interface Measurement {
  server: string;
  connections: number;
  perSecond: number;
}

/** The cost of a server on SQLite, where all that wait share a batch, by the first two of its measurements. */
export function costOf([few, many]: readonly Measurement[]): Cost | undefined {
  if (!few || !many) return undefined;
  const of = ({ connections, perSecond }: Measurement) => ({ size: connections, us: 1e6 / perSecond });
  return fitted(of(few), of(many));
}

/** A line for each further measurement of a server: expected of the first two, and measured. */
export function modelLines(measured: readonly Measurement[]): string[] {
  return [...new Set(measured.map(({ server }) => server))].flatMap((server) => {
    const own = measured.filter((each) => each.server === server);
    const instance = costOf(own);
    if (!instance) return [];
    const costs = `${Math.round(instance.eachUs)} us a create and ${Math.round(instance.batchUs)} us a batch`;
    return own.slice(2).map(({ connections, perSecond }) => {
      const wanted = Math.round(expected({ instance }, { connections }).perSecond);
      return `${server}: ${costs} expect ${wanted}/s with ${connections} connections, measured ${Math.round(perSecond)}/s`;
    });
  });
}

/** What the figures depend on besides the servers. Nothing that names the machine or its paths. */
import { DatabaseSync } from '@photostructure/sqlite';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { median } from './report/statistics';

export interface Machine {
  node: string;
  platform: string;
  cpu: string;
  cores: number;
  memoryGb: number;
  /** The cost of one plant in one commit, synced: the median in us. */
  commitUs: number;
}

export function describeMachine(directory: string): Machine {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    commitUs: Math.round(commitUs(join(directory, 'commit.db'))),
  };
}

function commitUs(path: string): number {
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)',
  );
  const insert = database.prepare("INSERT INTO t (name) VALUES ('Monstera deliciosa')");
  const times = Array.from({ length: 300 }, () => {
    const start = performance.now();
    insert.run();
    return (performance.now() - start) * 1000;
  });
  database.close();
  return median(times);
}

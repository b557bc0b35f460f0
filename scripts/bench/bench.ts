/** What every mode of the benchmark works with. */
import type { LoadGenerator } from './load/load-generator';
import type { Options } from './options';
import type { Entry } from './servers/entries';
import type { BenchStore } from './stores/bench-store';

export interface Machine {
  node: string;
  cpu: string;
  cores: number;
}

export interface Bench {
  options: Options;
  /** All servers that take part. */
  entries: Entry[];
  /** This server. */
  ours: Entry;
  generator: LoadGenerator;
  store: BenchStore;
  /** For stores; removed at the end. */
  directory: string;
  machine: Machine;
}

/** What every mode works with. */
import type { Machine } from '../describe-machine';
import type { LoadGenerator } from '../load/load-generator';
import type { Options } from '../read-options';
import type { Entry } from '../servers/entries';

export interface Context {
  options: Options;
  entries: Entry[];
  machine: Machine;
  generator: LoadGenerator;
  /** Where stores may lie; gone at the end. */
  directory: string;
}

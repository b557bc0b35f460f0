/** How a comparison was run: what a reader has to know beside its numbers. */
import type { Options } from '../read-options';

export type Settings = Pick<Options, 'rounds' | 'seconds' | 'warmUpSeconds' | 'connections' | 'ids'>;

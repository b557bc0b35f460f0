/**
 * `npm run dev`: on a change of the contract or of `src` it lints the contract, regenerates, type-checks and restarts. Problems are
 * printed with their place and what to do; the running server serves until another one has loaded, and waits for its store alone.
 */
import { join } from 'node:path';
import { readArguments } from '../../engine';
import { Folders, watchedFiles } from '../../engine/reading';
import { Development } from './development';
import { watchFiles } from './watch';
import { root } from '../project/run-command';
import { typed } from '../project/typed';

const usage = `${typed('dev', '[--allow-folder FOLDER]')}
Serves, with the variables of npm start, and starts anew when openapi.yaml or src has changed. Ctrl-C ends it.
The contract may name files of its own folder, and of each FOLDER that is allowed.`;

export function run(args: string[]): number {
  const { values } = readArguments({
    args,
    options: { 'allow-folder': { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const development = new Development(process.env, values['allow-folder']);
  const contract = join(root, 'openapi.yaml');
  const unwatch = watchFiles(
    () => watchedFiles(contract, new Folders(contract, values['allow-folder'])),
    join(root, 'src'),
    () => development.changed(),
  );
  let ending = false;
  const end = (): void => {
    // A signal may arrive twice: from the terminal, and from the parent process.
    if (ending) return;
    ending = true;
    unwatch();
    void development.end().then(() => process.exit(0));
  };
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
  // npm that is killed tells nobody; a process whose parent has gone gets another.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
  development.changed();
  return 0;
}

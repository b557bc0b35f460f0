/** Commands in messages, as their reader types them: scripts of npm where one is running, else our own command line. */
import { readFileSync } from 'node:fs';
import { CLI } from './run-command';

/** The command of ours that a script of a package.json runs. */
const COMMAND = new RegExp(`(?:\\b${CLI}|\\bsrc/tools/cli\\.ts) (\\S+)`);

/**
 * The words to type for a command of ours.
 *
 * @example
 * typed('diff', 'BASE'); // npm run contract:diff -- BASE, or openapi-in-charge diff BASE
 */
export function typed(command: string, args = ''): string {
  const { npm_lifecycle_event: event = 'npx', npm_package_json: file } = process.env;
  const script = event === 'npx' || file === undefined ? undefined : scriptFor(command, file);
  const [start, rest] = script === undefined ? [`${CLI} ${command}`, args] : [`npm run ${script}`, `-- ${args}`];
  return args === '' ? start : `${start} ${rest}`;
}

function scriptFor(command: string, file: string): string | undefined {
  const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
  return Object.keys(scripts).find((name) => COMMAND.exec(scripts[name] ?? '')?.[1] === command);
}

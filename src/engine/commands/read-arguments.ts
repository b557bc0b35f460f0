/** Parses the arguments of a command with `parseArgs`; options that npm has taken for its own are refused instead of ignored. */
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Options that npm exports under another name of its own: the beginning of a longer one (npm 11), and letters (`-a` is `--all`, `-d` a log
 * level).
 */
const READ_AS: Readonly<Record<string, string>> = { token: 'token_description', add: 'all' };
/** Options whose values are not shown in messages. */
const SECRETS = ['token', 'user', 'key'];

/**
 * Parses arguments. Throws the errors of `parseArgs`, and an Error with the line to type where `npm run COMMAND --OPTION` lacks its `--`:
 * npm passes such an option on as an environment variable only, so that the command would run without it.
 *
 * @example
 * const { values } = readArguments({ args, options: { file: { type: 'string' }, all: { type: 'boolean' } } });
 */
export function readArguments<T extends ParseArgsConfig>(
  config: T,
  env: NodeJS.ProcessEnv = process.env,
): ReturnType<typeof parseArgs<T>> {
  const { args = process.argv.slice(2), options = {} } = config;
  const problem = lostByNpm(args, options, env);
  if (problem !== undefined) throw new Error(problem);
  return parseArgs(config);
}

/** A message with the options that npm has taken, and the line to type; undefined if it has taken none. */
function lostByNpm(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const script = env.npm_lifecycle_event;
  // npx passes on all arguments behind the name of the program.
  if (script === undefined || script === 'npx') return undefined;
  const lost = Object.entries(options).flatMap(([name, { type }]) => {
    const value = valueIn(env, name);
    if (value === undefined || isGiven(name, args) || isInNpmrc(name, env)) return [];
    return { name, isFlag: type === 'boolean', value };
  });
  if (lost.length === 0) return undefined;
  // npm leaves the value of an unknown option among the other words; the values of several options cannot be assigned.
  const apart = lost.filter(({ isFlag, value }) => !isFlag && value === 'true');
  const words = apart.length > 1 ? [] : [...args];
  for (const each of apart) each.value = words.pop() ?? '...';
  const shown = (name: string, value: string): string => (SECRETS.includes(name) ? '...' : value);
  const typed = lost.flatMap(({ name, isFlag, value }) => [`--${name}`, ...(isFlag ? [] : [shown(name, value)])]);
  const line = [script === 'start' ? 'npm start' : `npm run ${script}`, '--', ...[...words, ...typed].map(quoted)];
  return `npm has taken ${lost.map(({ name }) => `--${name}`).join(' and ')} for its own; write -- first: ${line.join(' ')}`;
}

/** A word, quoted for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function isGiven(name: string, args: readonly string[]): boolean {
  return args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
}

/** The value of an option that npm has taken; it exports no options that it calls deprecated (`only`, `key`) or invalid (`expires`). */
function valueIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const names = [name.replaceAll('-', '_'), READ_AS[name]].flatMap((each) => each ?? []);
  return names.map((each) => env[`npm_config_${each}`]).find((value) => value !== undefined && value !== '');
}

/** True for a setting in a configuration file of npm (`json=true`), which npm exports in the same way. */
function isInNpmrc(name: string, env: NodeJS.ProcessEnv): boolean {
  const { npm_config_userconfig: user, npm_config_globalconfig: global, npm_config_local_prefix: project } = env;
  const files = [user, global, project && `${project}/.npmrc`];
  return files.some((file) => file !== undefined && settingNames(file).includes(name));
}

function settingNames(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split('=')[0]?.trim() ?? '');
  } catch {
    return []; // most of these files do not exist
  }
}

/** Parses the arguments of a command with `parseArgs`; options that npm has taken for its own are refused instead of ignored. */
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Options that npm exports under another name of its own: the beginning of a longer one (npm 11), and letters (`-a` is `--all`, `-d` a log
 * level).
 */
const READ_AS: Readonly<Record<string, string>> = { token: 'token_description', add: 'all' };

/**
 * Parses arguments. Throws the errors of `parseArgs`, and an Error where `npm run COMMAND --OPTION` lacks its `--`: npm passes such an
 * option on as an environment variable only, so that the command would run without it.
 *
 * @example
 * const { values } = readArguments({ args, options: { file: { type: 'string' }, all: { type: 'boolean' } } });
 */
export function readArguments<T extends ParseArgsConfig>(
  config: T,
  env: NodeJS.ProcessEnv = process.env,
): ReturnType<typeof parseArgs<T>> {
  const { args = process.argv.slice(2), options = {} } = config;
  const script = env.npm_lifecycle_event ?? 'npx';
  const isGiven = (name: string): boolean => args.some((arg) => arg.split('=')[0] === `--${name}`);
  const lost = Object.keys(options).filter((name) => isTaken(name, env) && !isGiven(name) && !isInNpmrc(name, env));
  // npx passes on all arguments behind the name of the program.
  if (script === 'npx' || lost.length === 0) return parseArgs(config);
  const taken = lost.map((name) => `--${name}`);
  throw new Error(
    `npm has taken ${taken.join(' and ')} for its own; write -- first: npm run ${script} -- ${taken.join(' ')} ...`,
  );
}

/** True if npm has exported the option; it exports none that it calls deprecated (`only`, `key`) or invalid (`expires`). */
function isTaken(name: string, env: NodeJS.ProcessEnv): boolean {
  return [name.replaceAll('-', '_'), READ_AS[name]].some((each) => (env[`npm_config_${each}`] ?? '') !== '');
}

/** True for a setting in a configuration file of npm (`json=true`), which npm exports in the same way. */
function isInNpmrc(name: string, env: NodeJS.ProcessEnv): boolean {
  const { npm_config_userconfig: user, npm_config_globalconfig: global, npm_config_local_prefix: project } = env;
  return [user, global, `${project}/.npmrc`].some((file) => file !== undefined && settingNames(file).includes(name));
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

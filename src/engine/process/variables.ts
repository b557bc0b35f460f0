/** Environment variables as one table: it parses the environment, and is printed by `--help` and on a page. */

export interface Variable<T> {
  readonly name: string;
  readonly byDefault: T;
  /** The default as help shows it; empty if there is none. */
  readonly shownDefault: string;
  /** The expected text, as messages say it: `a port from 0 to 65535`. */
  readonly expected: string;
  /** Parses a text; returns undefined for one that is not as expected. */
  readonly parse: (text: string) => T | undefined;
  /** Its meaning, in Markdown. */
  readonly meaning: string;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;
export type ValuesOf<V extends Variables> = { [Key in keyof V]: V[Key] extends Variable<infer T> ? T : never };

/** Reports a problem with the environment. */
export type Refuse = (problem: string) => void;

/** Thrown with a line for each wrong variable: the expected and the actual value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`the environment is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/**
 * Reads variables from an environment and makes a configuration of their values; an empty one counts as not set. Throws a ConfigError with
 * all problems, also those that `make` reports.
 *
 * @example
 * const settings = readVariables(engineVariables, process.env, settingsOf);
 */
export function readVariables<V extends Variables, Config>(
  variables: V,
  env: Readonly<Record<string, string | undefined>>,
  make: (values: ValuesOf<V>, refuse: Refuse) => Config,
): Config {
  const problems: string[] = [];
  const read = ({ name, byDefault, expected, parse }: Variable<unknown>): unknown => {
    const text = env[name];
    if (text === undefined || text === '') return byDefault;
    const value = parse(text);
    if (value === undefined) problems.push(`${name}: expected ${expected}, got ${shown(text)}`);
    return value ?? byDefault;
  };
  // The type of each value is that of its variable's parser.
  const values = Object.fromEntries(
    Object.entries(variables).map(([key, variable]) => [key, read(variable)]),
  ) as ValuesOf<V>;
  const config = make(values, (problem) => problems.push(problem));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * The variables as `--help` lists them.
 *
 * @example
 * const usage = `start [--help | --version]\n\nVariables:\n${helpOn(variables)}`;
 */
export function helpOn(variables: Variables): string {
  const all = Object.values(variables);
  const width = Math.max(...all.map(({ name }) => name.length));
  const line = ({ name, shownDefault, meaning }: Variable<unknown>): string =>
    `  ${name.padEnd(width)}  ${meaning.replaceAll('`', '')}${shownDefault === '' ? '' : ` (${shownDefault})`}\n`;
  return all.map(line).join('');
}

/**
 * A variable with its default, the expected text, its parser and its meaning.
 *
 * @example
 * const bedsMax = variable('BEDS_MAX', 100, 'a number of beds from 1 to 500', wholeNumber(1, 500), 'beds of a garden');
 */
export function variable<T>(
  name: string,
  byDefault: T,
  expected: string,
  parse: (text: string) => T | undefined,
  meaning: string,
  shownDefault = byDefault === undefined ? '' : String(byDefault),
): Variable<T> {
  return { name, byDefault, shownDefault, expected, parse, meaning };
}

/** A variable that may have any text. */
export function text<T extends string | undefined>(name: string, byDefault: T, meaning: string): Variable<T | string> {
  return variable<T | string>(name, byDefault, 'a text', (value) => value, meaning);
}

/**
 * A parser of decimal integers of a range; undefined for any other text.
 *
 * @example
 * wholeNumber(1, 100)('42'); // 42
 * wholeNumber(1, 100)('0x2a'); // undefined
 */
export function wholeNumber(min: number, max: number): (text: string) => number | undefined {
  return (value) =>
    /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
}

/** A value as messages show it: if it may contain a password, only its scheme. */
function shown(value: string): string {
  return JSON.stringify(/[@=]/.test(value) ? value.replace(/^(\w+:\/\/)?.*$/s, '$1...') : value);
}

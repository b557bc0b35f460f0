/** Compares the table of variables with those that `src/config.ts` reads. */
import { type Config, readConfig } from '../../../src/config';
import { tableRows } from './markdown';

/** Every variable that is read has a row in a table, every variable of a table is read, and the defaults are the same. */
export function variableProblems(page: string, text: string): string[] {
  const documented = tableRows(text).flatMap(({ line, cells: [names = [], defaults = []] }) =>
    names
      .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name))
      .map((name, index) => ({ line, name, byDefault: defaults[index] })),
  );
  const read = variablesRead();
  return [
    ...documented.flatMap(({ line, name, byDefault }) => {
      if (!read.has(name)) return `${page}:${line} documents ${name}, which src/config.ts does not read`;
      return byDefault === undefined || isDefault(name, byDefault)
        ? []
        : `${page}:${line} says that ${name} is ${byDefault} by default, and src/config.ts says otherwise`;
    }),
    ...[...read]
      .filter((name) => !documented.some((each) => each.name === name))
      .map((name) => `src/config.ts reads ${name}, which has no row in ${page}`),
  ];
}

/** The address of the service without `BASE_URL`. */
export function defaultAddress(port = readConfig({}).port): string {
  return `http://localhost:${port}`;
}

/** The variables that `readConfig` accesses. */
function variablesRead(): ReadonlySet<string> {
  const names = new Set<string>();
  const asked = new Proxy<Record<string, undefined>>({}, { get: (_, name) => void names.add(String(name)) });
  readConfig(asked);
  return names;
}

/** Whether the value gives the same configuration as no value. */
function isDefault(name: string, value: string): boolean {
  const byDefault = readConfig({});
  try {
    return same(readConfig({ [name]: value.replace(/\bPORT\b/, String(byDefault.port)) }), byDefault);
  } catch {
    return false;
  }
}

function same(one: Config, other: Config): boolean {
  const text = (config: Config): string =>
    JSON.stringify({
      ...config,
      baseUrl: config.baseUrl ?? defaultAddress(config.port),
      basePath: config.basePath ?? '',
    });
  return text(one) === text(other);
}

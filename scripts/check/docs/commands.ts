/** Compares README.md with the scripts of package.json. */
import { mentions, tableRows } from './markdown';

/** Every script has a row in a table, and every script that the text names exists. */
export function commandProblems(readme: string, scripts: readonly string[]): string[] {
  const rows = tableRows(readme).map(({ cells: [[command = ''] = []] }) => command.replace(/ -- .*$/, ''));
  const known = new Set(scripts.map(asCommand));
  const hooks = new Set(scripts.flatMap((script) => [`pre${script}`, `post${script}`]));
  return [
    ...mentions(readme, /\bnpm (?:run [\w:-]+|start\b|test\b)/g)
      .filter(({ text }) => !known.has(text))
      .map(({ line, text }) => `README.md:${line} names ${text}, which is no script of package.json`),
    ...scripts
      .filter((script) => !hooks.has(script) && !rows.includes(asCommand(script)))
      .map((script) => `package.json has the script ${script}, and README.md has no row for ${asCommand(script)}`),
  ];
}

function asCommand(script: string): string {
  return script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`;
}

/** The files of a team's contract, as they stand in a project of its own: `openapi.yaml`, and in `contract` the files that it names. */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isPair, isScalar, parseDocument, visit } from 'yaml';
import { bundleFiles, fileOf, Folders, isText, referencesIn, Sources } from '../../engine/reading';

/**
 * Writes them into the folder of a project; returns their names there, `openapi.yaml` first. Throws if one is not there, no YAML, or neither in its
 * folder nor in the allowed ones. `tell` is told which of them are outside of the contract's folder.
 */
export function writeContract(
  contract: string,
  project: string,
  tell: (what: string) => void,
  allowed: readonly string[] = [],
): string[] {
  const sources = new Sources(contract, new Folders(contract, allowed));
  bundleFiles(sources);
  const names = namesIn(contract, [...sources.all()]);
  for (const [file, name] of names) {
    if (relative(dirname(contract), file).startsWith('..'))
      tell(`copying ${file}, which is outside of the contract's folder`);
    const target = join(project, name);
    mkdirSync(dirname(target), { recursive: true });
    if (isText(file)) copyFileSync(file, target);
    else {
      const references = referencesIn(sources.valueOf(file)).map(({ reference }) => reference);
      const text = withReferences(file, new Set(references), names);
      writeFileSync(target, file === contract ? asYaml(text) : text);
    }
  }
  return [...names.values()];
}

/** The JSON Schema of each version of OpenAPI, by which editors complete a contract. */
const SCHEMAS: Readonly<Record<string, string>> = {
  '3.0': 'https://spec.openapis.org/oas/3.0/schema/2024-10-18',
  '3.1': 'https://spec.openapis.org/oas/3.1/schema-base/2022-10-07',
  '3.2': 'https://spec.openapis.org/oas/3.2/schema-base/2025-09-17',
};

/** Has editors complete the contract: a comment that names its schema, at its end, so that no line of it moves. */
export function completeInEditors(contract: string): void {
  const text = readFileSync(contract, 'utf8');
  const version: unknown = parseDocument(text).get('openapi');
  const schema = SCHEMAS[String(version).slice(0, 3)];
  if (schema !== undefined && !text.includes('yaml-language-server:'))
    appendFileSync(contract, `${text.endsWith('\n') ? '' : '\n'}\n# yaml-language-server: $schema=${schema}\n`);
}

/** Below `contract`, as they stood to each other, so that no file of theirs is one that a tool looks for at the top of a project. */
function namesIn(contract: string, sources: readonly string[]): Map<string, string> {
  const others = sources.filter((file) => file !== contract);
  const common = others.map((file) => dirname(file)).reduce(commonFolder, dirname(contract));
  // Hidden files are settings of tools in any folder: `.prettierrc.json`.
  const nameOf = (file: string): string =>
    relative(common, file)
      .replaceAll('\\', '/')
      .replaceAll(/(^|\/)\./g, '$1_.');
  return new Map([
    [contract, 'openapi.yaml'],
    ...others.map((file): [string, string] => [file, `contract/${nameOf(file)}`]),
  ]);
}

function commonFolder(a: string, b: string): string {
  let folder = a;
  while (relative(folder, b).startsWith('..')) folder = dirname(folder);
  return folder;
}

/** The text of a file with its references leading to where the other files are now; nothing else of it changes. */
function withReferences(file: string, references: ReadonlySet<string>, names: ReadonlyMap<string, string>): string {
  const text = readFileSync(file, 'utf8');
  const from = dirname(join('/', names.get(file) ?? ''));
  const edits: { start: number; end: number; by: string }[] = [];
  visit(parseDocument(text), {
    Pair(_key, { key, value }, ancestors) {
      const holder = ancestors.at(-2);
      const isMapped = isPair(holder) && isScalar(holder.key) && holder.key.value === 'mapping';
      if (!isScalar(key) || !(isMapped || key.value === '$ref' || key.value === 'defaultMapping')) return;
      if (!isScalar(value) || !value.range || typeof value.value !== 'string' || !references.has(value.value)) return;
      const [path = '', fragment] = value.value.split('#');
      const name = names.get(fileOf(file, path));
      if (name === undefined || resolve(from, path) === join('/', name)) return;
      const moved = relative(from, join('/', name)).replaceAll('\\', '/');
      const [start, end] = value.range;
      edits.push({ start, end, by: JSON.stringify(fragment === undefined ? moved : `${moved}#${fragment}`) });
    },
  });
  return edits.reduceRight((edited, { start, end, by }) => edited.slice(0, start) + by + edited.slice(end), text);
}

/** JSON as YAML that a person would write; YAML, and what would read otherwise, as it is. */
function asYaml(text: string): string {
  if (!/^\s*\{/.test(text)) return text;
  const document = parseDocument(text, { intAsBigInt: true });
  visit(document, {
    Collection: (_key, node) => void (node.flow = node.items.length === 0),
    Scalar: (_key, node) => void Reflect.deleteProperty(node, 'type'),
  });
  const yaml = document.toString({ lineWidth: 0 });
  return isDeepStrictEqual(valueOf(yaml), valueOf(text)) ? yaml : text;
}

function valueOf(text: string): unknown {
  return parseDocument(text, { intAsBigInt: true }).toJS();
}

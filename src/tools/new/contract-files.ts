/** The files of a team's contract, as they stand in a project of its own: `openapi.yaml`, and beside it the files that it names. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isScalar, parseDocument, visit } from 'yaml';
import { ContractProblems, readYaml, referencesIn, sourcesOf } from '../../engine/reading';

/** Names at the top of a project that are taken. */
const TAKEN =
  /^(?:src|test|scripts|generated|node_modules|dist|coverage|\..*|.*\.(?:mjs|md)|(?:package|package-lock|tsconfig)\.json|redocly\.yaml|openapi\.yaml|dockerfile)$/i;

/**
 * Writes them into the folder of a project; returns their names there, `openapi.yaml` first. Throws if one is not there, or no YAML.
 * `tell` is told which of them are outside of the contract's folder.
 */
export function writeContract(contract: string, project: string, tell: (what: string) => void): string[] {
  const sources = [...sourcesOf(contract)];
  const problems = sources.flatMap((file) => (isText(file, contract) ? [] : missingBehind(file)));
  if (problems.length > 0) throw new ContractProblems(problems);
  const names = namesIn(contract, sources);
  for (const [file, name] of names) {
    if (relative(dirname(contract), file).startsWith('..'))
      tell(`copying ${file}, which is outside of the contract's folder`);
    const target = join(project, name);
    mkdirSync(dirname(target), { recursive: true });
    if (isText(file, contract)) copyFileSync(file, target);
    else writeFileSync(target, file === contract ? asYaml(withReferences(file, names)) : withReferences(file, names));
  }
  return [...names.values()];
}

/** Descriptions may be texts of their own. */
function isText(file: string, contract: string): boolean {
  return file !== contract && !/\.(?:json|ya?ml)$/i.test(file);
}

function missingBehind(file: string): string[] {
  const { value } = readYaml(file);
  return [...new Set(referencesIn(value))]
    .filter((reference) => !existsSync(targetOf(file, reference)))
    .map((reference) => `${basename(file)} names ${reference}, which is not there`);
}

/** Where they stood, seen from the contract, if that is free in a project; below `contract/` otherwise. */
function namesIn(contract: string, sources: readonly string[]): Map<string, string> {
  const others = sources.filter((file) => file !== contract);
  const nameFrom = (folder: string, file: string): string => relative(folder, file).replaceAll('\\', '/');
  const isFree = (file: string): boolean => {
    const [first = '', ...rest] = nameFrom(dirname(contract), file).split('/');
    return first !== '..' && !TAKEN.test(first) && !(rest.length > 0 && first === 'contract');
  };
  const common = others.map((file) => dirname(file)).reduce(commonFolder, dirname(contract));
  const keep = others.every(isFree);
  return new Map([
    [contract, 'openapi.yaml'],
    ...others.map((file): [string, string] => [
      file,
      keep ? nameFrom(dirname(contract), file) : `contract/${nameFrom(common, file)}`,
    ]),
  ]);
}

function commonFolder(a: string, b: string): string {
  let folder = a;
  while (relative(folder, b).startsWith('..')) folder = dirname(folder);
  return folder;
}

/** The text of a file with references to where the other files are now; nothing else of it changes. */
function withReferences(file: string, names: ReadonlyMap<string, string>): string {
  const text = readFileSync(file, 'utf8');
  const edits: { start: number; end: number; by: string }[] = [];
  visit(parseDocument(text), {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || key.value !== '$ref' || !isScalar<string>(value) || !value.range) return;
      const [path = '', fragment] = value.value.split('#');
      const name = path === '' ? undefined : names.get(targetOf(file, path));
      const from = dirname(join('/', names.get(file) ?? ''));
      if (name === undefined || resolve(from, path) === join('/', name)) return;
      const moved =
        relative(from, join('/', name)).replaceAll('\\', '/') + (fragment === undefined ? '' : `#${fragment}`);
      const [start, end] = value.range;
      edits.push({ start, end, by: JSON.stringify(moved) });
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

function targetOf(file: string, reference: string): string {
  return resolve(dirname(file), reference.split('#')[0] ?? '');
}

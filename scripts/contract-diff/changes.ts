/** The changes between two contracts and their impact on clients: those that redocly finds, and those of security. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Contract, ContractOperation } from '../../src/engine/contract/operations';
import { namesOtherFiles } from '../../src/engine/contract/bundle';
import { pathOf } from '../../src/engine/contract/document';
import { listedValues } from '../../src/engine/contract/normalize-schema';
import { readContract } from '../read-contract';
import { root, runTool } from '../run-command';
import type { Impact } from './verdict';

export interface Change {
  impact: Impact;
  /** `POST /notes responses/409: removed` */
  text: string;
  /** `openapi.yaml:77:11`, in the revised contract, or in the base where it was removed. */
  place: string;
}

/** The parts of redocly's report that are used. */
interface Report {
  changes: {
    path: string;
    kind: string;
    impact: Impact;
    property?: string;
    verdicts: { ruleId: string; impact: Impact; message: string }[];
    base?: Place;
    revision?: Place;
  }[];
}

interface Place {
  file: string;
  line: number;
  col: number;
}

/** All changes from the base file to the revised one, except that of the version number. */
export async function changesBetween(base: string, basePlace: string, revised: string): Promise<Change[]> {
  const { stdout, output } = await diffOf(base, revised);
  if (!stdout.startsWith('{')) throw new Error(`redocly cannot compare ${basePlace} with openapi.yaml:\n${output}`);
  const { changes } = JSON.parse(stdout) as Report;
  const found = changes
    .filter(({ path, property }) => !(path === '#/info' && property === 'version'))
    .map(({ path, kind, impact: found, property, verdicts, base: before, revision: after }): Change => {
      const impact = isNewErrorCode(path, verdicts) ? 'minor' : found;
      const what = verdicts.map(({ message }) => message).join(' ') || `${property ?? ''} ${kind}`.trim();
      const place = after ? placeOf(relative(root, revised), after) : before ? placeOf(basePlace, before) : '';
      return { impact, text: `${subject(path)}: ${what}`, place };
    });
  return [...found, ...securityChanges(readContract(base), readContract(revised))];
}

/** Redocly's report on copies in which values are listed in one way. */
async function diffOf(...files: string[]): ReturnType<typeof runTool> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const copies = files.map((file, index) => {
      const text = readFileSync(file, 'utf8');
      const copy = join(folder, `${index}.yaml`);
      const listed = withEnums(text);
      if (listed !== text) writeFileSync(copy, listed);
      return listed === text ? file : copy;
    });
    return await runTool(['redocly', 'diff', ...copies, '--format', 'json', '--fail-on', 'none']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each `oneOf` of constants as an `enum`, of which redocly knows that a value more is no break; everything else stays on its line. */
function withEnums(text: string): string {
  const document = parseDocument(text);
  if (namesOtherFiles(document.toJS())) return text; // which would not be found from the copy
  const written: [start: number, end: number, values: unknown[]][] = [];
  visit(document, {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || key.value !== 'oneOf' || !isSeq(value) || !key.range || !value.range) return undefined;
      const listed = listedValues(value.toJS(document));
      if (listed) written.push([key.range[0], value.range[1], listed.map((each) => each.const)]);
      return undefined;
    },
  });
  return written.reduceRight((all, [start, end, values]) => {
    const lines = all.slice(start, end).split('\n').length - 1;
    return `${all.slice(0, start)}"enum": ${JSON.stringify(values)}${'\n'.repeat(lines)}${all.slice(end)}`;
  }, text);
}

/** A value more in an answer breaks clients, but not in an error: the list of its codes is open. */
function isNewErrorCode(pointer: string, verdicts: readonly { ruleId: string }[]): boolean {
  const [paths, , , responses, status] = pathOf(pointer);
  const isError = paths === 'paths' && responses === 'responses' && /^(?:[45]|default)/.test(String(status));
  return isError && verdicts.length > 0 && verdicts.every(({ ruleId }) => ruleId === 'enum-values-added');
}

/** `#/paths/~1notes/post/responses/409` as `POST /notes responses/409`. */
function subject(pointer: string): string {
  const [first, path, method, ...rest] = pathOf(pointer);
  if (first !== 'paths' || method === undefined) return pointer.replace(/^#\//, '');
  return [`${String(method).toUpperCase()} ${String(path)}`, rest.join('/')].filter(Boolean).join(' ');
}

function placeOf(name: string, { line, col }: Place): string {
  return `${name}:${line}:${col}`;
}

/**
 * Operations that required authentication and no longer do, or the reverse. Redocly compares only what is written at the same
 * place, and misses an operation that overrides the default with `security: []`.
 */
function securityChanges(base: Contract, revised: Contract): Change[] {
  return revised.operations.flatMap((operation): Change[] => {
    const before = base.operations.find(({ method, path }) => method === operation.method && path === operation.path);
    if (!before || isOpen(before) === isOpen(operation)) return [];
    const text = isOpen(operation) ? 'is open to everyone, and was not' : 'requires authentication, and did not';
    const place = revised.place([...operation.at, 'security']);
    return [{ impact: 'major', text: `${operation.method} ${operation.path}: ${text}`, place }];
  });
}

function isOpen({ security }: ContractOperation): boolean {
  return security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
}

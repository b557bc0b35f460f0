/** The changes between two contracts and their impact on clients: those that redocly finds, and those of security. */
import { relative } from 'node:path';
import type { Contract, ContractOperation } from '../../src/engine/contract/operations';
import { pathOf } from '../../src/engine/contract/document';
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
  const { stdout, output } = await runTool(['redocly', 'diff', base, revised, '--format', 'json', '--fail-on', 'none']);
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

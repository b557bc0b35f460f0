/** A separate process that checks the types of `src` on request, and keeps its results for the next time. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { stampOf } from '../../engine/tooling';
import { root } from '../project/run-command';

const config = join(root, 'src', 'tsconfig.json');
/** A separate file that keeps the results beyond this process. */
const tsBuildInfoFile = join(root, 'dist', '.cache', 'dev.tsbuildinfo');
const options = { noEmit: true, composite: false, incremental: true, tsBuildInfoFile };
/** False for NO_COLOR, and for a terminal that shows no colours. */
const isColoured = process.stdout.isTTY && process.stdout.hasColors();
/** Source files as last read, with the stamp by which the watcher sees their changes, too. */
const sources = new Map<string, { stamp: string; source: ts.SourceFile | undefined }>();
let program: ts.EmitAndSemanticDiagnosticsBuilderProgram | undefined;

/** The compiler's messages; empty texts if there are none. */
export interface Checked {
  /** Errors other than missing handlers. */
  errors: string;
  /** Missing handlers. */
  missing: string;
}

function check(): Checked {
  const parsed = ts.getParsedCommandLineOfConfigFile(config, options, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined,
  });
  if (!parsed) return { errors: `${config} cannot be read`, missing: '' };
  const host = ts.createIncrementalCompilerHost(parsed.options);
  program ??= ts.readBuilderProgram(parsed.options, host);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...how) => {
    const stamp = stampOf(statSync(name, { bigint: true, throwIfNoEntry: false }));
    const known = sources.get(name);
    if (known?.stamp === stamp) return known.source;
    const source = read(name, ...how);
    sources.set(name, { stamp, source });
    return source;
  };
  program = ts.createEmitAndSemanticDiagnosticsBuilderProgram(parsed.fileNames, parsed.options, host, program);
  const found = [
    ...parsed.errors,
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ];
  program.emit();
  return { errors: textOf(found.filter((each) => !isMissing(each))), missing: textOf(found.filter(isMissing)) };
}

/** True if the diagnostic says only that the table lacks a handler. */
function isMissing({ messageText }: ts.Diagnostic): boolean {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  return /(?:is missing the following properties from|but required in) type '(?:Any)?Handlers/.test(text);
}

function textOf(diagnostics: readonly ts.Diagnostic[]): string {
  const format = isColoured ? ts.formatDiagnosticsWithColorAndContext : ts.formatDiagnostics;
  return format(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });
}

process.on('message', () => process.send?.(check()));

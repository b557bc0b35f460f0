/** Type-checks and compiles `src` as `npm run build` does, and faster each time: what is unchanged is not looked at again. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../run-command';

/** The files that were read, each with the time and size by which it is known again. */
const sources = new Map<string, { stamp: string; source: ts.SourceFile }>();
let before: ts.EmitAndSemanticDiagnosticsBuilderProgram | undefined;

/** Writes `dist/`, or gives what is wrong, as tsc prints it. */
export function compile(): string | undefined {
  const { fileNames, options } = configuration();
  const host = rememberingHost(options);
  const program = (before = ts.createEmitAndSemanticDiagnosticsBuilderProgram(fileNames, options, host, before));
  const errors = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ];
  if (errors.length === 0) {
    program.emit();
    return undefined;
  }
  return process.stdout.isTTY
    ? ts.formatDiagnosticsWithColorAndContext(errors, host)
    : ts.formatDiagnostics(errors, host);
}

function configuration(): ts.ParsedCommandLine {
  const file = join(root, 'src', 'tsconfig.json');
  const fail = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const parsed = ts.getParsedCommandLineOfConfigFile(file, undefined, host);
  if (!parsed) throw new Error(`${file} cannot be read`);
  return parsed;
}

function rememberingHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createIncrementalCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    const stats = statSync(name, { throwIfNoEntry: false });
    const stamp = `${stats?.mtimeMs} ${stats?.size}`;
    const known = sources.get(name);
    if (known?.stamp === stamp) return known.source;
    const source = read(name, ...rest);
    if (source) sources.set(name, { stamp, source });
    return source;
  };
  return host;
}

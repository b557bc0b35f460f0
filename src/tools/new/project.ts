/** Makes a team's own project from its contract, in an empty folder. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { NotWrittenCode } from '../../engine';
import { ContractProblems } from '../../engine/reading';
import { guessedBody } from '../errors/shapes';
import { bundleFile, generatedFiles, writeGenerated } from '../generate/files';
import { judgeContract, type Judgement } from '../project/read-contract';
import { writePackages } from '../project/own-package';
import { completeInEditors, writeContract } from './contract-files';
import { errorBodyText } from './error-body';
import { exampleTestText } from './example-test';
import { errorCodesText, handledOf, handlerText, tableText } from './handlers';
import { writeLintRules } from './lint';
import { packageName, writeLock, writeManifest } from './package-json';
import { readmeText } from './readme';
import { serviceText, verifiersText } from './service';
import { literal } from './source-text';
import { fill } from './template';
import { writeFormatted } from './write-formatted';

/** Files that are the same for every contract, by the names of their templates. */
const SAME = [
  ...['src/main.ts', 'src/config.ts', 'src/operation.ts', 'src/tsconfig.json', 'test/conformance.test.ts'],
  ...['tsconfig.json', 'eslint.config.mjs', 'Dockerfile'],
];
/** Files whose names begin with a dot, which npm would read or leave out of a package. */
const HIDDEN = ['gitattributes', 'gitignore', 'vscode/extensions.json'];

export interface Made {
  operations: number;
  /** The start's warnings about the contract. */
  warnings: readonly string[];
  /** The lint rules that the contract breaks, each with the number of its places. */
  broken: readonly [rule: string, places: number][];
}

/**
 * Makes the project; throws ContractProblems if the contract cannot be served, or names files that are neither in its
 * folder nor in the allowed ones. `tell` is called with the steps that take long.
 */
export async function makeProject(
  contract: string,
  allowed: readonly string[],
  project: string,
  tell: (what: string) => void,
): Promise<Made> {
  const names = writeContract(contract, project, tell, allowed);
  completeInEditors(join(project, 'openapi.yaml'));
  if (names.length > 1) {
    tell(`making one contract of ${names.length} files`);
    writeGenerated(bundleFile(project), project);
  }
  tell('holding the contract to what the start asks for');
  const { judgement, hasCode } = judge(join(project, 'openapi.yaml'));
  const { contract: loaded, warnings, examples, refusals } = judgement;
  if (!loaded) throw new ContractProblems(refusals);
  const all = handledOf(loaded);
  tell(`generating the types of ${all.length} operations`);
  for (const file of generatedFiles(project)) writeGenerated(file, project);

  tell('writing the project');
  const write = (name: string, text: string): Promise<void> => writeFormatted(join(project, name), text);
  for (const name of SAME) await write(name, fill(name));
  for (const name of HIDDEN) await write(`.${name}`, fill(name));
  await write('.ci/run', fill('ci-run'));
  chmodSync(join(project, '.ci/run'), 0o755);
  const errorBody = errorBodyText(loaded);
  const verifiers = verifiersText(loaded.document);
  await write('src/service.ts', serviceText({ hasErrorBody: !!errorBody, hasVerifiers: !!verifiers }));
  if (errorBody !== undefined) await write('src/error-body.ts', errorBody);
  if (verifiers !== undefined) await write('src/verifiers.ts', verifiers);
  await write('src/cli.ts', fill('src/cli.ts', { name: literal(packageName(loaded.document.info.title)) }));
  await write('src/handlers.ts', tableText(all));
  await write('src/error-codes.ts', errorCodesText(hasCode));
  for (const each of all) await write(`src/operations/${each.file}.ts`, handlerText(each));
  await write('test/example.test.ts', exampleTestText(loaded, all));
  // Keep the contract as its authors have written it.
  await write(
    '.prettierignore',
    `${['dist/', 'coverage/', 'generated/', 'packages/', 'package-lock.json', '*.md', ...names].join('\n')}\n`,
  );
  await write('README.md', readmeText(loaded, all, errorBody !== undefined));

  tell('holding the contract to the rules of lint');
  const broken = await writeLintRules(project);
  tell('making the packages of the engine and the tools');
  const packages = await writePackages(join(project, 'packages'));
  tell('writing package.json and package-lock.json');
  writeManifest(project, loaded.document, packages);
  await writeLock(project);
  return { operations: all.length, warnings: [...warnings, ...examples], broken };
}

/**
 * Judges the contract, which may have another name for the code of an unwritten handler, or another code of its name.
 */
function judge(file: string): { judgement: Judgement; hasCode: boolean } {
  const judgement = judgeContract(file, { errorCodes: NotWrittenCode, errorsOf: guessedBody });
  const isRefused = judgement.refusals.some((line) => line.includes('src/handlers.ts'));
  return isRefused
    ? { judgement: judgeContract(file, { errorsOf: guessedBody }), hasCode: false }
    : { judgement, hasCode: true };
}

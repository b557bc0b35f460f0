/** A project of a team's own, made in an empty folder from its contract. */
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import { NotWrittenCode } from '../../engine';
import { ContractProblems } from '../../engine/reading';
import { generatedFiles, writeGenerated } from '../generate/files';
import { judgeContract, type Judgement } from '../project/read-contract';
import { root } from '../project/run-command';
import { writeContract } from './contract-files';
import { copyEngine, manifestOf } from './engine-parts';
import { errorBodyText } from './error-body';
import { exampleTestText } from './example-test';
import { errorCodesText, handledOf, handlerText, tableText } from './handlers';
import { writeLintRules } from './lint';
import { packageName, writeLock, writeManifest } from './package-json';
import { readmeText } from './readme';
import { cliText, serviceText, verifiersText } from './service';

/** What is the same in every project, ours included. */
const SHARED = [
  ...['main', 'node-version', 'operation', 'project-root'].map((name) => `src/${name}.ts`),
  ...['src/tsconfig.json', '.editorconfig'],
];
const TEMPLATE = join(__dirname, 'template');

export interface Made {
  operations: number;
  /** What the start tells of the contract. */
  warnings: readonly string[];
  /** The rules of lint that the contract breaks, each with the number of its places. */
  broken: readonly [rule: string, places: number][];
}

/** Makes it; throws ContractProblems if the contract cannot be served. `tell` is told what takes long. */
export async function makeProject(contract: string, project: string, tell: (what: string) => void): Promise<Made> {
  const names = writeContract(contract, project, tell);
  const generate = async (): Promise<void> => {
    for (const file of await generatedFiles(project)) writeGenerated(file, project);
  };
  if (names.length > 1) {
    tell(`making one contract of ${names.length} files`);
    await generate();
  }
  tell('holding the contract to what the start asks for');
  const { judgement, hasCode } = judge(join(project, 'openapi.yaml'));
  const { contract: loaded, warnings, refusals } = judgement;
  if (!loaded) throw new ContractProblems(refusals);
  const all = handledOf(loaded);
  if (names.length === 1) {
    tell(`generating the types of ${all.length} operations`);
    await generate();
  }

  tell('writing the project');
  const { prettier: style } = manifestOf(root);
  const write = async (name: string, text: string): Promise<void> => {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(
      join(project, name),
      /\.(?:ts|json)$/.test(name) ? await format(text, { filepath: name, ...style }) : text,
    );
  };
  for (const name of SHARED) await write(name, readFileSync(join(root, name), 'utf8'));
  copyTemplate(project);
  const errorBody = errorBodyText(loaded);
  const verifiers = verifiersText(loaded.document);
  await write('src/service.ts', serviceText({ hasErrorBody: !!errorBody, hasVerifiers: !!verifiers }));
  if (errorBody !== undefined) await write('src/error-body.ts', errorBody);
  if (verifiers !== undefined) await write('src/verifiers.ts', verifiers);
  await write('src/cli.ts', cliText(packageName(loaded.document.info.title)));
  await write('src/handlers.ts', tableText(all));
  await write('src/error-codes.ts', errorCodesText(hasCode));
  for (const each of all) await write(`src/operations/${each.file}.ts`, handlerText(each));
  await write('test/example.test.ts', exampleTestText(loaded, all));
  await write('README.md', readmeText(loaded, all, errorBody !== undefined));
  await write('tsconfig.json', tsconfigText());
  await write('.gitignore', 'node_modules/\ndist/\ncoverage/\n*.log\n');
  // The contract is as its authors have written it.
  const unformatted = ['dist/', 'coverage/', 'generated/', 'package-lock.json', '*.md', ...names];
  await write('.prettierignore', `${unformatted.join('\n')}\n`);
  copyEngine(project);

  tell('holding the contract to the rules of lint');
  const broken = await writeLintRules(project);
  tell('writing package.json and package-lock.json');
  writeManifest(project, loaded.document);
  await writeLock(project);
  return { operations: all.length, warnings, broken };
}

/** A contract may have another name for the code of what is not written, or another code of its name. */
function judge(file: string): { judgement: Judgement; hasCode: boolean } {
  const judgement = judgeContract(file, { errorCodes: NotWrittenCode });
  const isRefused = judgement.refusals.some((line) => line.includes('src/handlers.ts'));
  return isRefused ? { judgement: judgeContract(file), hasCode: false } : { judgement, hasCode: true };
}

/** Code stands there as NAME.txt, so that no tool takes it for ours. */
function copyTemplate(project: string): void {
  for (const name of readdirSync(TEMPLATE, { recursive: true, encoding: 'utf8' })) {
    if (statSync(join(TEMPLATE, name)).isDirectory()) continue;
    const target = join(project, name.replace(/\.txt$/, ''));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(TEMPLATE, name), target);
  }
}

function tsconfigText(): string {
  const ours = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object;
  return JSON.stringify({ ...ours, exclude: ['**/node_modules'] });
}

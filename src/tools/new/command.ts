/**
 * Makes a project of a team's own from its contract.
 *
 *   openapi-in-charge new FOLDER CONTRACT [--allow-folder FOLDER] [--ci github|gitlab]
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { readArguments } from '../../engine';
import { ownFolder } from '../project/own-package';
import { typed } from '../project/typed';
import { makeProject } from './project';

const usage = `${typed('new', 'FOLDER CONTRACT [--allow-folder FOLDER] [--ci github|gitlab]')}
Makes a project in FOLDER, which has to be empty or not there, that serves CONTRACT: a file of OpenAPI 3.0, 3.1 or 3.2, in YAML or JSON, with
the files that it names in its own folder, and in each that --allow-folder names. Each operation is authenticated and validated, and answered with 501 until its handler is written. In FOLDER

  npm ci && npm start    serves
  npm ci && npm test     passes

--ci writes the file by which GitHub or GitLab runs the tests and all checks: .github/workflows/check.yml or .gitlab-ci.yml.

A contract that cannot be served is refused, with its places, and nothing is written. ${typed('update', 'FOLDER')} brings the packages of
such a project up to date later.`;

/** The maximum number of the start's warnings that are shown. */
const TOLD_MAX = 10;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments({
    args,
    options: {
      'allow-folder': { type: 'string', multiple: true },
      ci: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [folder, file, ...rest] = positionals;
  if (folder === undefined || file === undefined || rest.length > 0) {
    console.error(`expected FOLDER and CONTRACT, got ${JSON.stringify(positionals)}\n${usage}`);
    return 1;
  }
  // npm runs scripts in the folder of package.json, wherever it was called.
  const from = process.env.INIT_CWD ?? process.cwd();
  const [project, contract] = [resolve(from, folder), resolve(from, file)];
  const allowed = (values['allow-folder'] ?? []).map((each) => resolve(from, each));
  const { ci } = values;
  if (ci !== undefined && !isCi(ci)) throw new Error(`expected --ci ${Object.keys(CI_FILES).join(' or ')}, got ${ci}`);
  refuse(project, contract);
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'new-')));
  const draft = join(temporary, 'project');
  try {
    const made = await makeProject(contract, allowed, draft, (what) => process.stderr.write(`${what} ...\n`));
    if (ci !== undefined) cpSync(join(ownFolder, 'scripts/ci', `${ci}.yml`), join(draft, CI_FILES[ci]));
    cpSync(draft, project, { recursive: true });
    for (const line of made.warnings.slice(0, TOLD_MAX)) console.log(`The start tells: ${line}`);
    if (made.warnings.length > TOLD_MAX) console.log(`and ${made.warnings.length - TOLD_MAX} lines more`);
    if (made.broken.length > 0) {
      const rules = made.broken.map(([rule, places]) => `${rule} (${places})`).join(', ');
      console.log(`Lint tells: ${rules}; npm run check fails for none of these, and with -- --strict for all`);
    }
    const place = relative(process.cwd(), project);
    console.log(`
${folder} serves ${made.operations} operations; src/operations has a file for each, to be written.

  cd ${place.startsWith('..') ? project : place || '.'}
  npm ci && npm start    # then npm test, and README.md`);
    return 0;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** The file of a project in which each CI finds its steps. */
const CI_FILES = { github: '.github/workflows/check.yml', gitlab: '.gitlab-ci.yml' };

function isCi(name: string): name is keyof typeof CI_FILES {
  return Object.hasOwn(CI_FILES, name);
}

/** Checks the arguments, and throws before anything is read or written. */
function refuse(project: string, contract: string): void {
  if (!existsSync(contract) || !statSync(contract).isFile())
    throw new Error(
      `expected CONTRACT to be a file, got ${contract}, which ${existsSync(contract) ? 'is none' : 'is not there'}`,
    );
  if (!existsSync(project)) return;
  if (!statSync(project).isDirectory()) throw new Error(`expected FOLDER to be a folder, got the file ${project}`);
  const [first, ...more] = readdirSync(project);
  if (first !== undefined)
    throw new Error(
      `expected FOLDER to be empty, got ${project} with ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`,
    );
}

/**
 * The two packages of this checkout as their users have them: run with npx from a file, in empty folders, with a cache of npm that is empty
 * before the first of them in a run.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../src/tools/project/run-command';
import { oncePerRun } from '../support/once-per-run';
import { type Ended, Project, project as ours, type Running } from './project-copy';

export const fixtures = join(__dirname, 'new');
const made: Project[] = [];
const env = { npm_config_cache: '' };
/** The file of the tools, as `package` prints it for npx. */
let tools = '';

/** Makes the packages, and has npx install the tools: once per run, as two of npx at a time would install them in one place. */
export async function makePackages(): Promise<void> {
  const folder = await oncePerRun('packages', async (target) => {
    const { ok, stdout, output } = await run(['npm', 'run', '--silent', '--prefix', ours, 'package', '--', target]);
    if (!ok) throw new Error(output);
    writeFileSync(join(target, 'printed'), stdout);
    usePackages(target);
    await succeed(startNpx(emptyFolder(), '--help').ended);
  });
  usePackages(folder);
}

function usePackages(folder: string): void {
  env.npm_config_cache = join(folder, 'cache');
  tools = readFileSync(join(folder, 'printed'), 'utf8').trim().split('\n').at(-1) ?? '';
}

export async function discardAll(): Promise<void> {
  await Promise.all(made.map((each) => each.discard()));
}

export function emptyFolder(): Project {
  const folder = new Project();
  made.push(folder);
  return folder;
}

export function startNpx(folder: Project, ...args: string[]): Running {
  return folder.start(['npx', '--yes', tools, ...args], env);
}

/** Runs a command of the tools to its end; of what it prints npm's own warnings are left out. */
export async function npx(folder: Project, ...args: string[]): Promise<Ended> {
  const { code, output } = await startNpx(folder, ...args).ended;
  return { code, output: output.replaceAll(/^npm warn.*\n/gm, '').trim() };
}

/** What `new` makes of a contract, with the packages that another project has installed, or with none. */
export async function newProject(
  contract: string,
  like?: Project,
  ...options: string[]
): Promise<Project & { told: string }> {
  const project = emptyFolder();
  const args = ['new', project.folder, contract, '--allow-folder', fixtures, ...options];
  const { code, output: told } = await npx(emptyFolder(), ...args);
  if (code !== 0) throw new Error(told);
  if (like) project.link(like.folder);
  else await succeed(project.run(['npm', 'ci'], env));
  return Object.assign(project, { told });
}

/** Writes what is fixed of a project: the files of a folder of fixtures, whose names end in `.txt`. */
export function addFixtures(project: Project, folder: string): void {
  for (const name of readdirSync(join(fixtures, folder), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.txt'))
      project.write(name.replace(/\.txt$/, ''), readFileSync(join(fixtures, folder, name), 'utf8'));
}

export async function succeed(ended: Promise<Ended>): Promise<string> {
  const { code, output } = await ended;
  if (code !== 0) throw new Error(output);
  return output;
}

/** The text files of a project, by name; what others have made is left out. */
export function filesOf({ folder }: Project): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(?:node_modules|dist|coverage|\.git)(?:\/|$)/.test(name) && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
